public import Machines

/// What the journal tells of the steps of one camera's machine: each transition is one record, in the words of its kind (S11).
///
/// The daemon tells by it, and replay holds by it what was told. Clips are told by who writes them, when they are open and
/// closed, with what only he knows.
public struct CameraMessages<Names: CameraNames> {
    private let names: Names

    /// Tells with these names.
    public init(_ names: Names) { self.names = names }

    /// What is told of one effect of a step that took `event` and left `machine`. `user`: who asked for the step.
    public func messages(
        of effect: Camera.Effect, _ event: Camera.Event, _ machine: Camera, at now: Instant, by user: String?
    ) -> [StepMessage] {
        switch effect {
        case .report(let report): messages(of: report, event, machine, at: now, by: user.map { [(.user, $0)] } ?? [])
        case .ignored(.duplicate): []
        case .ignored(let why): [StepMessage(.machineIgnored, [(.event, event.name), (.why, why.rawValue)])]
        case .dial, .hangUp, .keepMedia, .openClip, .closeClip, .beginEvent, .endEvent, .noteDetection, .noteSuppressed,
            .label, .stopped:
            []
        }
    }

    /// Who asked for recording or triggered, where the machine did what was asked; what it refused or suppressed is told by
    /// its report. What a source only says again is not told: `sources` are those that were on before the step.
    public func asked(
        _ event: Camera.Event, _ effects: [Camera.Effect], _ machine: Camera, sources: Int, by user: String
    ) -> StepMessage? {
        let isTaken = effects.allSatisfy { effect in
            switch effect {
            case .ignored, .report(.refused), .report(.suppressed): false
            default: true
            }
        }
        guard isTaken, machine.trigger.sources.count != sources || !event.isOfSource else { return nil }
        let fields: [(Field, String?)]
        switch event {
        case .commanded(let control): fields = [(.request, "record"), (.durationMs, "\(control.initialMs)")]
        case .detected(let level, _): fields = [(.request, "trigger"), (.trigger, Self.words(level))]
        case .asserted(let number, let staleMs):
            fields = [(.request, "trigger on"), (.source, names.name(of: number)), (.durationMs, "\(staleMs)")]
        case .cleared(let number): fields = [(.request, "trigger off"), (.source, names.name(of: number))]
        default: return nil
        }
        return StepMessage(.commandTaken, fields + [(.user, user)])
    }

    private func messages(
        of report: Camera.Report, _ taken: Camera.Event, _ machine: Camera, at now: Instant, by user: [(Field, String?)]
    ) -> [StepMessage] {
        switch report {
        case .link(let from, let to, let failure, let retryMs):
            link(from, to, failure, retryMs, machine.link, isToldByInput: isEndOfInput(taken))
        case .noKeyFrame: [noKeyFrame(machine)]
        case .hangUpOverdue: [overdue(.hangUp, machine.timing.hangUpMs)]
        case .clipOverdue: [overdue(.closing, machine.timing.closeMs)]
        case .eventBegan, .eventProlonged, .eventEnded: [event(report, at: now, by: user)].compactMap(\.self)
        case .suppressed(let level, let why):
            [StepMessage(.detectionSuppressed, [(.why, why.rawValue)] + trigger(level) + user)]
        case .refused(let why): [StepMessage(.commandRefused, [(.request, "record"), (.why, why.rawValue)] + user)]
        case .sourceExpired(let number):
            [
                StepMessage(
                    .sourceExpired,
                    [(.source, names.name(of: number)), (.durationMs, names.staleMs(of: number).map { "\($0)" })])
            ]
        case .clipOpened, .clipEnded, .clipClosed: []  // The recorder tells them, with the catalog's id.
        case .clipFailed(let number, let retryMs):
            [
                StepMessage(
                    .clipOpenFailed,
                    [(.detail, Obligation.clipOrder + "\(number.rawValue)")]
                        + (retryMs.map { [(.retryMs, "\($0)")] } ?? []))
            ]
        case .enabled(let enabled): [StepMessage(enabled ? .recordingEnabled : .recordingDisabled, user)]
        case .privacy(let privacy): [self.privacy(privacy, user)]
        case .mode(let from, let to):
            [StepMessage(.modeChanged, [(.from, from.rawValue), (.to, to.rawValue)])]
        case .storage: []  // Told once for the site.
        case .coverage(let from, let to):
            [StepMessage(.coverageChanged, [(.from, from.rawValue), (.to, to.rawValue)])]
        }
    }

    private func event(_ report: Camera.Report, at now: Instant, by user: [(Field, String?)]) -> StepMessage? {
        switch report {
        case .eventBegan(let number, let cause, let level, let until):
            StepMessage(
                .eventBegan,
                [(.event, names.id(of: number)), (.cause, cause.rawValue), (.durationMs, "\(until - now)")]
                    + trigger(level) + user)
        case .eventProlonged(let number, let until):
            StepMessage(.eventProlonged, [(.event, names.id(of: number)), (.durationMs, "\(until - now)")] + user)
        case .eventEnded(let number, let why):
            StepMessage(
                .eventEnded,
                [
                    (.event, names.id(of: number)), (.why, why.rawValue),
                    (.durationMs, names.beginning(of: number).map { "\(now - $0)" }),
                ] + user)
        default: nil
        }
    }

    /// None has come since the dial, or for a cut that is due.
    private func noKeyFrame(_ machine: Camera) -> StepMessage {
        let ms = machine.link.phase == .streaming ? machine.timing.graceMs : machine.timing.keyframeMs
        return StepMessage(.noKeyFrame, [(.durationMs, "\(ms)")])
    }

