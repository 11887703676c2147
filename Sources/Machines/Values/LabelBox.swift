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

    /// A rectangle; what does not lie in the picture is not `isInside`.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// How far it may stand out of the picture: what rounding makes of its parts.
    private static let tolerance = 0.000_001

    /// Whether it has a size and lies in the picture. False where a number is none.
    public var isInside: Bool {
        x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 1 + Self.tolerance
            && y + height <= 1 + Self.tolerance
    }
}
