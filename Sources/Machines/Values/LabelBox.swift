/// Where in a picture something was recognised, as parts of its width and height: 0 is the left or upper edge, 1 the right or lower one.
public struct LabelBox: Hashable, Sendable, Codable {
    /// The left edge, 0…1 of the picture's width.
    public var x: Double
    /// The upper edge, 0…1 of the picture's height.
    public var y: Double
    /// How wide it is, more than 0 and at most 1 of the picture's width.
    public var width: Double
    /// How high it is, more than 0 and at most 1 of the picture's height.
    public var height: Double

    /// A rectangle; what does not lie in the picture is not `isInside`. A right or lower edge that stands out of it by no more than
    /// what rounding makes of the parts is put on its edge.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y) = (x, y)
        self.width = Self.cut(width, room: 1 - x)
        self.height = Self.cut(height, room: 1 - y)
    }

    /// Reads what `encode(to:)` writes, as `init` takes it.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            x: try values.decode(Double.self, forKey: .x), y: try values.decode(Double.self, forKey: .y),
            width: try values.decode(Double.self, forKey: .width),
            height: try values.decode(Double.self, forKey: .height))
    }

    /// How far an edge may stand out of the picture: what rounding makes of its parts.
    private static let tolerance = 0.000_001

    private static func cut(_ length: Double, room: Double) -> Double {
        room > 0 && length > room && length <= room + tolerance ? room : length
    }

    /// Whether it has a size and lies in the picture. False where a number is none.
    public var isInside: Bool {
        x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 1 && y + height <= 1
    }
}
