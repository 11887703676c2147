public import Machines

extension Camera: ReplayedMachine {
    /// It has stopped after a drain.
    public var isOver: Bool { stopped }

    /// Every bound of its timing is a length of time.
    public var hasBounds: Bool {
        let bounds = [
            timing.dialMs, timing.silenceMs, timing.keyframeMs, timing.patienceMs, timing.hangUpMs,
            timing.unauthorizedMs,
            timing.openMs, timing.graceMs, timing.closeMs, timing.restMs,
        ]
        return bounds.allSatisfy { $0 > 0 } && (timing.steadyMs ?? 1) > 0
    }

    /// The first step is a tick, which changes neither intent nor timing.
    public func beginning(at instant: Instant) -> Camera { Camera(intent: intent, timing: timing) }

    /// What is entered became an order of its own.
    public static func isEntry(_ effect: Effect) -> Bool {
        switch effect {
        case .beginEvent, .endEvent, .noteDetection, .noteSuppressed, .label: true
        case .dial, .hangUp, .keepMedia, .openClip, .closeClip, .report, .ignored, .stopped: false
        }
    }

    /// What it took, in words.
    public static func words(_ event: Event, _ narrator: Narrator) -> String { narrator.words(event) }

    /// What it ordered, in words.
    public static func words(_ effects: [Effect], _ narrator: Narrator) -> String { narrator.words(effects) }

    /// The whole of it, in one line.
    public func summary(_ narrator: Narrator) -> String { narrator.summary(self) }
}
