internal import ArgumentParser
internal import Client
internal import Explain
internal import Foundation
internal import Journal
internal import Machines
internal import Policies
internal import Server

/// `vigil simulate POLICY`
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Say what another policy would have recorded, beside the one that was in force.",
        discussion: """
            Runs the machine of each camera over what the trace tells of it (detections of every level, sources, \
            commands, toggles, privacy, storage, whether the camera could be reached), once under the policy that was in \
            force and once under POLICY: the file of a draft, or the name of a policy. Both are simulated with a key frame \
            every 2 s and a disk that never fails, so they differ by the policy alone. Sizes follow from the measured bit \
            rate of the camera's clips in that time. Nothing is changed. What cannot be known is listed.

            Exit status: 0 answered, 1 no trace or a policy that would be refused, 2 the trace cannot be read, or wrong usage.
            """)

    @Argument(help: "The file of a policy, or the name of one.", completion: .file(extensions: ["yaml", "yml"]))
    var policy: String

    @Option(name: .long, help: "Only this camera.")
    var camera: String?

    @OptionGroup var options: ExplainOptions

    func run() async throws {
        let site = try await options.site()
        let document = try await document(site)
        let time = try options.time(site.clock)
        let histories = try options.histories(camera, time, site)
        let zone = TimeZone(identifier: site.zone) ?? .current
        var answers: [SimulateAnswer] = []
        for name in camera.map({ [$0] }) ?? histories.cameras {
            let zones = site.snapshot?.configuration.camera(name).map { $0.zones.map(\.name) }
            guard zones != nil || !document.namesZones else {
                throw Failure("policy \(document.name) names zones; give --config, which says what zones \(name) has")
            }
            let histories = histories.histories(of: name)
            let policies = { (history: CameraHistory) in history.policies(of: document, in: zone, zones: zones ?? []) }
            let comparison = Comparison(
                before: SimulatedRecording(histories, time: time) { $0.simulate() },
                after: SimulatedRecording(histories, time: time) { $0.simulate(policies: policies($0)) })
            let byteRate = try await options.byteRate(of: name, time, site)
            answers.append(
                SimulateAnswer(
                    name, policy: document, comparison, byteRate,
                    Unknown.all(histories, time: time, policies: policies), site.clock))
        }
        if options.json { return try Output.json(answers) }
        try Output.line(answers.map { $0.text(site.clock) }.joined(separator: "\n\n"))
    }

    /// The file where there is one; else the policy of that name, of the configuration that is named or of the daemon.
    private func document(_ site: ExplainOptions.Site) async throws -> PolicyDocument {
        do {
            if FileManager.default.fileExists(atPath: policy) {
                return try ConfigurationLoader().loadPolicy(policy).policy
            }
            if options.config != nil, let known = site.snapshot?.policies[policy] { return known }
            if options.config == nil, site.isRunning {
                let known = try await options.trace.ask(options.socket) { try await $0.policy(name: policy) }
                if let known { return try ConfigurationLoader.policy(text: known.text, file: known.path).policy }
            }
        } catch let refusal as Refusal { throw Failure("\(policy) would be refused:\n\(refusal)") }
        throw Failure(
            "\(policy) is neither a file nor the name of a policy"
                + (options.config == nil && !site.isRunning ? "; no daemon was asked, give --config" : ""))
    }
}

extension PolicyDocument {
    /// It cares for a part of the picture at some time.
    fileprivate var namesZones: Bool {
        (recording.zones + schedule.flatMap { $0.zones ?? [] }).contains { $0 != nil }
    }
}

/// What a policy would have recorded of one camera, as JSON and as text.
struct SimulateAnswer: Encodable {
    struct Clip: Encodable {
        let start, end: WallTime
        let cause: ClipCause
    }

    let camera: String
    let policy, revision: String
    let from, to: WallTime
    let inForce, simulated: SimulatedRecordingAnswer
    let gained, lost: [Clip]
    let gainedMs, lostMs: Int64
    let notKnown: [UnknownAnswer]

    /// Clips of each list that people are shown.
    private static let shownMax = 20

    init(
        _ camera: String, policy: PolicyDocument, _ comparison: Comparison, _ byteRate: Double?, _ unknown: [Unknown],
        _ clock: DisplayClock
    ) {
        self.camera = camera
        self.policy = policy.name
        revision = policy.revision
        from = WallTime(ms: comparison.before.time.lowerBound)
        to = WallTime(ms: comparison.before.time.upperBound)
        inForce = SimulatedRecordingAnswer(comparison.before, byteRate)
        simulated = SimulatedRecordingAnswer(comparison.after, byteRate)
        func clips(_ clips: [SimulatedRecording.Clip]) -> [Clip] {
            clips.map {
                Clip(start: WallTime(ms: $0.time.lowerBound), end: WallTime(ms: $0.time.upperBound), cause: $0.cause)
            }
        }
        gained = clips(comparison.gained)
        lost = clips(comparison.lost)
        gainedMs = comparison.gainedMs
        lostMs = comparison.lostMs
        notKnown = unknown.map { UnknownAnswer($0, clock) }
    }

    /// The answer for people.
    func text(_ clock: DisplayClock) -> String {
        var lines = ["\(camera), \(clock.show(from)) to \(clock.show(to)), under policy \(policy) \(revision)"]
        var table = Table([("", .left), ("IN FORCE", .right), ("SIMULATED", .right)])
        table.add("events", "\(inForce.events)", "\(simulated.events)")
        table.add("clips", "\(inForce.clips)", "\(simulated.clips)")
        table.add("recorded", Words.length(ms: inForce.recordedMs), Words.length(ms: simulated.recordedMs))
        table.add("size", Self.size(inForce.bytes), Self.size(simulated.bytes))
        for why in Camera.Suppression.allCases {
            let (before, after) = (inForce.suppressed[why.rawValue] ?? 0, simulated.suppressed[why.rawValue] ?? 0)
            if before + after > 0 { table.add("suppressed: \(why.rawValue)", "\(before)", "\(after)") }
        }
        lines += table.lines.map { "  " + $0 }
        lines += list("gained", "+", gained, gainedMs, clock) + list("lost", "-", lost, lostMs, clock)
        if !notKnown.isEmpty { lines.append("  not known:") }
        lines += notKnown.map { "    " + $0.words }
        return lines.joined(separator: "\n")
    }

    private func list(_ title: String, _ sign: String, _ clips: [Clip], _ ms: Int64, _ clock: DisplayClock) -> [String]
    {
        var lines = ["  \(title): \(clips.count) clips, \(Words.length(ms: ms)) of media"]
        for clip in clips.prefix(Self.shownMax) {
            let length = Words.length(ms: clip.end.ms - clip.start.ms)
            lines.append("    \(sign) \(clock.show(clip.start))  \(length)  \(clip.cause.rawValue)")
        }
        if clips.count > Self.shownMax { lines.append("    and \(clips.count - Self.shownMax) more; --json lists all") }
        return lines
    }

    static func size(_ bytes: Int64?) -> String { bytes.map(Words.size) ?? "not known" }
}
