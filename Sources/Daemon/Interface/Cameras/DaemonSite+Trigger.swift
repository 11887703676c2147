internal import Journal
internal import Machines
internal import Policies
internal import Server

extension DaemonSite {
    /// Tells a detection, or a source's word, through the one way that all detections take; so what comes within half a second of
    /// its like is answered when it is told together with that.
    func trigger(camera: String, _ command: TriggerCommand, by caller: Caller) async throws -> CameraState {
        let runtime = try known(camera)
        if let label = command.label, !runtime.shell.events.hasRoom(for: label) {
            throw SiteError(
                .conflict, what: "label \(label) of camera \(camera)",
                why: "the event has \(LabelInfo.ofEventMax) labels of other names",
                remedy: "use few names; the next event has room again")
        }
        let event: Camera.Event
        if let name = command.source {
            let isOn = command.on == true
            let staleMs = command.staleMs ?? TriggerCommand.staleMsDefault
            guard let number = runtime.shell.sources.number(of: name, staleMs: isOn ? staleMs : nil) else {
                throw SiteError(
                    .conflict, what: "source \(name) of camera \(camera)",
                    why: "the camera has had \(SourceNames.most) sources of other names",
                    remedy: "use names that stay the same; a restart forgets those of the past")
            }
            event = isOn ? .asserted(number, staleMs: staleMs) : .cleared(number)
        } else {
            let level = command.level.flatMap(Sensitivity.init(rawValue:)) ?? .low
            event = .detected(level: level, zones: try zones(command.zones, of: runtime))
        }
        let answer = await runtime.actor.inbox.ask(event, by: "\(caller)")
        let effects = try taken(answer, camera)
        if effects.contains(.ignored(.full)) {
            throw SiteError(
                .conflict, what: "source \(command.source ?? "") of camera \(camera)",
                why: "\(Trigger.maxSources) other sources are on", remedy: "switch one off first")
        }
        // The last room may have been taken meanwhile; what counts is not refused then.
        if let label = command.label, let number = Self.event(answer) {
            runtime.shell.events.label(number, label, command.box, by: "\(caller)", at: clock.now())
        }
        return state(of: runtime)
    }

    /// The event for which a detection counts, or a source that is on; nil where it counts for none.
    private static func event(_ answer: FactReply.Answer) -> EventNumber? {
        guard case .taken(let effects, let machine) = answer else { return nil }
        for case .noteDetection(let number, _) in effects { return number }
        let isSuppressed = effects.contains { if case .noteSuppressed = $0 { true } else { false } }
        return isSuppressed ? nil : machine.trigger.active?.number
    }

    private func zones(_ names: [String]?, of camera: CameraRuntime) throws -> Zones {
        guard let names else { return .anywhere }
        let known = camera.assignment.camera.zones.map(\.name)
        var zones = Zones(inside: 0, outside: false)
        for name in names {
            if name.isEmpty {
                zones.outside = true
            } else if let number = known.firstIndex(of: name) {
                // A place among the camera's zones.
                zones.inside |= 1 << UInt32(number)
            } else {
                let choice = known.joined(separator: ", ")
                throw SiteError(
                    .invalid, what: "zone \(name) of camera \(camera.name)", why: "there is no such zone",
                    remedy: known.isEmpty ? "the camera has none: leave it out" : "take one of \(choice)")
            }
        }
        return zones
    }
}
