internal import Glibc
internal import Journal
internal import Trace
internal import Wire

/// One change of what is recorded, as the journal holds it.
struct RecordedChange: Encodable {
    /// The kinds of record that tell one.
    static let kinds: Set<MessageKind> = [
        .configurationLoaded, .configurationRefused, .policyRevised, .policyChanged, .recordingEnabled,
        .recordingDisabled, .privacyOn, .privacyOff,
    ]

    /// When.
    let time: WallTime
    /// The kind of record.
    let kind: String
    /// The camera that it concerns.
    let camera: String?
    /// The policy that it concerns.
    let policy: String?
    /// What was before.
    let from: String?
    /// What is now.
    let to: String?
    /// The revision of policy or configuration.
    let revision: String?
    /// The file that changed.
    let path: String?
    /// Who asked for it: user and process; absent where nobody did over the socket.
    let user: String?
    /// Why, where nobody asked: a changed file, SIGHUP, the start.
    let why: String?
    /// What is wrong, of a configuration that was refused.
    let detail: String?
    /// The change of a policy's text, as a unified diff.
    let difference: String?

    private let words: String

    private enum CodingKeys: String, CodingKey {
        case time, kind, camera, policy, from, to, revision, path, user, why, detail, difference
    }

    init(_ record: MessageReader.Record) {
        let fields = record.fields
        time = WallTime(ms: record.wallMs)
        kind = record.kind.name
        camera = fields[.camera]
        policy = fields[.policy] ?? (record.kind == .policyChanged ? fields[.to] : nil)
        from = fields[.from]
        to = fields[.to]
        revision = fields[.revision]
        path = fields[.path]
        user = fields[.user].flatMap { $0.isEmpty ? nil : $0 }
        why = fields[.why]
        detail = fields[.detail]
        difference = fields[.difference]
        words = Self.words(record)
    }

    /// Whether it is about the policy or camera of this name.
    func concerns(_ name: String) -> Bool {
        camera == name || policy == name
            || (kind == MessageKind.policyChanged.name && from?.hasPrefix(name + " ") == true)
    }

    /// As people read it: a line, and the difference below where it is asked for.
    func lines(_ clock: DisplayClock, differences: Bool) -> [String] {
        let who = user.map { "by \(Self.named($0))" } ?? why.map { "because of \($0)" }
        let head = "\(clock.show(time))  \(words)" + (who.map { ", \($0)" } ?? "")
        guard differences else { return [head] }
        // The first two lines of a difference name the file and its revisions, which the head does.
        let changed = (difference ?? "").split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
        return [head] + changed.filter { !$0.isEmpty }.map { "    \($0)" }
    }

    private static func words(_ record: MessageReader.Record) -> String {
        let fields = record.fields
        func field(_ field: Field) -> String { fields[field] ?? "" }
        let camera = "camera \(field(.camera))"
        switch record.kind {
        case .configurationLoaded: return "configuration \(field(.path)) in force, revision \(field(.revision))"
        case .configurationRefused: return "configuration refused: \(field(.detail))"
        case .policyRevised:
            if field(.from) == "none" { return "policy \(field(.policy)) added, revision \(field(.to))" }
            if field(.to) == "none" { return "policy \(field(.policy)) removed, revision \(field(.from))" }
            return "policy \(field(.policy)) revised, \(field(.from)) to \(field(.to))"
        case .policyChanged:
            if field(.to) == "none" { return "\(camera) removed, followed policy \(field(.from))" }
            let before = field(.from) == "none" ? "" : ", before \(field(.from))"
            return "\(camera) follows policy \(field(.to)) \(field(.revision))\(before)"
        case .recordingEnabled: return "\(camera): recording enabled"
        case .recordingDisabled: return "\(camera): recording disabled"
        case .privacyOn: return "\(camera): privacy on (\(field(.to)))"
        case .privacyOff: return "\(camera): privacy off"
        default: return record.kind.text
        }
    }

    /// `uid 1000, pid 47` with the name that this machine knows: `anna (uid 1000, pid 47)`.
    private static func named(_ user: String) -> String {
        guard let match = user.firstMatch(of: /^uid ([0-9]+),/), let uid = UInt32(match.1), let entry = getpwuid(uid)
        else { return user }
        return "\(String(cString: entry.pointee.pw_name)) (\(user))"
    }
}
