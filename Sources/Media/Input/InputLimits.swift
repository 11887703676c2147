/// The bounds of everything that an input waits for or keeps.
public struct InputLimits: Hashable, Sendable {
    /// A dial must have succeeded within this many milliseconds; less than the machine waits for it (`Timing.dialMs`), so that
    /// the input says why it failed.
    public var dialMs: Int64 = 10_000
    /// No packet for this many milliseconds ends a dial.
    public var silenceMs: Int64 = 10_000
    /// The largest frame in bytes; a larger one is cut and flagged.
    var frameBytesMax = 8 << 20
    /// The most bytes of frames that wait until the order of the stream is known.
    var heldBytesMax = 16 << 20
    /// The most bytes of a file that are read for its head (an index, say), and before the first frame and between two of them:
    /// libav keeps what it has read of a frame, or of an index.
    var fileHeadBytesMax = 32 << 20
    var fileFrameBytesMax = 12 << 20
    /// Tracks of a file that are looked at; an MP4 file with more is refused. Each has an index in memory.
    static let fileTracksMax = 6
    /// What libav may take for the index of one track, in bytes: that, how long its frames are kept back, and how long they last.
    static let fileIndexBytesMax = 100 << 20
    /// How long a reader rests between two looks at its socket, in milliseconds, so that packets come by the handful:
    /// it adds as much to the latency and saves a wake-up for each packet. 0: none.
    public var restMs: Int64 = 20
    /// How long a reader over TCP lets packets gather while no frame is wanted promptly (`InputSink.wantsPromptFrames`), in
    /// milliseconds; up to `restMs`: no longer than that.
    var gatherMs: Int64 = 200
    /// They gather no longer than until so many bytes have come: a camera is not to wait for room.
    var gatherBytes: Int32 = 128 << 10
    /// Until so many milliseconds after PLAY they do not gather: the camera's clocks are compared with arrival then.
    var gatherAfterMs: Int64 = 10_000
    /// UDP: how many packets wait for a late one.
    var reorderPacketsMax = 64
    /// UDP: how long they wait, in milliseconds.
    var reorderMs: Int64 = 200
    /// Tracks of one camera that are looked at.
    var tracksMax = 8
    /// The largest RTSP answer in bytes.
    public var answerBytesMax = 64 << 10
    /// How many datagrams of one socket are taken before the others, and whatever else is due, have their turn.
    var datagramsAtOnceMax = 4_096
    /// The share of one processor that the thread of an input may take, in percent; 0: no bound. What is beyond it for
    /// longer than `processorBurstMs` ends the dial as `budget`.
    var processorPercentMax: Int64 = 25
    /// How much processor time beyond that share is borne, in milliseconds; it is given back as time passes.
    var processorBurstMs: Int64 = 2_500
    /// The most units in one packet of sound; no camera sends more than a second of sound in a packet.
    var packetUnitsMax = 64
    /// The most frames a second, of all tracks together, over `burstMs`.
    var frameRateMax = 1_000
    /// The most bytes of memory a second that frames take (`Frame.cost`), over `burstMs`.
    var byteRateMax = 32 << 20
    /// Over how many milliseconds frames and bytes may be sent in one go: what a camera has kept for its next viewer.
    var burstMs: Int64 = 10_000
    /// The most changes of a stream's parameters in a minute: each costs a clip, and a decoder set up anew.
    var changesPerMinuteMax = 20
    /// The most different units of a dial whose refusal is reported.
    var refusalsMax = 8
    /// The stack of an input's thread in bytes.
    var stackBytes = 512 << 10

    /// The most bytes of memory that an input holds besides what it has handed over: the frame under way, which may move once
    /// as it grows, those that wait for their order, packets that wait for a late one, an answer, its stack.
    public var bytesMax: Int {
        2 * frameBytesMax + heldBytesMax + 2 * reorderPacketsMax * (64 << 10) + answerBytesMax + stackBytes
    }

    /// The most bytes of memory that the reading of a file takes besides: the indexes of its tracks, of which one is there twice while
    /// its edit list is applied, and a frame under way.
    public var fileBytesMax: Int {
        Self.fileTracksMax * Self.fileIndexBytesMax + LibavProcess.pieceBytesMax + fileFrameBytesMax
    }

    /// Threads of one input.
    public static let threadsMax = 1
    /// Sockets of one input: that of RTSP, and over UDP two for each of two tracks.
    static let socketsMax = 5
    /// File descriptors of one input: its sockets, and the one on which it hears that it is to stop.
    public static let descriptorsMax = socketsMax + 1

    /// The default limits.
    public init() {}
}
