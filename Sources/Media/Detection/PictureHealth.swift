/// Whether the picture can be trusted: frozen, covered, moved. A pure value, fed with the same planes as the motion model.
struct PictureHealth: Sendable {
    /// How often it looks, in s: conditions last for seconds.
    static let interval = 1.0
    /// Nothing may change for this long before the picture is called frozen, in s.
    static let frozenSeconds = 30.0
    /// A change of more than this many grey levels anywhere shows that the picture lives.
    static let liveStep = 1
    /// A covered picture is told after, and taken back after, this long, in s.
    static let coveredSeconds = 3.0
    /// The least spread of brightness over the cells, and the least mean step between neighbours, of a picture that shows something.
    static let spreadMin = 4.0
    static let detailMin = 2.0
    /// A view is learnt from so many looks before one is compared with it.
    static let learningLooks = 10
    /// The cells in which two views differ most are left aside, this share of all: something that goes about in a plain room
    /// holds most of the picture's detail, where it is and where it was, but only a few cells.
    static let asideShare = 0.03
    /// Below this likeness with the view learnt for `movedSeconds` the camera was moved …
    static let likenessLost = 0.5
    static let movedSeconds = 8.0
    /// … and above this one it is back.
    static let likenessFound = 0.65
    /// A new view that stays this long is the view from then on, in s.
    static let acceptSeconds = 600.0
    /// Cells across and down of the thumbnail in which the view is remembered.
    static let columns = 24
    static let rows = 16

    private var last: LumaPlane?
    private var lastSeconds = 0.0
    private var stillSince = 0.0
    private var coverSince: Double?
    private var clearSince: Double?
    private var strangeSince: Double?
    private var view: [Double] = []
    private var viewAge = 0
    /// What holds now.
    private(set) var conditions: Set<PictureCondition> = []

    /// Looks at a picture; gives what began or ended.
    mutating func observe(_ plane: LumaPlane, at seconds: Double) -> [ConditionChange] {
        guard min(plane.width, plane.height) >= MotionModel.sideMin else { return [] }
        if last?.width != plane.width || last?.height != plane.height || seconds < lastSeconds {
            last = nil
            view = []
            viewAge = 0
            strangeSince = nil
        }
        guard last == nil || seconds - lastSeconds >= PictureHealth.interval - 0.05 else { return [] }
        lastSeconds = seconds
        let before = conditions
        freeze(plane, seconds)
        let (light, detail) = PictureHealth.thumbnail(plane)
        cover(light, detail, seconds)
        if !conditions.contains(.covered), coverSince == nil { look(detail.map { $0.squareRoot() }, seconds) }
        last = plane
        return PictureCondition.allCases.compactMap { condition in
            let holds = conditions.contains(condition)
            return holds == before.contains(condition) ? nil : ConditionChange(condition: condition, holds: holds)
        }
    }

    private mutating func freeze(_ plane: LumaPlane, _ seconds: Double) {
        let isStill = last.map { last in
            // Of bytes.
            zip(last.pixels, plane.pixels).allSatisfy { abs(Int($0) - Int($1)) <= PictureHealth.liveStep }
        }
        if isStill != true {
            stillSince = seconds
            conditions.remove(.frozen)
        } else if seconds - stillSince >= PictureHealth.frozenSeconds {
            conditions.insert(.frozen)
        }
    }

    private mutating func cover(_ cells: [Double], _ details: [Double], _ seconds: Double) {
        let mean = cells.reduce(0, +) / Double(cells.count)
        let spread = (cells.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(cells.count)).squareRoot()
        let detail = details.reduce(0, +) / Double(details.count)
        if spread < PictureHealth.spreadMin, detail < PictureHealth.detailMin {
            let since = coverSince ?? seconds
            coverSince = since
            clearSince = nil
            if seconds - since >= PictureHealth.coveredSeconds { conditions.insert(.covered) }
        } else {
            let since = clearSince ?? seconds
            clearSince = since
            coverSince = nil
            if seconds - since >= PictureHealth.coveredSeconds { conditions.remove(.covered) }
        }
    }

    private mutating func look(_ now: [Double], _ seconds: Double) {
        guard viewAge > 0 else {
            view = now
            viewAge = 1
            return
        }
        guard viewAge >= PictureHealth.learningLooks else { return learn(now) }
        let likeness = PictureHealth.likeness(view, now)
        if likeness < PictureHealth.likenessLost {
            let since = strangeSince ?? seconds
            strangeSince = since
            if seconds - since >= PictureHealth.movedSeconds { conditions.insert(.moved) }
        } else if likeness > PictureHealth.likenessFound {
            strangeSince = nil
            conditions.remove(.moved)
        }
        if let since = strangeSince, seconds - since >= PictureHealth.acceptSeconds {
            view = now
            viewAge = 1
            strangeSince = nil
            conditions.remove(.moved)
        }
        if strangeSince == nil { learn(now) }
    }

    /// Slowly, over some minutes, so that what passes by is no part of the view.
    private mutating func learn(_ now: [Double]) {
        viewAge = min(viewAge + 1, 1000)
        let share = 1 / Double(viewAge)
        for index in view.indices { view[index] += share * (now[index] - view[index]) }
    }

    /// The mean brightness of each cell, and the mean step between neighbouring pixels in it; every other row is looked at.
    static func thumbnail(_ plane: LumaPlane) -> (light: [Double], detail: [Double]) {
        var light = [Int](repeating: 0, count: columns * rows)
        var detail = light
        var counts = light
        let edges = (0...columns).map { $0 * (plane.width - 1) / columns }
        plane.pixels.withUnsafeBufferPointer { pixels in
            for y in stride(from: 0, to: plane.height - 1, by: 2) {
                let row = y * rows / plane.height * columns
                let start = y * plane.width
                for column in 0..<columns {
                    var (sum, steps): (Int32, Int32) = (0, 0)
                    for index in start + edges[column]..<start + edges[column + 1] {
                        // Bytes: no difference of two is the least number.
                        let value = Int32(pixels[index])
                        sum &+= value
                        let (right, below) = (pixels[index &+ 1], pixels[index &+ plane.width])
                        // Bytes, too.
                        steps &+= abs(value &- Int32(right)) &+ abs(value &- Int32(below))
                    }
                    light[row + column] += Int(sum)
                    detail[row + column] += Int(steps)
                    counts[row + column] += edges[column + 1] - edges[column]
                }
            }
        }
        func means(_ sums: [Int]) -> [Double] { zip(sums, counts).map { Double($0) / Double(max($1, 1)) } }
        return (means(light), means(detail))
    }

    /// The correlation of two views in the cells that differ least, -1…1; 1 where one of them is uniform.
    static func likeness(_ one: [Double], _ other: [Double]) -> Double {
        guard let (first, second) = normal(one, other) else { return 1 }
        let differences = zip(first, second).map { abs($0 - $1) }  // of Doubles
        let order = differences.indices.sorted { differences[$0] < differences[$1] }
        let kept = order.prefix(order.count - Int(asideShare * Double(order.count)))
        guard let (left, right) = normal(kept.map { one[$0] }, kept.map { other[$0] }) else { return 1 }
        return zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Both with mean 0 and length 1; nil where one of them is uniform.
    private static func normal(_ one: [Double], _ other: [Double]) -> (one: [Double], other: [Double])? {
        func normal(_ view: [Double]) -> [Double]? {
            let mean = view.reduce(0, +) / Double(max(view.count, 1))
            let length = view.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
            return length > 1e-6 ? view.map { ($0 - mean) / length } : nil
        }
        guard let one = normal(one), let other = normal(other) else { return nil }
        return (one, other)
    }
}
