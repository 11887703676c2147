/// Why something that was pushed is not taken.
public struct PushRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault it is; each has a status of HTTP.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It is no CMAF, or breaks it (400).
        case malformed
        /// The login is wrong (401).
        case unauthenticated
        /// Somebody else pushes, or something later was taken before (409).
        case conflict
        /// A fragment without the header of its track (412).
        case headerMissing
        /// It is larger than a bound (413).
        case tooLarge
        /// It is nothing that is recorded (415).
        case unsupported
        /// As much as may wait waits (503).
        case busy
    }

    /// The kind.
    public let kind: Kind
    /// What is wrong.
    public let why: String
    /// What the operator of the pusher can do.
    public let remedy: String

    /// A refusal.
    public init(_ kind: Kind, _ why: String, _ remedy: String) {
        (self.kind, self.why, self.remedy) = (kind, why, remedy)
    }

    /// Cause and remedy.
    public var description: String { "\(why): \(remedy)" }
}

extension PushRefusal {
    static func broken(_ why: String) -> PushRefusal {
        PushRefusal(.malformed, why, "push CMAF: fragmented MP4 with one moof before each mdat")
    }

    static func large(_ what: String, most: Int) -> PushRefusal {
        PushRefusal(
            .tooLarge, "\(what) is larger than \(most) bytes", "push shorter fragments, or cut them into chunks")
    }
}
