internal import Journal
internal import Trace

/// The records that a step calls for and those that are there, laid side by side.
struct ReportAlignment {
    /// One that is called for and one that is there; nil where the other has no counterpart.
    struct Pair {
        let wanted: StepMessage?
        let told: ToldRecord?
        /// They agree, but stand in another order.
        var isMoved = false
    }

    /// Those that agree, in their order.
    private(set) var agreeing: [(wanted: StepMessage, told: ToldRecord)] = []
    /// What does not.
    private(set) var differing: [Pair] = []

    /// The most of either side, between a begin and an end that agree, that are laid side by side; of more, each stands alone.
    private static let coreMax = 64

    /// Lays side by side what is between a begin and an end that agree.
    init(_ wanted: [StepMessage], _ told: [ToldRecord], agree: (StepMessage, ToldRecord) -> Bool) {
        let shorter = min(wanted.count, told.count)
        let begin = (0..<shorter).first { !agree(wanted[$0], told[$0]) } ?? shorter
        let length = shorter - begin
        let end =
            (0..<length).first { !agree(wanted[wanted.count - 1 - $0], told[told.count - 1 - $0]) } ?? length
        agreeing = (0..<begin).map { (wanted[$0], told[$0]) }
        let left = wanted[begin..<(wanted.count - end)]
        let right = told[begin..<(told.count - end)]
        pair(Array(left.prefix(Self.coreMax)), Array(right.prefix(Self.coreMax)), agree: agree)
        differing += left.dropFirst(Self.coreMax).map { Pair(wanted: $0, told: nil) }
        differing += right.dropFirst(Self.coreMax).map { Pair(wanted: nil, told: $0) }
        agreeing += (0..<end).reversed().map { (wanted[wanted.count - 1 - $0], told[told.count - 1 - $0]) }
    }

    /// Pairs what agrees in its order, then what agrees at all, then what is of the same kind, then what is left.
    private mutating func pair(
        _ wanted: [StepMessage], _ told: [ToldRecord], agree: (StepMessage, ToldRecord) -> Bool
    ) {
        var (left, right) = Self.split(wanted, told, agree: agree)
        for (first, second) in left.agreeing { agreeing.append((wanted[first], told[second])) }
        func pair(isMoved: Bool, _ fits: (StepMessage, ToldRecord) -> Bool) {
            left.unpaired.removeAll { index in
                guard let place = right.firstIndex(where: { fits(wanted[index], told[$0]) }) else { return false }
                differing.append(Pair(wanted: wanted[index], told: told[right.remove(at: place)], isMoved: isMoved))
                return true
            }
        }
        pair(isMoved: true, agree)
        pair(isMoved: false) { $1.kind == $0.kind }
        pair(isMoved: false) { !$1.mayBeOfOthers }
        differing += left.unpaired.map { Pair(wanted: wanted[$0], told: nil) }
        differing += right.map { Pair(wanted: nil, told: told[$0]) }
    }

    /// The longest run of pairs that agree in order, and what is left of both sides.
    private static func split(
        _ wanted: [StepMessage], _ told: [ToldRecord], agree: (StepMessage, ToldRecord) -> Bool
    ) -> (left: (agreeing: [(Int, Int)], unpaired: [Int]), right: [Int]) {
        let width = told.count + 1
        var lengths = [Int](repeating: 0, count: (wanted.count + 1) * width)
        let fits = wanted.map { one in told.map { agree(one, $0) } }
        for row in wanted.indices.reversed() {
            for column in told.indices.reversed() {
                lengths[row * width + column] =
                    fits[row][column]
                    ? lengths[(row + 1) * width + column + 1] + 1
                    : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
            }
        }
        var (row, column) = (0, 0)
        var (agreeing, left, right): ([(Int, Int)], [Int], [Int]) = ([], [], [])
        while row < wanted.count, column < told.count {
            if fits[row][column] {
                agreeing.append((row, column))
                (row, column) = (row + 1, column + 1)
            } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
                left.append(row)
                row += 1
            } else {
                right.append(column)
                column += 1
            }
        }
        return ((agreeing, left + Array(row..<wanted.count)), right + Array(column..<told.count))
    }
}

extension ToldRecord {
    /// Its kind by MESSAGE_ID, else by VIGIL_KIND.
    var kind: MessageKind? {
        fields["MESSAGE_ID"].flatMap(MessageKind.init(rawValue:))
            ?? MessageKind.ofCameraSteps.first { $0.name == fields[Field.kind.rawValue] }
    }

    /// Others than the machine of the camera may have told it.
    var mayBeOfOthers: Bool { kind?.mayBeOfOthers(fields) ?? false }
}

extension StepMessage {
    /// The fields in which a record is not this one; none where it is. `isSameVersion`: the words must be those of this
    /// version, too.
    func parts(of told: ToldRecord, isSameVersion: Bool) -> [StatePart] {
        var parts: [StatePart] = []
        var wanted: [String: String?] = ["MESSAGE_ID": kind.id, Field.kind.rawValue: kind.name]
        for (field, value) in fields { wanted[field.rawValue] = .some(value) }
        for (name, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let recorded = told.fields[name]
            guard recorded == nil || value.map({ $0 != recorded }) ?? false else { continue }
            parts.append(StatePart(path: name, recorded: recorded, replayed: value ?? "some value"))
        }
        let free = Set(optional.map(\.rawValue)).union(["MESSAGE"])
        for (name, value) in told.fields.sorted(by: { $0.key < $1.key })
        where wanted[name] == nil && !free.contains(name) {
            parts.append(StatePart(path: name, recorded: value, replayed: nil))
        }
        if let repeated = told.repeated {
            parts.append(StatePart(path: repeated, recorded: "twice", replayed: "once"))
        }
        guard parts.isEmpty, isSameVersion else { return parts }
        let values = Field.allCases.compactMap { field in told.fields[field.rawValue].map { (field, $0) } }
        let message = kind.message(camera: told.camera, fields: values)
        if told.fields["MESSAGE"] != message {
            parts.append(StatePart(path: "MESSAGE", recorded: told.fields["MESSAGE"], replayed: message))
        }
        return parts
    }
}
