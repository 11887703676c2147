/// How somebody wants a picture.
public struct PictureWish: Hashable, Sendable {
    /// How wide it is at most, 16…3840 pixels; nil where nothing is said.
    public var width: Int?
    /// Whether it is the whole picture; else it is the part that is shown of the camera.
    public var isWhole: Bool

    /// A wish.
    public init(width: Int? = nil, isWhole: Bool = false) { (self.width, self.isWhole) = (width, isWhole) }
}

extension Query {
    /// How a picture is wanted: `width` and `whole`.
    func picture() throws(SiteError) -> PictureWish {
        PictureWish(width: try width("width"), isWhole: try flag("whole"))
    }
}
