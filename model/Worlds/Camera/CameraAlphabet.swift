internal import Machines

/// The alphabets of model/Camera.tla: an answer is offered in every class that its number can have in a state.
extension CameraConfiguration {
    /// What can come in, in a fixed order.
    func facts(in camera: Camera) -> [CameraFact] {
        var facts: [CameraFact] = [.tick, .drain]
        switch kind {
        case .link:
            facts += linkAnswers(camera) + Self.linkLate + Self.toggles + Self.storages + changes
            facts += Self.presence + [.connect]
        case .trigger:
            facts += Self.toggles + changes
            facts += [Sensitivity.low, .medium, .high].map { .detected($0, inZone: true) }
            facts += [.detected(.low, inZone: false), .command, .asserted, .cleared]
        case .recorder:
            facts += linkAnswers(camera) + recorderAnswers(camera) + Self.late + Self.storages + changes
            facts += [.enabled(false), .enabled(true), .detected(.low, inZone: true)]
        case .product:
            facts += linkAnswers(camera) + recorderAnswers(camera) + Self.late + Self.toggles + Self.storages + changes
            facts += [.detected(.low, inZone: true), .command, .asserted, .cleared] + Self.presence + [.connect]
        case .linkView:
            facts += linkAnswers(camera) + [.enabled(false), .enabled(true), .connect, .lost(.late), .lost(.unknown)]
            facts += [.viewers(0), .viewers(1)]
            if camera.isConnected { facts += [.packets(.cur, ago: 0), .packets(.cur, ago: 1)] }
            if camera.link.phase == .dialing { facts.append(.dialFailed(.cur, .unauthorized)) }
        case .triggerView:
            facts += Self.toggles + [.detected(.low, inZone: true), .detected(.high, inZone: true)]
            facts += [.command, .asserted, .cleared]
        case .recorderView:
            facts += recorderAnswers(camera) + [.detected(.low, inZone: true)]
            if camera.link.phase == .dialing { facts.append(.dialed(.cur)) }
            if camera.link.phase == .synchronizing { facts.append(.keyframe(.cur)) }
            if camera.link.phase == .streaming, camera.isWriting { facts.append(.lost(.cur)) }
        case .diskView:
            facts += recorderAnswers(camera) + Self.storages + [.storage(.low), .enabled(false), .enabled(true)]
            facts.append(.detected(.low, inZone: true))
            if camera.link.phase == .dialing { facts.append(.dialed(.cur)) }
            if camera.link.phase == .synchronizing { facts.append(.keyframe(.cur)) }
        case .timetableView:
            facts += recorderAnswers(camera) + Self.storages + [.storage(.low), .softLive(false), .softLive(true)]
            facts += changes
            if camera.link.phase == .dialing { facts.append(.dialed(.cur)) }
            if camera.link.phase == .synchronizing { facts.append(.keyframe(.cur)) }
        case .keyframeView:
            facts += recorderAnswers(camera)
            if camera.link.phase == .dialing { facts.append(.dialed(.cur)) }
            if camera.link.phase == .synchronizing { facts.append(.keyframe(.cur)) }
            if camera.isConnected { facts += [.packets(.cur, ago: 0), .lost(.cur)] }
            if camera.link.hangingUp != nil { facts.append(.hungUp(.hung)) }
        case .small:
            facts += linkAnswers(camera) + recorderAnswers(camera) + Self.storages + changes
            facts += [.enabled(false), .enabled(true), .detected(.low, inZone: true)]
        }
        return facts
    }

    private var changes: [CameraFact] { policies.map { .policy($0) } }

    private static let toggles: [CameraFact] = [.enabled(false), .enabled(true), .soft(false), .soft(true)]
    private static let presence: [CameraFact] = [.hard(false), .hard(true), .viewers(0), .viewers(1)]
    private static let storages: [CameraFact] = [.storage(.ok), .storage(.lost)]
    private static let late: [CameraFact] = [
        .dialed(.late), .lost(.unknown), .opened(.late, back: 0), .closed(.late, complete: true), .cut(.unknown),
    ]
    private static let linkLate: [CameraFact] = [.late, .unknown].flatMap {
        (number: CameraFact.Number) -> [CameraFact] in
        [.dialed(number), .lost(number), .hungUp(number), .keyframe(number), .packets(number, ago: 0)]
    }

    private func linkAnswers(_ camera: Camera) -> [CameraFact] {
        var facts: [CameraFact] = []
        if camera.link.phase == .dialing {
            facts += [.dialed(.cur), .dialFailed(.cur, .refused), .lost(.cur)]
            if kind == .link {
                facts += [.dialFailed(.cur, .unauthorized), .packets(.cur, ago: 0), .keyframe(.cur), .hungUp(.cur)]
            }
        }
        if camera.isConnected {
            facts += [.keyframe(.cur), .lost(.cur)]
            if kind == .link {
                facts += [.packets(.cur, ago: 0), .packets(.cur, ago: 1), .dialed(.cur), .dialFailed(.cur, .refused)]
                facts.append(.hungUp(.cur))
            }
        }
        if camera.link.hangingUp != nil {
            facts.append(.hungUp(.hung))
            if kind == .link {
                facts += [.dialFailed(.hung, .refused), .lost(.hung), .dialed(.hung), .keyframe(.hung)]
                facts.append(.packets(.hung, ago: 0))
            }
        }
        return facts
    }

    private func recorderAnswers(_ camera: Camera) -> [CameraFact] {
        var facts: [CameraFact] = []
        let all = kind == .recorder
        switch camera.recorder.state {
        case .idle: break
        case .opening:
            facts += [.opened(.cur, back: 0), .openFailed(.cur), .keyframeMissing(.cur)]
            if all {
                facts += [.opened(.cur, back: 1), .cut(.cur), .writeFailed(.cur), .streamChanged(.cur)]
                facts.append(.closed(.cur, complete: true))
            }
        case .writing, .cutting:
            facts.append(.writeFailed(.cur))
            if !camera.isWriting || all { facts.append(.cut(.cur)) }
            if all {
                facts += [
                    .streamChanged(.cur), .opened(.cur, back: 0), .openFailed(.cur), .keyframeMissing(.cur),
                    .closed(.cur, complete: true),
                ]
            }
        }
        for (number, _) in zip([CameraFact.Number.c1, .c2], camera.recorder.closing) {
            facts.append(.closed(number, complete: true))
            if all {
                facts += [.closed(number, complete: false), .openFailed(number), .keyframeMissing(number)]
                facts += [.opened(number, back: 0), .cut(number), .writeFailed(number), .streamChanged(number)]
            }
        }
        return facts
    }
}

extension Camera {
    /// The dial has been answered.
    var isConnected: Bool { link.phase == .synchronizing || link.phase == .streaming }
    /// Media goes into a clip and no cut is due.
    var isWriting: Bool { if case .writing = recorder.state { true } else { false } }
}
