internal import ArgumentParser
internal import Client
internal import Machines

/// `vigil state [CAMERA]`
struct StateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state", abstract: "Show what each camera is doing now, and why.")

    @Argument(help: "Only this camera, in full.")
    var camera: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let (states, clock) = try await socket.ask { client in
            let states = if let camera { [try await client.state(camera: camera)] } else { try await client.states() }
            return (states, format.json ? nil : try await client.clock())
        }
        guard let clock else { return try Output.json(states) }
        if camera != nil, let state = states.first { return try Output.line(Self.full(state, clock)) }
        var table = Table("CAMERA", "LINK", "TRIGGER", "RECORDER", "COVERAGE", "SINCE", "WHY")
        for state in states {
            table.add(
                state.camera, state.link, state.trigger, state.recorder, state.coverage.rawValue,
                clock.show(state.since), state.why)
        }
        try table.write(orSay: "no cameras are configured")
    }

    private static func detection(_ detection: DetectionState, _ clock: DisplayClock) -> String {
        let stream = detection.stream.map { "\($0) stream" } ?? "not looking"
        let moved = detection.level.map { "moving, level \($0.rawValue)" } ?? "still"
        return "\(detection.stream == nil ? stream : "\(stream), \(moved)"), \(detection.frames) frames, "
            + "\(detection.decoded) decoded, \(detection.dropped) dropped, \(Words.length(ms: detection.cpuMs)) CPU"
    }

    private static func substream(_ substream: SubstreamState) -> String {
        var words = [substream.link + (substream.endpoint.map { " by \($0.rawValue)" } ?? "")]
        if substream.viewers > 0 { words.append("\(substream.viewers) look at it") }
        if let failure = substream.failure { words.append(failure) }
        if let next = substream.nextRetryMs { words.append("next attempt in \(Words.length(ms: next))") }
        return words.joined(separator: ", ")
    }

    /// One camera, a line for each fact that there is.
    static func full(_ state: CameraState, _ clock: DisplayClock) -> String {
        let held = clock.now.ms - state.since.ms
        var facts = [
            ("camera", state.camera), ("coverage", state.coverage.rawValue),
            ("since", "\(clock.show(state.since)) (\(Words.length(ms: held)))"), ("why", state.why),
            ("link", state.link), ("trigger", state.trigger), ("recorder", state.recorder),
            ("recording", state.enabled ? "enabled" : "disabled"), ("privacy", PrivacyWords.of(state.privacy)),
            ("policy", "\(state.policy), \(state.mode.rawValue) now"),
        ]
        if let settings = state.settings {
            let words = settings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            facts.append(("set here", words.joined(separator: ", ")))
        }
        if let found = state.reachable {
            let words = found.endpoint.map { "yes, by \($0.rawValue)" } ?? "no, \((found.failure ?? .timeout).rawValue)"
            facts.append(("reachable", "\(words), since \(clock.show(found.since))"))
        }
        if let pusher = state.pusher {
            let session = pusher.session.isEmpty ? "" : ", session \(pusher.session)"
            let who = "\(pusher.login) at \(pusher.address)\(session)"
            facts.append(("pushed by", "\(who), since \(clock.show(pusher.since))"))
        }
        if let endpoint = state.endpoint { facts.append(("endpoint", endpoint.rawValue)) }
        if let failure = state.lastFailure { facts.append(("last failure", failure.rawValue)) }
        if let overdue = state.hangUpOverdueMs {
            let words = "overdue for \(Words.length(ms: overdue)); the camera is dialled when it has ended"
            facts.append(("hang-up", words))
        }
        if let next = state.nextRetryMs { facts.append(("next dial", "in \(Words.length(ms: next))")) }
        if let event = state.event { facts.append(("event", String(event))) }
        if let clip = state.clip { facts.append(("clip", String(clip))) }
        if let ring = state.ring {
            let filling =
                "\(Words.length(ms: ring.durationMs)), \(Words.size(ring.bytes)) of \(Words.size(ring.limitBytes))"
            facts.append(("pre-roll ring", filling))
        }
        if let detection = state.detection {
            facts.append(("detection", Self.detection(detection, clock)))
            for impaired in detection.impaired {
                facts.append(("picture", "\(impaired.condition) since \(clock.show(impaired.since))"))
            }
        }
        if let substream = state.substream { facts.append(("sub-stream", Self.substream(substream))) }
        if state.viewers > 0 { facts.append(("viewers", "\(state.viewers)")) }
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }.joined(separator: "\n")
    }
}
