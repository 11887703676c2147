// The small values that events and orders are made of.
extension Session {
    /// Names one order that the world must answer; counts up for the life of the machine, so an answer to an older order is
    /// known as late.
    public struct OrderNumber: RawRepresentable, Hashable, Sendable, Codable {
        /// 1 for the first order.
        public let rawValue: UInt32

        /// The number `rawValue`.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The number `rawValue`.
        public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// Names one start of playback, with all the clips that play on from it.
    public struct StartNumber: RawRepresentable, Hashable, Sendable, Codable {
        /// 1 for the first start.
        public let rawValue: UInt32

        /// The number `rawValue`.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The number `rawValue`.
        public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// Names a day of the site's calendar; only compared.
    public struct Day: RawRepresentable, Hashable, Sendable, Codable {
        /// Days since 1 January 1970.
        public let rawValue: Int32

        /// The day `rawValue` days after 1 January 1970.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The day `rawValue` days after 1 January 1970.
        public init(_ rawValue: Int32) { self.rawValue = rawValue }
    }

    /// How fine the live picture is.
    public enum Definition: String, Hashable, Sendable, Codable, CaseIterable {
        /// The main stream.
        case hd
        /// The sub-stream.
        case sd
    }

    /// How far playback goes on by itself. A start that asks for nothing goes on to the first hole, and is `nil` wherever this
    /// is optional: so steps in traces of before mean what they meant.
    public enum Reach: String, Hashable, Sendable, Codable, CaseIterable {
        /// Over holes; only the end of the day finishes it.
        case overHoles
    }

    /// How fast clips are played; the raw value in hundredths.
    public enum Speed: Int, Hashable, Sendable, Codable, CaseIterable {
        case quarter = 25
        case half = 50
        case normal = 100
        case double = 200
        case fourfold = 400
        case eightfold = 800
        case sixteenfold = 1_600
    }

    /// Where playback begins. Times are wall-clock milliseconds since 1970, as the catalog maps them.
    public struct Position: Hashable, Sendable, Codable {
        /// The clip's id in the catalog.
        public let clip: Int64
        /// When the clip starts.
        public let startMs: Int64
        /// When it stops; the first moment that is no longer in it.
        public let stopMs: Int64
        /// The moment to be shown first.
        public let playTimeMs: Int64

        /// A position; it may lie outside of the clip, and is then refused.
        public init(clip: Int64, startMs: Int64, stopMs: Int64, playTimeMs: Int64) {
            self.clip = clip
            self.startMs = startMs
            self.stopMs = stopMs
            self.playTimeMs = playTimeMs
        }

        /// The moment lies in [start, stop).
        var isInside: Bool { startMs <= playTimeMs && playTimeMs < stopMs }
    }
}
