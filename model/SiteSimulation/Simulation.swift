internal import Foundation
internal import Machines

/// The daemon's shell under virtual time: the real actors, recorders, catalog, files and recovery, with scripted
/// cameras, a disk that is late and fails, and deaths at any moment. docs/design/simulation.md says what is real.
public enum Simulation {
    /// What is to be run. The same plan gives the same story on every machine.
    public struct Plan: Sendable {
        /// Chooses everything that happens.
        public var seed: UInt64
        /// Hours of virtual time.
        public var hours: Int64
        /// How many cameras the site has.
        public var cameras: Int
        /// For how many hours the store is away at the end; 0: not at all.
        public var outageHours: Int64 = 0
        /// Seeds that this divides have a store; at least 1. One takes up to six times as long as one without.
        public var storeEach: UInt64 = 2
        /// How far all key frames are apart, in milliseconds; nil: as the seed draws it.
        public var groupMs: Int64?
        /// How the shell is broken on purpose.
        public var breaks: Set<ShellBreak> = []

        /// A plan.
        public init(seed: UInt64, hours: Int64, cameras: Int) {
            self.seed = seed
            self.hours = hours
            self.cameras = cameras
        }
    }

    /// What came of it.
    public struct Outcome: Sendable {
        /// The rules that did not hold, in words; a run ends with the first.
        public var violations: [String] = []
        /// The last steps before it, in words.
        public var story: [String] = []
        /// Over every record and step: equal for two runs of one plan.
        public var digest: UInt64 = 0
        /// Over every state and effect: equal for two runs of one plan in one process.
        public var stateHash = 0
        /// Virtual time, in milliseconds.
        public var ms: Int64 = 0
        /// Camera-milliseconds of virtual time.
        public var cameraMs: Int64 = 0
        /// What was counted, by name.
        public var counts: [String: Int] = [:]
        /// How often each class of fault has struck.
        public var faults: [Fault: Int] = [:]
    }

    /// How many steps of the story are told when a rule does not hold.
    public static let storyLines = 80

    /// Runs a plan in a folder of its own below `folder`, which is removed. Blocking.
    public static func run(_ plan: Plan, storyLines: Int = storyLines, in folder: String = scratch) -> Outcome {
        let folder = folder + "/vigil-simulation-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var outcome = Outcome()
        do {
            let seedRun = try SeedRun(plan, folder: folder)
            do { try seedRun.run(hours: plan.hours, outageHours: plan.outageHours) } catch {
                seedRun.checker.fail("simulation", nil, "\(error)")
            }
            outcome = seedRun.outcome(storyLines)
        } catch { outcome.violations = ["the simulation cannot begin: \(error)"] }
        return outcome
    }

    /// A folder in memory where there is one.
    public static var scratch: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }
}

extension SeedRun {
    fileprivate func outcome(_ lines: Int) -> Simulation.Outcome {
        var outcome = Simulation.Outcome()
        outcome.violations = checker.violations.prefix(5).map {
            "\($0.rule) at \(RunLog.clock($0.at))\($0.camera.map { " on " + $0 } ?? ""): \($0.words)"
        }
        if let first = checker.violations.first {
            outcome.story = checker.story.tail(lines, of: first.camera)
        }
        outcome.digest = checker.story.digest
        outcome.stateHash = checker.story.stateHash
        outcome.ms = virtualTime.now
        outcome.cameraMs = virtualTime.now * Int64(scenario.names.count)
        outcome.counts = [
            "lives": lives, "deaths": deaths, "power cuts": powerCuts, "clips": checker.clipsAudited,
            "frames in clips": checker.framesFound, "frames sent": cameras.reduce(0) { $0 + $1.sent.count },
            "dials": cameras.reduce(0) { $0 + $1.dials }, "disk failures": files.failures,
            "frames seen": framesSeen, "slow viewers": slowViewers, "machine steps": checker.story.machineSteps,
            "records": checker.story.records,
            "store requests": store.requests, "store faults": store.faults, "uploads done": checker.uploadsDone,
            "lists of days": checker.listsSeen,
            "most clips asked in an outage": store.clipsAsked, "most steps in a minute": virtualTime.minuteMax,
            "most disk failures in a minute": files.failuresMax,
            "deletions": checker.deletions.values.reduce(0, +), "virtualTime steps": virtualTime.steps,
        ]
        for fault in Fault.allCases { outcome.faults[fault] = conditions.struck[fault] ?? 0 }
        for (why, count) in checker.ignored { outcome.counts["ignored as \(why.rawValue)"] = count }
        return outcome
    }
}