    private func link(
        _ from: Link.Phase, _ to: Link.Phase, _ failure: LinkFailure?, _ retryMs: Int64?, _ link: Link,
        isToldByInput: Bool
    ) -> [StepMessage] {
        switch to {
        case .dialing:
            guard case .dialing(_, let endpoint, _) = link.state else { return [] }
            return [
                StepMessage(
                    .linkDialing,
                    [
                        (.endpoint, endpoint.rawValue), (.url, names.address(of: endpoint)),
                        (.attempt, "\(Int(link.failures) + 1)"),
                    ])
            ]
        case .streaming: return [StepMessage(.linkStreaming)]
        case .waiting:
            var told: [StepMessage] = []
            // Of what the machine gave up by itself the input says nothing.
            switch failure {
            case .silence?, .noKeyFrame?, .timeout?:
                guard !isToldByInput else { break }
                told.append(StepMessage(from == .dialing ? .linkFailed : .linkLost, [(.why, failure?.rawValue ?? "")]))
            default: break
            }
            var fields: [(Field, String?)] = [(.from, from.rawValue)]
            if let failure { fields.append((.why, failure.rawValue)) }
            if let retryMs { fields.append((.retryMs, "\(retryMs)")) }
            return told + [StepMessage(.linkWaiting, fields)]
        case .off: return from == .waiting ? [] : [StepMessage(.linkHungUp, [(.from, from.rawValue)])]
        // Dialled is told with the streams.
        case .synchronizing: return from == .dialing ? [] : [StepMessage(.linkSynchronizing)]
        }
    }

    /// Whether an input says why it has ended: it tells the journal itself.
    private func isEndOfInput(_ event: Camera.Event) -> Bool {
        switch event {
        case .lost, .dialFailed: true
        default: false
        }
    }

    private func privacy(_ privacy: Privacy, _ by: [(Field, String?)]) -> StepMessage {
        let on = [("hard", privacy.hard), ("recording", privacy.softRecording), ("live", privacy.softLive)]
        let names = on.filter(\.1).map(\.0).joined(separator: ", ")
        return StepMessage(names.isEmpty ? .privacyOff : .privacyOn, (names.isEmpty ? [] : [(.to, names)]) + by)
    }

    private func overdue(_ what: Obligation, _ ms: Int64) -> StepMessage {
        StepMessage(.obligationOverdue, [(.obligation, what.rawValue), (.durationMs, "\(ms)")])
    }

    private func trigger(_ level: Sensitivity?) -> [(Field, String?)] {
        level.map { [(.trigger, Self.words($0))] } ?? []
    }

    private static func words(_ level: Sensitivity) -> String { "level \(level.rawValue)" }
}

/// What a camera's machine waits for, as its records name it.
private enum Obligation: String {
    case hangUp = "hang-up"
    case closing = "closing of a clip"

    /// How a record names the order of a clip.
    static let clipOrder = "clip order "
}

extension MessageKind {
    /// The kinds in which the steps of a camera are told, by its machine's reports and by who writes its clips.
    public static let ofCameraSteps: Set<MessageKind> = [
        .linkDialing, .linkSynchronizing, .linkStreaming, .linkFailed, .linkLost, .linkWaiting, .linkHungUp,
        .noKeyFrame,
        .obligationOverdue,
        .eventBegan, .eventProlonged, .eventEnded, .detectionSuppressed, .commandRefused, .commandTaken, .sourceExpired,
        .clipOpened, .clipOpenFailed, .clipClosed, .clipIncomplete, .recordingEnabled, .recordingDisabled, .privacyOn,
        .privacyOff, .modeChanged, .coverageChanged, .machineIgnored,
    ]

    /// Whether a record of this kind with these fields may be told by others than the machine of its camera: by the input, the
    /// writer of clips, a session or an upload.
    public func mayBeOfOthers(_ fields: [String: String]) -> Bool {
        switch self {
        case .linkFailed, .linkLost: true
        case .clipOpenFailed: fields[Field.detail.rawValue]?.hasPrefix(Obligation.clipOrder) != true
        case .obligationOverdue: fields[Field.obligation.rawValue].map { Obligation(rawValue: $0) == nil } ?? false
        case .machineIgnored:
            fields[Field.session.rawValue] != nil || fields[Field.job.rawValue] != nil
                || fields[Field.event.rawValue] == "subscription"
        // The switches could not be read at the start.
        case .privacyOn: fields[Field.why.rawValue] != nil
        default: false
        }
    }
}

extension Camera.Event {
    /// Whether a level source says it.
    fileprivate var isOfSource: Bool {
        switch self {
        case .asserted, .cleared: true
        default: false
        }
    }

    /// The event's name, as in VIGIL_EVENT.
    public var name: String {
        switch self {
        case .tick: "tick"
        case .dialed: "dialed"
        case .dialFailed: "dialFailed"
        case .keyframe: "keyframe"
        case .packets: "packets"
        case .lost: "lost"
        case .hungUp: "hungUp"
        case .detected: "detected"
        case .asserted: "asserted"
        case .cleared: "cleared"
        case .commanded: "commanded"
        case .opened: "opened"
        case .openFailed: "openFailed"
        case .keyframeMissing: "keyframeMissing"
        case .cut: "cut"
        case .streamChanged: "streamChanged"
        case .writeFailed: "writeFailed"
        case .closed: "closed"
        case .enabled: "enabled"
        case .policy: "policy"
        case .privacy: "privacy"
        case .connect: "connect"
        case .viewers: "viewers"
        case .storage: "storage"
        case .drain: "drain"
        }
    }
}
