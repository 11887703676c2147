public import Machines

/// What a program recognised during an event, as `GET /v1/events` tells it: the first time that it said so.
public struct LabelInfo: Hashable, Sendable, Codable {
    /// What it is, such as `person`.
    public var name: String
    /// Wall time at which it was told.
    public var at: WallTime
    /// Where it was in the picture; null where nobody said.
    public var box: LabelBox?

    /// One label.
    public init(name: String, at: WallTime, box: LabelBox? = nil) {
        self.name = name
        self.at = at
        self.box = box
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(at, forKey: .at)
        try container.encode(box, forKey: .box)
    }
}

extension LabelInfo {
    /// The most names that one event keeps.
    public static let ofEventMax = 16
}
