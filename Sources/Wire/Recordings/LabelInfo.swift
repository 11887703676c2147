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
    /// The most bytes of a name.
    public static let nameBytesMax = 32
    /// The most names that one event keeps.
    public static let ofEventMax = 16

    /// Whether a text can be a name: 1…32 letters of ASCII, digits, `-` and `_`.
    public static func isName(_ text: String) -> Bool {
        (1...nameBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
