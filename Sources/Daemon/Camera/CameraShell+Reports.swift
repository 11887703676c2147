internal import Journal
internal import Machines

extension CameraShell {
    /// Tells one transition to the journal, in the words of its kind (S11), and changes nothing. `user`: who asked for the
    /// step that it is of; nil where nobody did.
    func tell(_ report: Camera.Report, _ machine: Camera, at now: Instant, by user: String?) {
        let by: [(Field, String)] = if let user { [(.user, user)] } else { [] }
        switch report {
        case .link(let from, let to, let failure, let retryMs): link(from, to, failure, retryMs, machine.link)
        case .noKeyFrame:
            journal.send(.noKeyFrame, camera: camera, fields: [(.durationMs, "\(machine.timing.keyframeMs)")])
        case .hangUpOverdue: overdue("hang-up", machine.timing.hangUpMs)
        case .eventBegan(let number, let cause, let level, let until):
            guard let event = events[number] else { break }
            var fields: [(Field, String)] = [
                (.event, "\(event.id)"), (.cause, cause.rawValue), (.durationMs, "\(until - now)"),
            ]
            if let level { fields.append((.trigger, "level \(level.rawValue)")) }
            journal.send(.eventBegan, camera: camera, fields: fields + by)
        case .eventProlonged(let number, let until):
            guard let event = events[number] else { break }
            journal.send(
                .eventProlonged, camera: camera,
                fields: [(.event, "\(event.id)"), (.durationMs, "\(until - now)")] + by)
        case .eventEnded(let number, let why):
            guard let event = events[number] else { break }
            journal.send(
                .eventEnded, camera: camera,
                fields: [(.event, "\(event.id)"), (.why, why.rawValue), (.durationMs, "\(now - event.began)")] + by)
        case .suppressed(let level, let why):
            var fields: [(Field, String)] = [(.why, why.rawValue)]
            if let level { fields.append((.trigger, "level \(level.rawValue)")) }
            journal.send(.detectionSuppressed, camera: camera, fields: fields + by)
        case .refused(let why):
            journal.send(.commandRefused, camera: camera, fields: [(.request, "record"), (.why, why.rawValue)] + by)
        case .sourceExpired(let number):
            journal.send(
                .sourceExpired, camera: camera,
                fields: [(.source, name(of: number)), (.durationMs, "\(sources[number]?.staleMs ?? 0)")])
        case .clipOpened, .clipEnded, .clipClosed: break  // The recorder tells them, with the catalog's id.
        case .clipFailed(let number, let retryMs):
            var fields: [(Field, String)] = [(.detail, "clip order \(number.rawValue)")]
            if let retryMs { fields.append((.retryMs, "\(retryMs)")) }
            journal.send(.clipOpenFailed, camera: camera, fields: fields)
        case .clipOverdue: overdue("closing of a clip", machine.timing.closeMs)
        case .enabled(let enabled):
            journal.send(enabled ? .recordingEnabled : .recordingDisabled, camera: camera, fields: by)
        case .privacy(let privacy): tell(privacy, by)
        case .mode(let from, let to):
            journal.send(.modeChanged, camera: camera, fields: [(.from, from.rawValue), (.to, to.rawValue)])
        case .storage: break  // Told once for the site.
        case .coverage(let from, let to):
            journal.send(.coverageChanged, camera: camera, fields: [(.from, from.rawValue), (.to, to.rawValue)])
        }
    }

    /// Tells who asked for recording or triggered, where the machine did what was asked; what it refused or suppressed is
    /// told by its report.
    func tell(asked event: Camera.Event, _ effects: [Camera.Effect], by user: String) {
        let isTaken = effects.allSatisfy { effect in
            switch effect {
            case .ignored, .report(.refused), .report(.suppressed): false
            default: true
            }
        }
        guard isTaken else { return }
        let fields: [(Field, String)]
        switch event {
        case .commanded(let control): fields = [(.request, "record"), (.durationMs, "\(control.initialMs)")]
        case .detected(let level, _): fields = [(.request, "trigger"), (.trigger, "level \(level.rawValue)")]
        case .asserted(let number, let staleMs):
            fields = [(.request, "trigger on"), (.source, name(of: number)), (.durationMs, "\(staleMs)")]
        case .cleared(let number): fields = [(.request, "trigger off"), (.source, name(of: number))]
        default: return
        }
        journal.send(.commandTaken, camera: camera, fields: fields + [(.user, user)])
    }

    private func name(of source: SourceNumber) -> String { sources[source]?.name ?? "\(source.rawValue)" }

    private func link(
        _ from: Link.Phase, _ to: Link.Phase, _ failure: LinkFailure?, _ retryMs: Int64?, _ link: Link
    ) {
        switch to {
        case .dialing:
            guard case .dialing(_, let endpoint, _) = link.state else { break }
            journal.send(
                .linkDialing, camera: camera,
                fields: [
                    (.endpoint, endpoint.rawValue), (.url, settings.addresses[endpoint] ?? ""),
                    (.attempt, "\(link.failures + 1)"),
                ])
        case .streaming: journal.send(.linkStreaming, camera: camera)
        case .waiting:
            // What the machine gave up by itself has no word from the input.
            switch failure {
            case .silence?, .noKeyFrame?, .timeout?:
                journal.send(
                    from == .dialing ? .linkFailed : .linkLost, camera: camera,
                    fields: [(.why, failure?.rawValue ?? "")])
            default: break
            }
            var fields: [(Field, String)] = [(.from, from.rawValue)]
            if let failure { fields.append((.why, failure.rawValue)) }
            if let retryMs { fields.append((.retryMs, "\(retryMs)")) }
            journal.send(.linkWaiting, camera: camera, fields: fields)
        case .off where from != .waiting: journal.send(.linkHungUp, camera: camera, fields: [(.from, from.rawValue)])
        case .off, .synchronizing: break  // Dialled is told with the streams.
        }
    }

    private func tell(_ privacy: Privacy, _ by: [(Field, String)]) {
        let on = [("hard", privacy.hard), ("recording", privacy.softRecording), ("live", privacy.softLive)]
        let names = on.filter(\.1).map(\.0).joined(separator: ", ")
        journal.send(
            names.isEmpty ? .privacyOff : .privacyOn, camera: camera,
            fields: (names.isEmpty ? [] : [(.to, names)]) + by)
    }

    private func overdue(_ what: String, _ ms: Int64) {
        journal.send(.obligationOverdue, camera: camera, fields: [(.obligation, what), (.durationMs, "\(ms)")])
    }
}
