import Hashing
public import Machines

/// A track that a source offers.
public struct StreamDescription: Hashable, Sendable {
    /// Ordinal among the tracks of the dial, from 0; `Frame.track` names it.
    public let ordinal: Int
    /// What it carries.
    public let kind: TrackKind
    /// How the source codes it, in the source's words (`H264`, `PCMU`, …).
    public let sourceCodec: String
    /// How it is delivered, as far as it is known before the first frame; the frames' own configuration is what counts.
    public internal(set) var parameters: TrackParameters?
    /// Why no frame of it will come; nil when it is used.
    public let ignored: String?
    /// The track from which it is made, in a form that clips can hold; nil where it comes as the source sends it. Its frames
    /// come only while `InputSink.wantsStoredSound`.
    public let madeFrom: Int?

    /// A track.
    package init(
        ordinal: Int, kind: TrackKind, sourceCodec: String, parameters: TrackParameters?, ignored: String?,
        madeFrom: Int? = nil
    ) {
        self.ordinal = ordinal
        self.kind = kind
        self.sourceCodec = sourceCodec
        self.parameters = parameters
        self.ignored = ignored
        self.madeFrom = madeFrom
    }

    /// The same track with what is known of how it is delivered.
    package func delivered(as parameters: TrackParameters) -> StreamDescription {
        var track = self
        track.parameters = parameters
        return track
    }

    /// The same track without secrets: a camera might name one that is left out by what it was asked with. The others have names that
    /// Vigil knows, which may be words of an address, too.
    func hiding(_ filter: SecretFilter) -> StreamDescription {
        guard let ignored else { return self }
        return StreamDescription(
            ordinal: ordinal, kind: kind, sourceCodec: filter.clean(sourceCodec), parameters: parameters,
            ignored: filter.clean(ignored), madeFrom: madeFrom)
    }
}

/// How an input ended.
public enum InputEnd: Hashable, Sendable {
    /// `stop()` was called.
    case stopped
    /// It could not be dialled, or was lost. The detail is for the operator and holds no credential.
    case failed(LinkFailure, detail: String)
}

/// A burst of frames that packets are missing from; said once, when the burst is over or has lasted a minute.
public struct DamageReport: Hashable, Sendable {
    /// How many frames lack something.
    public internal(set) var frames: Int
    /// How many packets were lost meanwhile, as their numbers tell.
    public internal(set) var lostPackets: UInt64
    /// Arrival of the first of the frames.
    public let first: Instant
    /// Arrival of the last of them.
    public internal(set) var last: Instant
}

/// What a reader has counted since it was dialled.
public struct InputCounts: Hashable, Sendable {
    /// Frames handed over.
    public var frames: UInt64 = 0
    /// Bytes of frames.
    public var bytes: UInt64 = 0
    /// Packets that were lost on the way, as the sequence numbers tell.
    public var lostPackets: UInt64 = 0
    /// Packets of other senders in the camera's channels; they were left out.
    var foreignPackets: UInt64 = 0
    /// Frames flagged as damaged.
    public var damaged: UInt64 = 0
    /// Frames before the first parameter sets, which no decoder could use; they were not handed over.
    public var undecodable: UInt64 = 0
    /// Units that clips cannot hold; they were left out of their frames.
    public var refused: UInt64 = 0

    /// Nothing counted yet.
    package init() {}
}

/// Who takes what an input reads. Every call comes on the input's own thread, in this order: `dialed` once or never, then
/// any number of `frame`, `repaired`, `damaged`, `refused` and `moved`, then `ended` exactly once; `noted` comes before `dialed`
/// and before `ended`. A call must not block for long: the camera is not read meanwhile.
public protocol InputSink: AnyObject, Sendable {
    /// The source answered; these are its tracks.
    func dialed(_ streams: [StreamDescription])
    /// What is known of an RTSP camera besides its tracks; the last that is said counts.
    func noted(_ facts: DialFacts)
    /// A frame, in decoding order per track.
    func frame(_ frame: Frame)
    /// Whether sound that clips cannot hold is to be turned into AAC, in a track of its own. Asked at each packet of it.
    var wantsStoredSound: Bool { get }
    /// Whether frames are wanted as soon as they come: somebody looks, or what is sent now is of another time for privacy than what
    /// is sent later. Asked at each turn of a reader; while it is not so, frames may come some at a time.
    var wantsPromptFrames: Bool { get }
    /// How the pictures are to be turned for people. Asked at each frame on which a clip can begin; where it has changed, a
    /// configuration of its own begins there.
    var rotation: PictureRotation { get }
    /// Whether what the camera's microphone hears is to be silence for everybody. Asked at each unit of sound.
    var isMuted: Bool { get }
    /// Until when the microphone was off that is on now; nil where it was not. Asked by inputs that hand over late.
    var mutedUntil: Instant? { get }
    /// Since when what is taken of this kind may be shown, and since when it may be recorded. What was taken before counts as having
    /// come before, however late it is handed over. Asked by inputs that hand over late.
    func allowedSince(_ kind: TrackKind) -> [Instant]
    /// A burst of time stamp repairs is over.
    func repaired(_ report: RepairReport)
    /// A burst of frames that packets are missing from is over.
    func damaged(_ report: DamageReport)
    /// Units of the track are left out, because clips cannot hold them; said once for each reason and dial.
    func refused(track: Int, why: String)
    /// The demo camera shows a figure that moves; `level` is the least sensitivity that notices it. Once a second while it moves.
    func moved(level: Sensitivity, at instant: Instant)
    /// The input is over and its resources are released; nothing comes after.
    func ended(_ end: InputEnd, counts: InputCounts)
}

extension InputSink {
    /// Unless a sink says otherwise, it wants what clips hold.
    public var wantsStoredSound: Bool { true }
    /// Unless a sink says otherwise, it wants frames as they come.
    public var wantsPromptFrames: Bool { true }
    /// Most cameras hang upright.
    public var rotation: PictureRotation { .none }
    /// A microphone is on unless somebody switched it off.
    public var isMuted: Bool { false }
    /// It was not.
    public var mutedUntil: Instant? { nil }
    /// It may be from the begin on.
    public func allowedSince(_ kind: TrackKind) -> [Instant] { [] }
    /// Who records needs none of it.
    public func noted(_ facts: DialFacts) {}
    /// Who is not asked for more takes the frames' own marks.
    public func damaged(_ report: DamageReport) {}
    /// What is left out is counted all the same.
    public func refused(track: Int, why: String) {}
    /// Most sources never call it.
    public func moved(level: Sensitivity, at instant: Instant) {}
}
