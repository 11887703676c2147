/// The part of a picture that is shown, in ten thousandths of its width and height as people see it: turned, if it is turned. Media
/// is never coded anew for it; what Vigil decodes itself is cut then.
public struct PictureViewport: Hashable, Sendable {
    /// How many parts a side has.
    public static let parts = 10_000
    /// The whole picture.
    public static let whole = PictureViewport(left: 0, top: 0, right: parts, bottom: parts)

    /// Its edges, from the left and from the top; each smaller than the opposite one.
    private let left, top, right, bottom: Int

    /// The part between these edges. What lies outside of the picture is cut off; where nothing is left it is the whole picture.
    public init(left: Int, top: Int, right: Int, bottom: Int) {
        func inside(_ edge: Int) -> Int { min(Self.parts, max(0, edge)) }
        let (left, top, right, bottom) = (inside(left), inside(top), inside(right), inside(bottom))
        let isEmpty = left >= right || top >= bottom
        (self.left, self.right) = isEmpty ? (0, Self.parts) : (left, right)
        (self.top, self.bottom) = isEmpty ? (0, Self.parts) : (top, bottom)
    }

    /// Where it lies in a picture of that size which is to be turned by `rotation`: in pixels as the camera sends them, with even
    /// edges but those of the picture, because colours have a half of the size.
    func pixels(width: Int, height: Int, rotation: PictureRotation) -> Region {
        let isTurned = rotation == .half
        let across = Self.span(
            isTurned ? Self.parts - right : left, isTurned ? Self.parts - left : right, of: width)
        let down = Self.span(
            isTurned ? Self.parts - bottom : top, isTurned ? Self.parts - top : bottom, of: height)
        return Region(x: across.from, y: down.from, width: across.count, height: down.count)
    }

    /// A part of a picture in pixels.
    struct Region: Hashable {
        let x, y, width, height: Int
    }

    private static func span(_ from: Int, _ to: Int, of size: Int) -> (from: Int, count: Int) {
        let first = from * size / parts / 2 * 2
        let last = to == parts ? size : min(size, max(first + 2, (to * size + parts - 1) / parts / 2 * 2))
        return (first, last - first)
    }
}
