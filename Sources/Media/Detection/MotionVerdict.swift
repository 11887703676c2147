import Machines

/// What a field means under zones and masks: levels, zones, regions.
struct MotionVerdict {
    private(set) var score = 0.0
    private(set) var zonesByLevel: [Zones]
    private(set) var regions: [MotionRegion] = []

    /// The least sensitivity that notices anything.
    var level: Sensitivity? {
        zip(Sensitivity.allCases, zonesByLevel).first { $1.inside != 0 || $1.outside }?.0
    }

    init(_ field: MotionField, zones: CellZones, parameters: MotionParameters) {
        let thresholds = [parameters.lowThreshold, parameters.mediumThreshold, parameters.highThreshold]
        zonesByLevel = Array(repeating: Zones(inside: 0, outside: false), count: thresholds.count)
        for (index, cell) in zones.cells.enumerated() where index < field.evidence.count {
            let evidence = Double(field.evidence[index])
            guard let cell, evidence > 0 else { continue }
            score = max(score, evidence)
            for (order, threshold) in thresholds.enumerated() where evidence >= threshold {
                zonesByLevel[order].inside |= cell.inside
                if cell.outside { zonesByLevel[order].outside = true }
            }
        }
        guard score >= parameters.highThreshold else { return }
        regions = MotionVerdict.regions(field, zones, thresholds)
    }

    /// Groups of neighbouring cells that at least the highest sensitivity notices.
    private static func regions(_ field: MotionField, _ zones: CellZones, _ thresholds: [Double]) -> [MotionRegion] {
        let (columns, rows) = (field.columns, field.rows)
        let least = Float(thresholds.last ?? .infinity)
        var isOpen = field.evidence.indices.map { field.evidence[$0] >= least && zones.cells[$0] != nil }
        var found: [MotionRegion] = []
        for seed in isOpen.indices where isOpen[seed] {
            var (left, right, top, bottom) = (columns, 0, rows, 0)
            var most: Float = 0
            var waiting = [seed]
            isOpen[seed] = false
            while let cell = waiting.popLast() {
                let (column, row) = (cell % columns, cell / columns)
                (left, right) = (min(left, column), max(right, column))
                (top, bottom) = (min(top, row), max(bottom, row))
                most = max(most, field.evidence[cell])
                for y in max(0, row - 1)...min(rows - 1, row + 1) {
                    for x in max(0, column - 1)...min(columns - 1, column + 1) where isOpen[y * columns + x] {
                        isOpen[y * columns + x] = false
                        waiting.append(y * columns + x)
                    }
                }
            }
            let level = zip(Sensitivity.allCases, thresholds).first { Double(most) >= $1 }?.0 ?? .high
            let box = PictureBox(
                x: Double(left) * field.cellWidth, y: Double(top) * field.cellHeight,
                width: Double(right - left + 1) * field.cellWidth, height: Double(bottom - top + 1) * field.cellHeight)
            found.append(MotionRegion(box: box, level: level, score: Double(most)))
        }
        found.sort { ($0.score, $0.box.width * $0.box.height) > ($1.score, $1.box.width * $1.box.height) }
        return Array(found.prefix(MotionObservation.regionsMax))
    }
}
