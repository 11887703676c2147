internal import Journal
internal import Machines
internal import Policies
internal import Server

extension DaemonSite {
    /// Tells a detection, or a source's word, through the one way that all detections take; so what comes within half a second of
    /// its like is answered when it is told together with that.
    func trigger(camera: String, _ command: TriggerCommand, by caller: Caller) async throws -> CameraState {
        let runtime = try known(camera)
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
        let effects = try taken(await runtime.actor.inbox.ask(event, by: "\(caller)"), camera)
        if effects.contains(.ignored(.full)) {
            throw SiteError(
                .conflict, what: "source \(command.source ?? "") of camera \(camera)",
                why: "\(Trigger.maxSources) other sources are on", remedy: "switch one off first")
        }
        return state(of: runtime)
    }

    private func zones(_ names: [String]?, of camera: CameraRuntime) throws -> Zones {
        guard let names else { return .anywhere }
        let known = camera.assignment.camera.zones.map(\.name)
        var zones = Zones(inside: 0, outside: false)
        for name in names {
            if name.isEmpty {
                zones.outside = true
            } else if let number = known.firstIndex(of: name) {
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
