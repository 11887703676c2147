internal import Journal
internal import Machines

/// Which problems hold, and which receivers were told of them. Reads no clock and does nothing else.
///
/// A problem is a record of the journal that is a warning or worse and holds until another kind ends it (`MessageKind.ends`). It is told
/// once to each receiver whose bound of time it passes, and its end to those that were told.
struct ProblemWatch: Sendable {
    /// The most problems that are watched; of more none is told.
    static let most = 1_000

    /// A problem that is told, or that is over.
    struct News: Hashable, Sendable {
        /// What names it for its receiver, the same each time that it is sent: 16 hexadecimal digits.
        let id: String
        let receiver: String
        let isOver: Bool
        let camera: String?
        let problem: String
        let words: String
    }

    private struct Name: Hashable, Sendable {
        let kind: MessageKind
        let camera: String?
        let subject: String?
    }

    private struct Held: Sendable {
        let since: Instant
        var words: String
        var told: Set<String> = []
    }

    private var held: [Name: Held] = [:]
    /// Ends that are to be told.
    private var ended: [News] = []

    /// How many hold.
    var count: Int { held.count }

    /// Takes a record of the journal.
    mutating func note(_ told: ToldMessage, at now: Instant) {
        let subject = told.kind.subject.flatMap { told[$0] }
        for kind in told.kind.ends {
            for (name, problem) in held
            where name.kind == kind && name.camera == told.camera && (subject == nil || name.subject == subject) {
                held[name] = nil
                guard ended.count < Self.most else { continue }
                ended += problem.told.sorted().map { news(name, problem, $0, isOver: true) }
            }
        }
        guard told.kind.holds, told.priority <= .warning else { return }
        let name = Name(kind: told.kind, camera: told.camera, subject: subject)
        if held[name] != nil {
            held[name]?.words = told.text
        } else if held.count < Self.most {
            held[name] = Held(since: now, words: told.text)
        }
    }

    /// What is to be told by now, each once.
    ///
    /// - Parameter bounds: the receivers that hear of problems, with how long one must hold, in milliseconds.
    mutating func due(_ bounds: [String: Int64], at now: Instant) -> [News] {
        var due = ended.filter { bounds[$0.receiver] != nil }
        ended = []
        for (name, problem) in held.sorted(by: { $0.value.since < $1.value.since }) {
            for (receiver, bound) in bounds.sorted(by: { $0.key < $1.key })
            where !problem.told.contains(receiver) && now - problem.since >= bound {
                // Who cannot be told is not told that.
                if name.kind == .receiverFailing, name.subject == receiver { continue }
                held[name]?.told.insert(receiver)
                due.append(news(name, problem, receiver, isOver: false))
            }
        }
        return due
    }

    private func news(_ name: Name, _ problem: Held, _ receiver: String, isOver: Bool) -> News {
        News(
            id: Sessions.newID(), receiver: receiver, isOver: isOver, camera: name.camera, problem: name.kind.name,
            words: problem.words)
    }
}
