/// A device of ONVIF that was found, as `POST /v1/discover` tells it.
public struct FoundDevice: Hashable, Sendable, Codable {
    /// A stream of the device.
    public struct Stream: Hashable, Sendable, Codable {
        /// Its address, without a login.
        public var address: String
        /// `H264` or `H265`.
        public var encoding: String
        /// The width of its picture in pixels, where the device tells it.
        public var width: Int?
        /// The height of its picture in pixels, where the device tells it.
        public var height: Int?
        /// Frames a second at most, where the device tells them.
        public var frameRate: Double?
        /// Whether sound belongs to it.
        public var sound: Bool

        /// A stream.
        public init(
            address: String, encoding: String, width: Int?, height: Int?, frameRate: Double?, sound: Bool
        ) {
            (self.address, self.encoding, self.width, self.height) = (address, encoding, width, height)
            (self.frameRate, self.sound) = (frameRate, sound)
        }
    }

    /// One sensor or channel of the device.
    public struct Channel: Hashable, Sendable, Codable {
        /// A name that vigil.yaml takes and has not given away.
        public var name: String
        /// The stream with the largest picture.
        public var main: Stream
        /// The smaller one near 640 by 360; absent where the device has none.
        public var sub: Stream?

        /// A channel.
        public init(name: String, main: Stream, sub: Stream?) {
            (self.name, self.main, self.sub) = (name, main, sub)
        }
    }

    /// Why it does not tell its streams.
    public struct Problem: Hashable, Sendable, Codable {
        /// `unauthorized`, `unreachable`, `unsupported`, `refused` or `foreign`.
        public var kind: String
        /// What is wrong.
        public var why: String
        /// What to do about it.
        public var remedy: String

        /// A problem.
        public init(kind: String, why: String, remedy: String) {
            (self.kind, self.why, self.remedy) = (kind, why, remedy)
        }
    }

    /// The address of its own service.
    public var address: String
    /// What it calls itself; absent where it does not say.
    public var name: String?
    /// Its maker and model; absent where it does not say.
    public var model: String?
    /// Its channels.
    public var channels: [Channel]
    /// What is worth knowing, one sentence each.
    public var notes: [String]
    /// Cameras of vigil.yaml whose device or stream is at the same host.
    public var known: [String]
    /// Why it does not tell its streams; absent where it does.
    public var problem: Problem?

    /// A device.
    public init(
        address: String, name: String? = nil, model: String? = nil, channels: [Channel] = [], notes: [String] = [],
        known: [String] = [], problem: Problem? = nil
    ) {
        (self.address, self.name, self.model, self.channels) = (address, name, model, channels)
        (self.notes, self.known, self.problem) = (notes, known, problem)
    }
}
