import Machines

/// Who takes what a stream gives, on the thread of its dial. No call may block: the camera is not read meanwhile.
public protocol StreamConsumer: AnyObject, Sendable {
    /// A dial answered. The frames that follow are of a timeline of their own.
    func began(_ dial: StreamDial)
    /// A frame, in decoding order per track.
    func frame(_ frame: Frame)
    /// The connection is over; nothing comes until the next `began`. May come on another thread than the frames.
    func lost()
}

/// One dial of a stream, as its consumers see it.
public struct StreamDial: Hashable, Sendable {
    /// Number of the dial in its stream, from 1.
    public let number: UInt64
    /// Whose dial it is: each stream counts its own.
    private let stream: ObjectIdentifier?
    /// The tracks of which frames come. Their parameters are what is known at this moment, or nil before the first frame; a
    /// frame's own configuration is what counts.
    public internal(set) var tracks: [StreamDescription]

    /// Dial `number` with the tracks that are used of those that the source offers.
    init(number: UInt64, of stream: ObjectIdentifier? = nil, streams: [StreamDescription]) {
        self.number = number
        self.stream = stream
        tracks = streams.filter { $0.ignored == nil }
    }

    /// Whether it is the same dial of the same stream, whatever is known of its tracks by now.
    public func isSame(_ other: StreamDial) -> Bool { number == other.number && stream == other.stream }

    /// Whether there is video, so that its key frames are where a consumer can begin.
    public var hasVideo: Bool { tracks.contains { $0.kind == .video } }

    /// The same without tracks of which no frame is wanted.
    func without(_ ordinals: [Int]) -> StreamDial {
        var dial = self
        dial.tracks.removeAll { ordinals.contains($0.ordinal) }
        return dial
    }

    /// The sound of which Opus is made for viewers: the first that the camera sends; nil where that is Opus, or there is none.
    var opusSource: StreamDescription? {
        let source = tracks.first { $0.kind == .audio && $0.madeFrom == nil }
        return source?.parameters?.codec == .opus ? nil : source
    }

    /// The track of Opus that is made of it: no other one has this ordinal.
    var opusOrdinal: Int { tracks.reduce(-1) { max($0, $1.ordinal) } + 1 }

    /// The same with the track of Opus that is made, as viewers see it; without where libav lacks the encoder.
    var withOpus: StreamDial {
        guard OpusTranscoder.isAvailable, let source = opusSource else { return self }
        var dial = self
        dial.tracks.append(
            StreamDescription(
                ordinal: opusOrdinal, kind: .audio, sourceCodec: source.sourceCodec,
                parameters: OpusTranscoder.parameters(of: source.parameters), ignored: nil, madeFrom: source.ordinal))
        return dial
    }

    /// Notes what a frame says of its track.
    mutating func learn(_ frame: Frame) {
        guard let index = tracks.firstIndex(where: { $0.ordinal == frame.track }) else { return }
        tracks[index].parameters = frame.configuration.parameters
    }
}

/// Which form of a camera's sound a viewer wants.
public enum SoundForm: String, Hashable, Sendable, CaseIterable {
    /// None.
    case none
    /// As the camera sends it.
    case original
    /// As clips hold it: AAC or Opus, made from the camera's where that is neither.
    case stored
    /// As Opus, which every end of WebRTC takes: the camera's own, else made from what it sends.
    case opus
}

/// Why a viewer gets nothing more.
public enum StreamEnd: String, Hashable, Sendable, CaseIterable {
    /// Live or hard privacy covers the picture.
    case privacy
    /// The daemon shuts down, or the camera was taken out of the configuration.
    case draining
    /// The configuration has no such stream any more.
    case removed
    /// It took frames too slowly, again and again.
    case slow
    /// The time of its session was over.
    case expired
    /// It left by itself.
    case left
}

/// Why a viewer is not taken.
public enum StreamRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stream may be shown to nobody.
    case hidden(StreamEnd)
    /// The camera has no such stream.
    case absent
    /// The stream has as many viewers as it may have.
    case full

    /// Why, and what to do.
    public var description: String {
        switch self {
        case .hidden(.privacy): "Live or hard privacy covers the camera; switch it off to look."
        case .hidden: "The camera is being shut down."
        case .absent: "The camera has no sub-stream; configure sub, or look at the main stream."
        case .full: "The stream has \(CameraStream.viewersMax) viewers, which is the most; try again when one has left."
        }
    }
}

/// What a viewer gets, in the order of docs/design/streams.md.
public enum StreamItem: Sendable {
    /// A dial began; the frames that follow begin with a key frame.
    case began(StreamDial)
    /// So many frames were left out because the viewer was slow; the next one is a key frame.
    case skipped(Int)
    /// A frame.
    case frame(Frame)
    /// The connection is over; `began` follows when the camera is back. Told again to who wants to be reminded.
    case lost
    /// Nothing follows.
    case ended(StreamEnd)
}
