import Foundation

/// One daemon and its cameras, before which plays are performed, all at the same time, each on a thread of its own.
final class Theatre: Sendable {
    /// A stimulus may be so far from its plan, in milliseconds. Where one was further, since the machine stood still for a
    /// moment, the play is performed again: so it is the stimulus that decides about that, never what came of it.
    static let toleranceMs = 400
    static let performancesMax = 3

    let folder: String
    let rig: Rig
    let daemon: RunningDaemon

    init(_ plays: [Play]) throws {
        folder = try RunningDaemon.freshFolder()
        let still = plays.map { ($0.name, "still.mp4") }
        rig = try Rig(media: Scene.media, cameras: Dictionary(still) { $1 }, in: folder)
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        var cameras = ""
        for play in plays {
            let file = folder + "/policies/\(play.name).yaml"
            try play.policy.write(toFile: file, atomically: true, encoding: .utf8)
            cameras += """
                  \(play.name):
                    main: \(rig.urls[play.name] ?? "")
                    policy: \(play.name)
                \(play.isZoned ? "    zones: { sky: [[0, 0], [1, 0], [1, 0.3], [0, 0.3]] }\n" : "")\
                \(play.looks ? "" : "    detection: 'off'\n")
                """
        }
        try "http: { listen: none }\npolicies: [ policies/ ]\ncameras:\n\(cameras)"
            .write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
    }

    /// Performs plays; they begin a moment apart, so that their commands do not all come at once.
    func perform(_ plays: [Play]) async throws -> [Outcome] {
        let sight = Sight(daemon)
        defer { sight.end() }
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            for (order, play) in plays.enumerated() {
                group.addTask { [self] in
                    try await RunningDaemon.aside { [self] in
                        // So that pre-roll can be had in full.
                        _ = try sight.wait("media of \(play.name)") { view in
                            (view.rings[play.name] ?? 0) >= play.preRoll * 1_000 ? true : nil
                        }
                        Thread.sleep(forTimeInterval: 0.11 * Double(order))
                        return try perform(play, sight)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func perform(_ play: Play, _ sight: Sight) throws -> Outcome {
        var performance = 1
        while true {
            let stage = try Stage(play.name, daemon, rig, sight)
            let switches = rig.happened("switch", at: play.name).count
            try play.script(stage)
            try stage.ended(play.expected.count)
            try stage.quiet()
            try stage.closed()
            let offMs = try stage.offMs()
            guard offMs <= Self.toleranceMs || performance == Self.performancesMax else {
                // The next clip shall have its own pre-roll.
                Thread.sleep(forTimeInterval: Double(play.preRoll + 1))
                performance += 1
                continue
            }
            let told = try daemon.vigil(["clips", "--camera", play.name, "--json"])
            return Outcome(
                play: play, events: try stage.events,
                clips: try JSONDecoder().decode([ToldClip].self, from: Data(told.output.utf8)),
                switches: Array(rig.happened("switch", at: play.name).dropFirst(switches)), offMs: offMs,
                performances: performance)
        }
    }

    func end() {
        daemon.end(SIGKILL)
        rig.end()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
