internal import Machines

/// One step as the properties look at it. In the first states a recording is owed: it is taken off here, so that `before` is what the
/// event met.
struct TransportStep {
    let before: PushTransport
    let event: TransportWorld.Event
    let effects: [PushTransport.Effect]
    let after: PushTransport
    /// A recording was owed and was not begun before everything else.
    let missesFirst: Bool

    init(_ source: PushTransport, _ label: TransportWorld.Action, _ target: PushTransport) {
        event = label.event
        after = target
        guard source.mayRecord, source.recording == nil else {
            (before, effects, missesFirst) = (source, label.effects, false)
            return
        }
        var begun = source
        begun.recordings = 1
        begun.recording = RecordingNumber(rawValue: 1)
        before = begun
        var isBegun = false
        if case .begin = label.effects.first { isBegun = true }
        missesFirst = !isBegun
        effects = isBegun ? Array(label.effects.dropFirst()) : label.effects
    }

    var begins: [PushTransport.Cause] {
        effects.compactMap { if case .begin(_, let cause) = $0 { cause } else { nil } }
    }
    var ends: [PushTransport.Why] { effects.compactMap { if case .end(_, let why) = $0 { why } else { nil } } }
    /// What it answered to an event that it did not take.
    var isRefused: Bool {
        effects.contains {
            switch $0 {
            case .ignored, .refused: true
            case .begin, .end, .removed, .stopped: false
            }
        }
    }
}

extension PushTransport {
    /// It is active, the camera may record, and its trigger says so.
    var mayRecord: Bool {
        guard status == .active, block == nil, phase != .over else { return false }
        if trigger == .continuous { return true }
        return window != nil
    }

    var window: Window? { if case .detected(let window) = phase { window } else { nil } }
    var blindMs: Int64? { if case .blind(let until) = phase { until.ms } else { nil } }
    /// What is left of the window.
    var leftMs: Int64? { window.map { min($0.end, $0.limit).ms } }
    var isOfMotion: Bool { if case .motion = trigger { true } else { false } }
}
