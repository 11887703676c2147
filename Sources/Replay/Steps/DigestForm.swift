/// Which of a step's orders its digest covers. A run of the daemon has one form from its first step to its last.
enum DigestForm: CaseIterable, Sendable {
    /// All of them.
    case all
    /// Those of before events, notes and labels were orders of their own: what they order was then done by whoever heard the
    /// reports of them. The machine is the same, so a trace of that time is replayed as strictly as one of today.
    case withoutEntries

    /// What a digest of this form covers of `effects`.
    func covered<Machine: ReplayedMachine>(_ effects: [Machine.Effect], of machine: Machine.Type) -> [Machine.Effect] {
        switch self {
        case .all: effects
        case .withoutEntries: effects.filter { !Machine.isEntry($0) }
        }
    }
}
