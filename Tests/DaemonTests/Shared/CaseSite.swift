import Foundation
import Synchronization

/// One daemon and its cameras, before which cases are run, all at the same time, each on a thread of its own.
final class CaseSite: Sendable {
    /// A stimulus may be so far from its plan, in milliseconds. Where one was further, since the machine stood still for a
    /// moment, the case is run again: so it is the stimulus that decides about that, never what came of it.
    static let toleranceMs = 400
    static let performancesMax = 6

    let folder: String
    let rig: Rig
    let daemon: RunningDaemon
    private let standstill = Standstill()

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
            let begin = Rig.now()
            let switches = rig.happened("switch", at: timedCase.name).count
            try timedCase.script(driver)
            try driver.ended(timedCase.expected.count)
            try driver.quiet()
            try driver.closed()
            let offMs = try driver.offMs()
            let isOff = max(offMs, standstill.worstMs(since: begin)) > Self.toleranceMs
            guard !isOff || performance == Self.performancesMax else {
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
        standstill.end()
        daemon.discard(rig)
    }
}

/// Notes when the machine is too busy: a thread that wants to run each 50 ms, and by how much it came too late. The daemon and the
/// cameras run on the same processors, and are held up like it.
private final class Standstill: Sendable {
    private struct State {
        var isOver = false
        /// What came later than the others by 100 ms or more.
        var late: [(moment: Int, ms: Int)] = []
    }

    private let state = Mutex(State())

    init() {
        Thread.detachNewThread { [self] in
            var before = Rig.now()
            while !state.withLock({ $0.isOver }) {
                Thread.sleep(forTimeInterval: 0.05)
                let now = Rig.now()
                if case let ms = now - before - 50, ms >= 100 { state.withLock { $0.late.append((now, ms)) } }
                before = now
            }
        }
    }

    /// The longest since a moment, in milliseconds.
    func worstMs(since begin: Int) -> Int {
        state.withLock { $0.late.reduce(0) { $1.moment >= begin ? max($0, $1.ms) : $0 } }
    }

    func end() { state.withLock { $0.isOver = true } }
}
