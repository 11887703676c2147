import Catalog
import Foundation
import Machines
import Testing

@testable import Daemon
@testable import SiteSimulation

/// A store that refuses everybody, and a disk that fails in the moment in which it takes something again (docs/design/cloud.md,
/// "Outages and refusals").
@Suite("Uploads after a refusal") struct RefusedUploadTests {
    /// How a run ended.
    private struct Outcome {
        var standings: [UploadStanding] = []
        /// When the journal said that the store takes clips again, by virtual time.
        var reachableAt: Int64?
        /// Whether a job's new try could not be kept then.
        var isUnkept = false
    }

    /// Two clips. The first one's job fails because the store refuses everybody, the second one's is there when the store is well
    /// again. The disk fails for five seconds from `failsAt` on; three minutes later all is to be sent.
    private func play(failsAt: Int64? = nil) throws -> Outcome {
        let folder = NSTemporaryDirectory() + "vigil-refused-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var plan = Simulation.Plan(seed: 1, hours: 1, cameras: 1)
        plan.storeEach = 1
        let run = try SeedRun(plan, folder: folder)
        run.scenario.assigned["cam1"] = "still"
        try run.start()
        let site = try #require(run.site)
        func standings() throws -> [UploadStanding] {
            try site.catalog.uploads(UploadQuery(limit: 10)).map(\.standing)
        }
        func record() {
            site.tell(.detected(level: .low, zones: .anywhere), to: "cam1", by: "test")
            run.go(until: run.virtualTime.now + 60_000)
        }
        run.go(until: run.virtualTime.now + 60_000)
        run.store.weather = .refusing
        record()
        run.go(until: run.virtualTime.now + 20 * 60_000)
        #expect(try standings() == [.failed])
        record()
        run.store.weather = .fine
        // The longest time for which a store that refused is left alone, and a transfer.
        let end = run.virtualTime.now + 16 * 60_000
        if let failsAt {
            run.go(until: failsAt)
            run.conditions.disk = .failing(.eio, percent: 100)
            run.go(until: failsAt + 5_000)
            run.conditions.disk = .fine
        }
        run.go(until: end)
        run.go(until: run.virtualTime.now + 3 * 60_000)
        #expect(run.checker.violations.isEmpty, "\(run.checker.violations.map(\.words))")
        var outcome = Outcome(standings: try standings())
        for line in run.checker.story.tail(4_000, of: nil) {
            if line.hasSuffix("site says storeReachable ") { outcome.reachableAt = Self.ms(line.prefix(12)) }
            if line.contains("cam1 says uploadsWait job=1 ") { outcome.isUnkept = true }
        }
        run.daemonRun?.die()
        run.site?.abandon()
        return outcome
    }

    /// The time that `RunLog.clock` has written.
    private static func ms(_ clock: Substring) -> Int64? {
        let parts = clock.split { $0 == ":" || $0 == "." }.compactMap { Int64($0) }
        return parts.count == 4 ? ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1_000 + parts[3] : nil
    }

    @Test("a job whose new try could not be kept is given it at a later look")
    func retries() throws {
        let well = try play()
        #expect(well.standings == [.over, .over] && !well.isUnkept)
        // The same until a moment before the store takes something.
        let failing = try play(failsAt: #require(well.reachableAt) - 1)
        #expect(failing.isUnkept)
        #expect(failing.standings == [.over, .over])
    }
}
