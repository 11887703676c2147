/// The part of a camera's picture that is shown: coded video is whole, and whoever shows it cuts it so. What Vigil decodes is cut
/// already.
public struct Viewport: Hashable, Sendable, Codable {
    /// Its left edge, in parts of the width of the picture as it is seen (turned, if it is turned).
    public var x1: Double
    /// Its upper edge, in parts of the height.
    public var y1: Double
    /// Its right edge.
    public var x2: Double
    /// Its lower edge.
    public var y2: Double

    /// The part between these edges.
    public init(x1: Double, y1: Double, x2: Double, y2: Double) {
        (self.x1, self.y1, self.x2, self.y2) = (x1, y1, x2, y2)
    }

    /// Reads the value of the setting `viewport`, `x1,y1,x2,y2`; nil for anything else.
    public init?(_ text: String) {
        let edges = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.edge)
        guard edges.count == 4, let x1 = edges[0], let y1 = edges[1], let x2 = edges[2], let y2 = edges[3],
            0 <= x1, x1 < x2, x2 <= 1, 0 <= y1, y1 < y2, y2 <= 1
        else { return nil }
        self.init(x1: x1, y1: y1, x2: x2, y2: y2)
    }

    /// The part that the value of a setting `viewport` shows; nil where it is the whole picture, or none.
    package static func part(_ text: String?) -> Viewport? {
        let part = text.flatMap { Viewport($0) }
        return part == Viewport(x1: 0, y1: 0, x2: 1, y2: 1) ? nil : part
    }

    /// A number in plain decimals, such as `1` or `0.25`; nil for anything else, also for what Swift reads beyond (`1e-1`, `0x1`, `.5`).
    private static func edge(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else { return nil }
        return Double(text)
    }
}

extension CameraState {
    /// The part of the picture that is shown; nil: the whole picture.
    public var viewport: Viewport? { Viewport.part(settings?["viewport"]) }
}
