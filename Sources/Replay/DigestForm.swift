internal import Machines

/// Which of a step's orders its digest covers. A run of the daemon has one form from its first step to its last.
enum DigestForm: CaseIterable, Sendable {
    /// All of them.
    case all
    /// Those of before events, notes and labels were orders of their own: what they order was then done by whoever heard the
    /// reports of them. The machine is the same, so a trace of that time is replayed as strictly as one of today.
    case withoutEntries

    /// What a digest of this form covers of `effects`.
    func covered(_ effects: [Camera.Effect]) -> [Camera.Effect] {
        switch self {
        case .all: effects
        case .withoutEntries: effects.filter { !$0.isEntry }
        }
    }
}

extension Camera.Effect {
    fileprivate var isEntry: Bool {
        switch self {
        case .beginEvent, .endEvent, .noteDetection, .noteSuppressed, .label: true
        case .dial, .hangUp, .keepMedia, .openClip, .closeClip, .report, .ignored, .stopped: false
        }
    }
}
