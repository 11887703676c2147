/// A small grey picture: what the motion model looks at.
public struct LumaPlane: Hashable, Sendable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Brightness 0…255, row by row, `width * height` of them.
    var pixels: [UInt8]

    /// A plane; pixels that are missing are black, those too many are left out. Negative sizes count as 0.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = max(0, width)
        self.height = max(0, height)
        let count = self.width * self.height
        self.pixels =
            pixels.count == count
            ? pixels : Array(pixels.prefix(count)) + Array(repeating: 0, count: max(0, count - pixels.count))
    }

    /// By how much a picture of this size is made smaller, in both directions: the plane then has about `pixelsAim` pixels,
    /// whatever its shape. Pictures that are small already stay as they are.
    static func reduction(width: Int, height: Int, pixelsAim: Int = 64_000) -> Int {
        guard width > 0, height > 0, pixelsAim > 0 else { return 1 }
        return max(1, Int((Double(width) * Double(height) / Double(pixelsAim)).squareRoot().rounded()))
    }
}
