import Catalog
import Foundation
import Machines
import Testing

@testable import Daemon
@testable import SiteSimulation

/// A store that refuses everybody, and a disk that fails in the moment in which it takes something again (docs/design/cloud.md,
/// "Outages and refusals").
@Suite("Uploads after a refusal") struct RefusedUploadTests {
    private func standings(_ run: SeedRun) throws -> [UploadStanding] {
        try #require(run.site).catalog.uploads(UploadQuery(limit: 10)).map(\.standing)
    }

    /// Something moves before the camera: a clip of some 20 s.
    private func record(_ run: SeedRun) {
        run.site?.tell(.detected(level: .low, zones: .anywhere), to: "cam1", by: "test")
        run.go(until: run.virtualTime.now + 60_000)
    }

    @Test("a job whose new try could not be kept is given it at a later look", arguments: [false, true])
    func retries(diskFails: Bool) throws {
        let folder = NSTemporaryDirectory() + "vigil-refused-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var plan = Simulation.Plan(seed: 1, hours: 1, cameras: 1)
        plan.storeEach = 1
        let run = try SeedRun(plan, folder: folder)
        run.scenario.assigned["cam1"] = "still"
        try run.start()
        run.go(until: run.virtualTime.now + 60_000)
        run.store.weather = .refusing
        record(run)
        run.go(until: run.virtualTime.now + 20 * 60_000)
        #expect(try standings(run) == [.failed])
        record(run)
        if diskFails {
            run.store.onChange = { _ in run.conditions.disk = .failing(.eio, percent: 100) }
        }
        run.store.weather = .fine
        // The longest time for which a store that refused is left alone.
        let end = run.virtualTime.now + 16 * 60_000
        while run.virtualTime.now < end, run.store.objects.isEmpty { run.go(until: run.virtualTime.now + 1_000) }
        #expect(!run.store.objects.isEmpty)
        run.go(until: run.virtualTime.now + 5_000)
        run.store.onChange = { _ in }
        run.conditions.disk = .fine
        run.go(until: run.virtualTime.now + 3 * 60_000)
        #expect(try standings(run).allSatisfy { $0 == .over })
        #expect(run.checker.violations.isEmpty, "\(run.checker.violations.map(\.words))")
        run.daemonRun?.die()
        run.site?.abandon()
    }
}
