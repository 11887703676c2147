/// What one observation says about each cell of the picture.
public struct MotionField: Hashable, Sendable {
    /// Cells in a row.
    let columns: Int
    /// Rows of cells.
    let rows: Int
    /// Width of a cell as a share of the picture's.
    let cellWidth: Double
    /// Height of a cell as a share of the picture's.
    let cellHeight: Double
    /// The evidence for motion that the tracks in each cell have gathered, row by row; 0 is none.
    var evidence: [Float]
    /// The share of cells that differ from what is usual there in this observation, 0…1.
    public internal(set) var movingShare = 0.0
    /// By how much the whole picture was displaced, in pixels of the plane.
    var shake = (x: 0, y: 0)
    /// The scene as a whole has changed: no verdict, learning begins anew.
    var isNewScene = false
    /// Whether there is a verdict at all; false while learning.
    var isSettled = false

    /// A field without motion.
    init(columns: Int, rows: Int, cellWidth: Double, cellHeight: Double) {
        self.columns = columns
        self.rows = rows
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
        evidence = Array(repeating: 0, count: columns * rows)
    }

    /// Compares everything but the order of nothing: fields are equal when all their values are.
    public static func == (lhs: MotionField, rhs: MotionField) -> Bool {
        lhs.columns == rhs.columns && lhs.rows == rhs.rows && lhs.evidence == rhs.evidence
            && lhs.movingShare == rhs.movingShare && lhs.shake == rhs.shake && lhs.isNewScene == rhs.isNewScene
            && lhs.isSettled == rhs.isSettled
    }

    /// By what equality compares, as far as it distinguishes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns)
        hasher.combine(evidence)
    }
}
