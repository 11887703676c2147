import Foundation

/// One daemon and its cameras, before which cases are run, all at the same time, each on a thread of its own.
final class CaseSite: Sendable {
    /// A stimulus may be so far from its plan, in milliseconds. Where one was further, since the machine stood still for a
    /// moment, the case is run again: so it is the stimulus that decides about that, never what came of it.
    static let toleranceMs = 400
    static let performancesMax = 3

    let folder: String
    let rig: Rig
    let daemon: RunningDaemon

    init(_ cases: [TimedCase]) throws {
        folder = try RunningDaemon.freshFolder()
        let still = cases.map { ($0.name, "still.mp4") }
        rig = try Rig(media: Scene.media, cameras: Dictionary(still) { $1 }, in: folder)
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        var cameras = ""
        for timedCase in cases {
            let file = folder + "/policies/\(timedCase.name).yaml"
            try timedCase.policy.write(toFile: file, atomically: true, encoding: .utf8)
            cameras += """
                  \(timedCase.name):
                    main: \(rig.urls[timedCase.name] ?? "")
                    policy: \(timedCase.name)
                \(timedCase.isZoned ? "    zones: { sky: [[0, 0], [1, 0], [1, 0.3], [0, 0.3]] }\n" : "")\
                \(timedCase.looks ? "" : "    detection: 'off'\n")
                """
        }
        try "http: { listen: none }\npolicies: [ policies/ ]\ncameras:\n\(cameras)"
            .write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
    }

    /// Performs cases; they begin a moment apart, so that their commands do not all come at once.
    func perform(_ cases: [TimedCase]) async throws -> [Outcome] {
        let poller = StatePoller(daemon)
        defer { poller.end() }
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (order, timedCase) in cases.enumerated() {
                group.addTask { [self] in
                    try await RunningDaemon.aside { [self] in
                        // So that pre-roll can be had in full.
                        _ = try poller.wait("media of \(timedCase.name)") { view in
                            (view.rings[timedCase.name] ?? 0) >= timedCase.preRoll * 1_000 ? true : nil
                        }
                        Thread.sleep(forTimeInterval: 0.11 * Double(order))
                        return try perform(timedCase, poller)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func perform(_ timedCase: TimedCase, _ poller: StatePoller) throws -> Outcome {
        var performance = 1
        while true {
            let driver = try CaseDriver(timedCase.name, daemon, rig, poller)
            let switches = rig.happened("switch", at: timedCase.name).count
            try timedCase.script(driver)
            try driver.ended(timedCase.expected.count)
            try driver.quiet()
            try driver.closed()
            let offMs = try driver.offMs()
            guard offMs <= Self.toleranceMs || performance == Self.performancesMax else {
                // The next clip shall have its own pre-roll.
                Thread.sleep(forTimeInterval: Double(timedCase.preRoll + 1))
                performance += 1
                continue
            }
            let told = try daemon.vigil(["clips", "--camera", timedCase.name, "--json"])
            return Outcome(
                timedCase: timedCase, events: try driver.events,
                clips: try JSONDecoder().decode([ReportedClip].self, from: Data(told.output.utf8)),
                switches: Array(rig.happened("switch", at: timedCase.name).dropFirst(switches)), offMs: offMs,
                performances: performance)
        }
    }

    func end() {
        daemon.discard(rig)
    }
}
