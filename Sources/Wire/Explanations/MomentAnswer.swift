/// What a camera's machine was doing at a moment, and what led there.
public struct MomentAnswer: Hashable, Sendable, Codable {
    /// One part of the machine.
    public struct Fact: Hashable, Sendable, Codable {
        /// Which part, such as `link`.
        public var part: String
        /// What it did.
        public var words: String
        /// Since when; absent where that is not known.
        public var since: WallTime?
        /// What made it so; absent where that is not known.
        public var cause: String?

        /// A fact.
        public init(part: String, words: String, since: WallTime?, cause: String?) {
            self.part = part
            self.words = words
            self.since = since
            self.cause = cause
        }
    }

    /// The camera's name.
    public var camera: String
    /// The moment.
    public var time: WallTime
    /// The run of the daemon, 32 hexadecimal digits; absent where no step was read before the moment.
    public var run: String?
    /// The number of the last step before the moment.
    public var step: UInt64?
    /// When that was.
    public var stepTime: WallTime?
    /// The machine part by part; empty where its state is not known.
    public var facts: [Fact]
    /// The same for people, one line each.
    public var account: [String]

    /// A moment.
    public init(
        camera: String, time: WallTime, run: String?, step: UInt64?, stepTime: WallTime?, facts: [Fact],
        account: [String]
    ) {
        self.camera = camera
        self.time = time
        self.run = run
        self.step = step
        self.stepTime = stepTime
        self.facts = facts
        self.account = account
    }
}
