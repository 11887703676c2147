internal import Journal
internal import Machines
internal import Trace

/// The records that are told before the fact that answers them: who writes a clip, and who reads a camera, tells the journal
/// first, then the machine.
struct FactLedger: Sendable {
    /// A fact that a record must have come before, and what was known of it.
    enum Fact {
        /// A clip is open. `last`: the id of the one before it, for ids rise; nil where that was not read.
        case opened(ClipNumber, Camera.ClipOrder?, start: Instant, Shortfall?, last: Int64?)
        /// A clip is closed. `id`: nil where its opening was not read. `whys`: why it was to end.
        case closed(ClipNumber, isComplete: Bool, id: String?, whys: [ClipEnd])
        /// A dial failed, or was lost.
        case failed(MessageKind, LinkFailure)

        /// The kinds of record that can tell it.
        fileprivate var kinds: Set<MessageKind> {
            switch self {
            case .opened: [.clipOpened]
            case .closed(_, let isComplete, _, _): isComplete ? [.clipClosed] : [.clipClosed, .clipIncomplete]
            case .failed(let kind, _): [kind]
            }
        }

        /// What it calls for, in the kind of the record that is there.
        func message(_ told: ToldRecord?) -> StepMessage {
            switch self {
            case .opened(_, let order?, let start, let shortfall, _):
                .clipOpened(order, start: start, shortfall: shortfall)
            // Whatever the record says.
            case .opened:
                StepMessage(
                    .clipOpened, with: Field.allCases.filter { $0 != .kind && told?.fields[$0.rawValue] != nil })
            case .closed(_, _, let id, _):
                told?.kind == .clipIncomplete ? .clipIncomplete(clip: id) : .clipClosed(clip: id, why: nil)
            case .failed(let kind, let why): .failed(kind, why)
            }
        }

        /// The reason must be one of those for which the clip was to end, and the id of a new clip a new one.
        func parts(of told: ToldRecord) -> [StatePart] {
            switch self {
            case .opened(_, _, _, _, let last?):
                let id = told.fields[Field.clip.rawValue]
                guard id.flatMap({ Int64($0) }).map({ $0 <= last }) ?? true else { return [] }
                return [StatePart(path: Field.clip.rawValue, recorded: id, replayed: "one above \(last)")]
            case .closed(_, _, _, let whys):
                guard told.kind == .clipClosed, !whys.isEmpty, let why = told.fields[Field.why.rawValue],
                    !whys.contains(where: { $0.rawValue == why })
                else { return [] }
                let words = whys.map(\.rawValue).joined(separator: " or ")
                return [StatePart(path: Field.why.rawValue, recorded: why, replayed: words)]
            case .opened, .failed: return []
            }
        }
    }

    private struct Clip {
        let number: ClipNumber
        var order: Camera.ClipOrder?
        var id: String?
        var whys: [ClipEnd] = []
    }

    /// The kinds of record that are told before a fact.
    static let kinds: Set<MessageKind> = [.clipOpened, .clipClosed, .clipIncomplete, .linkLost, .linkFailed]
    /// Records and clips that are kept.
    private static let keptMax = 32

    private var told: [ToldRecord] = []
    private var clips: [Clip] = []
    private var last: Int64?
    /// Kinds of which records may have been lost; until one of a kind is found, none of it is missed.
    private var forgotten: Set<MessageKind> = []

    /// Takes a record; gives the oldest where too many wait.
    mutating func take(_ record: ToldRecord) -> ToldRecord? {
        told.append(record)
        return told.count > Self.keptMax ? told.removeFirst() : nil
    }

    /// Records were lost, or not looked at.
    mutating func forget() {
        told = []
        forgotten = Self.kinds
    }

    /// Whether a record of the fact that is not there is missed.
    func misses(_ fact: Fact) -> Bool { forgotten.isDisjoint(with: fact.kinds) }

    /// What no fact has answered; where the run is over, none will.
    mutating func finish(isOver: Bool) -> [ToldRecord] {
        defer { told = [] }
        return isOver ? told : []
    }

    /// Takes note of a step; gives the fact that a record must have come before.
    mutating func note(_ event: Camera.Event, _ effects: [Camera.Effect]) -> Fact? {
        let fact = fact(event)
        for effect in effects {
            switch effect {
            case .openClip(let order): change(order.number) { $0.order = order }
            case .closeClip(let number, _, let why), .report(.clipEnded(let number, let why)):
                change(number) { if !$0.whys.contains(why) { $0.whys.append(why) } }
            default: break
            }
        }
        return fact
    }

    private mutating func fact(_ event: Camera.Event) -> Fact? {
        switch event {
        case .opened(let number, let start, let shortfall):
            let order = clips.last { $0.number == number }?.order
            return .opened(number, order, start: start, shortfall, last: last)
        case .closed(let number, let isComplete):
            let clip = clips.last { $0.number == number }
            clips.removeAll { $0.number == number }
            return .closed(number, isComplete: isComplete, id: clip?.id, whys: clip?.whys ?? [])
        case .lost(_, let why): return .failed(.linkLost, why)
        case .dialFailed(_, let why): return .failed(.linkFailed, why)
        default: return nil
        }
    }

    /// The record of a fact: the first that agrees, else the first of its kinds. What stands before it is not called for.
    mutating func find(_ fact: Fact, agrees: (ToldRecord) -> Bool) -> (found: ToldRecord?, before: [ToldRecord]) {
        let kinds = fact.kinds
        let candidates = told.indices.filter { told[$0].kind.map(kinds.contains) ?? false }
        guard let place = candidates.first(where: { agrees(told[$0]) }) ?? candidates.first else { return (nil, []) }
        forgotten.subtract(kinds)
        let before = candidates.prefix { $0 < place }
        let (found, left) = (told[place], before.map { told[$0] })
        for index in (before + [place]).reversed() { told.remove(at: index) }
        return (found, left)
    }

    /// The id of a clip that is open is known from then on.
    mutating func learn(_ record: ToldRecord, _ fact: Fact) {
        guard case .opened(let number, _, _, _, _) = fact, let id = record.fields[Field.clip.rawValue] else { return }
        change(number) { $0.id = id }
        last = Int64(id) ?? last
    }

    private mutating func change(_ number: ClipNumber, _ body: (inout Clip) -> Void) {
        if let index = clips.lastIndex(where: { $0.number == number }) { return body(&clips[index]) }
        var clip = Clip(number: number)
        body(&clip)
        clips.append(clip)
        if clips.count > Self.keptMax { clips.removeFirst() }
    }
}
