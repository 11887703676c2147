public import Machines

/// What can happen to a camera: an event of the machine, whose number is named by its class and whose times are ticks.
public enum CameraFact: Hashable, Sendable {
    /// The class of the number that an answer carries (model/README.md "Form").
    public enum Number: String, Hashable, Sendable {
        /// The dial or clip that is open or being opened.
        case cur
        /// The dial that is being hung up.
        case hung
        /// The clips being closed, the older first.
        case c1, c2
        /// One that is over.
        case late
        /// One that was never given.
        case unknown
    }

    /// A tick passes.
    case tick
    case drain
    case enabled(Bool)
    case hard(Bool)
    case soft(Bool)
    case softLive(Bool)
    case viewers(Int)
    case storage(Storage)
    case policy(CameraPolicy)
    case connect
    /// A detection of this level, in the zone of the policies or in another one.
    case detected(Sensitivity, inZone: Bool)
    case command
    case asserted
    case cleared
    case dialed(Number)
    case dialFailed(Number, LinkFailure)
    case lost(Number)
    case hungUp(Number)
    /// The last packet came so many ticks ago.
    case packets(Number, ago: Int)
    case keyframe(Number)
    /// The clip is open and starts so many ticks ago.
    case opened(Number, back: Int)
    case openFailed(Number)
    /// No key frame is there with which the clip could begin.
    case keyframeMissing(Number)
    case cut(Number)
    case writeFailed(Number)
    case streamChanged(Number)
    case closed(Number, complete: Bool)
}

extension CameraFact {
    /// It says of a clip that was given up while it was being opened that nothing came of it.
    var isOfGivenUp: Bool {
        switch self {
        case .openFailed(let number), .keyframeMissing(let number): number != .cur
        default: false
        }
    }

    /// The same in the notation of model/README.md.
    var text: String {
        switch self {
        case .tick: "tick"
        case .drain: "drain"
        case .enabled(let on): .call("enabled", on.digit)
        case .hard(let on): .call("hard", on.digit)
        case .soft(let on): .call("soft", on.digit)
        case .softLive(let on): .call("softLive", on.digit)
        case .viewers(let count): .call("viewers", "\(count)")
        case .storage(let storage): .call("storage", storage.rawValue)
        case .policy(let name): .call("policy", name.rawValue)
        case .connect: "connect"
        case .detected(let level, let inZone): .call("detected", "\(level.rawValue)", inZone ? "in" : "out")
        case .command: "command"
        case .asserted: "asserted"
        case .cleared: "cleared"
        case .dialed(let number): .call("dialed", number.rawValue)
        case .dialFailed(let number, let why): .call("dialFailed", number.rawValue, why.rawValue)
        case .lost(let number): .call("lost", number.rawValue)
        case .hungUp(let number): .call("hungUp", number.rawValue)
        case .packets(let number, let ago): .call("packets", number.rawValue, "\(ago)")
        case .keyframe(let number): .call("keyframe", number.rawValue)
        case .opened(let number, let back): .call("opened", number.rawValue, "\(back)")
        case .openFailed(let number): .call("openFailed", number.rawValue)
        case .keyframeMissing(let number): .call("keyframeMissing", number.rawValue)
        case .cut(let number): .call("cut", number.rawValue)
        case .writeFailed(let number): .call("writeFailed", number.rawValue)
        case .streamChanged(let number): .call("streamChanged", number.rawValue)
        case .closed(let number, let complete):
            .call("closed", number.rawValue, complete ? "complete" : "incomplete")
        }
    }

    /// The event of the machine, in a state whose numbers are canonical and whose present moment is 0.
    func event(in camera: Camera, _ view: CameraConfiguration) -> Camera.Event {
        func ago(_ ticks: Int) -> Instant { Instant(ms: -CameraConfiguration.ms(ticks)) }
        switch self {
        case .tick: return .tick
        case .drain: return .drain
        case .enabled(let on): return .enabled(on)
        case .hard(let on):
            let now = camera.intent.privacy
            return .privacy(Privacy(hard: on, softRecording: now.softRecording, softLive: now.softLive))
        case .soft(let on):
            let now = camera.intent.privacy
            return .privacy(Privacy(hard: now.hard, softRecording: on, softLive: now.softLive))
        case .softLive(let on):
            let now = camera.intent.privacy
            return .privacy(Privacy(hard: now.hard, softRecording: now.softRecording, softLive: on))
        case .viewers(let count): return .viewers(count)
        case .storage(let storage): return .storage(storage)
        case .policy(let name):
            return .policy(view.policy(name), until: name.next.map { Instant(ms: CameraConfiguration.ms($0)) })
        case .connect: return .connect(view.connect)
        case .detected(let level, let inZone):
            return .detected(level: level, zones: inZone ? CameraPolicy.zone : CameraPolicy.otherZone)
        case .command: return .commanded(view.command)
        case .asserted: return .asserted(SourceNumber(0), staleMs: CameraConfiguration.ms(view.stale))
        case .cleared: return .cleared(SourceNumber(0))
        case .dialed(let number): return .dialed(camera.dial(number))
        case .dialFailed(let number, let why): return .dialFailed(camera.dial(number), why)
        case .lost(let number): return .lost(camera.dial(number), .closed)
        case .hungUp(let number): return .hungUp(camera.dial(number))
        case .packets(let number, let ticks): return .packets(camera.dial(number), last: ago(ticks))
        case .keyframe(let number): return .keyframe(camera.dial(number))
        case .opened(let number, let back):
            return .opened(camera.clip(number), start: ago(back), shortfall: nil)
        case .openFailed(let number): return .openFailed(camera.clip(number))
        case .keyframeMissing(let number): return .keyframeMissing(camera.clip(number))
        case .cut(let number): return .cut(camera.clip(number), at: ago(0))
        case .writeFailed(let number): return .writeFailed(camera.clip(number))
        case .streamChanged(let number): return .streamChanged(camera.clip(number), at: ago(0))
        case .closed(let number, let complete): return .closed(camera.clip(number), complete: complete)
        }
    }
}

extension Bool {
    /// `1` or `0`.
    var digit: String { self ? "1" : "0" }
}

extension CameraConfiguration {
    /// The time control of a command.
    var command: TimeControl {
        TimeControl(initialMs: Self.ms(commandI), augmentationMs: 0, maxMs: Self.ms(commandM))
    }
}
