/// Who wants to see what a camera sends now.
public struct LiveRequest: Hashable, Sendable {
    /// Which sound.
    public enum Sound: String, Hashable, Sendable, CaseIterable {
        /// None.
        case none
        /// As clips hold it: AAC or Opus.
        case stored
    }

    /// The camera.
    public var camera: String
    /// The stream.
    public var stream: LiveStream
    /// Whether who asks has named the stream, and not only taken the one that is shown without a word.
    public var namesStream = false
    /// The sound.
    public var sound: Sound
    /// The session whose picture it is; nil: one of its own.
    public var session: String?
    /// Who asks.
    public var caller: Caller
    /// The login of the page by which it came, if it did.
    package var login: LoginID?
    /// Whether who asks may speak through the camera's loudspeaker: the right to operate.
    public var mayTalk = false

    /// A request.
    public init(
        camera: String, stream: LiveStream = .main, sound: Sound = .none, session: String? = nil, caller: Caller
    ) {
        self.camera = camera
        self.stream = stream
        self.sound = sound
        self.session = session
        self.caller = caller
    }
}

/// Where the fragments of live view end.
public enum LiveCut: String, Hashable, Sendable, CaseIterable {
    /// After each picture.
    case frame
    /// Before each picture at which decoding can begin.
    case group
}
