import Foundation
import Machines
import Testing

@testable import Catalog

/// Cuts each procedure between any two of its steps, reopens, recovers, and asks for D1 to D6 of
/// docs/design/durability.md. The cut number grows until the procedure runs to its end, so no step is left out.
@Suite struct CrashTests {
    /// Runs `procedure` with a cut at each step in turn; `after` gets the reopened, recovered catalog.
    func cutEverywhere(
        prepare: (CatalogHarness, Catalog) throws -> Void = { _, _ in },
        _ procedure: (CatalogHarness, Catalog, @escaping StepHook) throws -> Void,
        after: (CatalogHarness, Catalog, _ cut: String, RecoveryReport) throws -> Void
    ) throws {
        for number in 0... {
            let harness = CatalogHarness()
            defer { harness.remove() }
            let cutter = Cutter(at: number)
            var catalog = try harness.open()
            try prepare(harness, catalog)
            var cut: String?
            do { try procedure(harness, catalog, cutter.step) } catch let crash as Crash { cut = crash.step }
            guard let cut else {
                #expect(number > 1, "the procedure has no steps to cut between")
                return
            }
            try catalog.close()
            catalog = try reopen(harness, &catalog)
            let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
            try expectInvariants(harness, &catalog, cut: cut)
            try after(harness, catalog, cut, report)
        }
    }

    /// Drops the last reference to the old catalog before the lock is asked for again.
    private func reopen(_ harness: CatalogHarness, _ catalog: inout Catalog) throws -> Catalog {
        let path = harness.root
        catalog = try Catalog(root: path, mode: .readOnly)
        return try Catalog(root: path)
    }

    func expectInvariants(_ harness: CatalogHarness, _ catalog: inout Catalog, cut: String) throws {
        // D1, D2: every row's files are there with the size recorded, every file has a row; nothing is unfinished (D6).
        #expect(try catalog.openClips().isEmpty && catalog.deletingClips().isEmpty, "after a cut at \(cut)")
        let claimed = try catalog.clips(ClipQuery()).flatMap(\.tracks)
        #expect(harness.files(under: "clips") == claimed.map(\.path).sorted(), "after a cut at \(cut)")
        for track in claimed {
            let size = try FileManager.default.attributesOfItem(atPath: harness.url(track.path).path)[.size] as? Int64
            #expect(size == track.bytes && track.fragments > 0, "after a cut at \(cut)")
        }
        // D5: a second recovery finds nothing to do.
        let again = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
        #expect(again.interrupted.isEmpty && again.discarded.isEmpty && again.deleted.isEmpty)
        #expect(again.setAside.isEmpty && again.problems.isEmpty, "after a cut at \(cut)")
        // And a check from outside agrees.
        try catalog.close()
        catalog = try Catalog(root: harness.root, mode: .readOnly)
        let report = try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: true))
        #expect(report.findings.isEmpty, "after a cut at \(cut)")
        catalog = try harness.open()
    }

    @Test func `opening and closing a clip can be cut anywhere`() throws {
        try cutEverywhere(
            prepare: { harness, catalog in _ = try harness.record(catalog, "side") },
            { harness, catalog, hook in
                let (id, _) = try harness.openClip(
                    catalog, CatalogHarness.facts("front"), video: CatalogHarness.media(fragments: 3, torn: true),
                    audio: CatalogHarness.media(fragments: 2), hook: hook)
                try harness.closeClip(catalog, id, hook: hook)
            },
            after: { harness, catalog, cut, report in
                let front = try catalog.clips(ClipQuery(camera: "front"))
                switch cut {
                case "folder": #expect(front.isEmpty && report.setAside.isEmpty)
                case "file", "synced":
                    // Media that no row claims is kept, in a place that is told.
                    #expect(front.isEmpty && report.setAside.count == (cut == "file" ? 1 : 2))
                    for moved in report.setAside {
                        #expect(moved.to == "lost+found/" + moved.from)
                        #expect(FileManager.default.fileExists(atPath: harness.url(moved.to).path))
                    }
                case "row", "scanned":
                    #expect(front.map(\.ended) == [.interrupted] && report.interrupted == front.map(\.id))
                    #expect(front.first?.tracks.map(\.fragments) == [3, 2] && front.first?.incomplete == false)
                default: #expect(front.map(\.ended) == [.length] && report.interrupted.isEmpty)
                }
            })
    }

    @Test func `deleting clips can be cut anywhere, and a protected one outlives it`() throws {
        try cutEverywhere(
            prepare: { harness, catalog in
                for second in Int64(0)..<3 { try harness.record(catalog, atMs: CatalogHarness.startMs + second * 1000) }
                try catalog.protect([ClipID(rawValue: 2)], true)
            },
            { harness, catalog, hook in
                let ids = [1, 2, 3].map { ClipID(rawValue: $0) }
                let before = harness.files(under: "clips")
                _ = try Deleter(catalog: catalog) { step in
                    // D3: no file goes before the mark is durable.
                    if step == "mark" || step == "marked" { #expect(harness.files(under: "clips") == before) }
                    try hook(step)
                }.delete(ids, rule: "siteSize", atWallMs: 7)
            },
            after: { _, catalog, cut, report in
                let left = try catalog.clips(ClipQuery()).map(\.id.rawValue)
                let ledger = try catalog.deletions(camera: "front", fromWallMs: 0, toWallMs: .max)
                // D4, and the ledger has exactly the clips that are gone.
                #expect(left == (cut == "mark" ? [1, 2, 3] : [2]))
                #expect(ledger.map(\.clip.rawValue) == (cut == "mark" ? [] : [1, 3]))
                #expect(report.deleted.count == (["mark", "finished"].contains(cut) ? 0 : 2))
            })
    }

    @Test func `recovery itself can be cut anywhere`() throws {
        try cutEverywhere(
            prepare: { harness, catalog in
                try harness.record(catalog, "side")
                let gone = try harness.record(catalog, "side", atMs: CatalogHarness.startMs + 1000)
                _ = try catalog.markDeleting([gone], rule: "siteSize", atWallMs: 1)
                try harness.openClip(
                    catalog, CatalogHarness.facts("front"), video: CatalogHarness.media(fragments: 2, torn: true),
                    audio: Data())
                try harness.openClip(catalog, CatalogHarness.facts("yard"), video: Data("HEADF".utf8), audio: Data())
                try CatalogHarness.media(fragments: 1).write(to: harness.url("clips/side/stray.cmfv"))
                try catalog.beginEvent(
                    catalog.newEventID(),
                    NewEvent(
                        camera: "front", bootID: "boot-1", began: Moment(monotonicMs: 1, wallMs: 1), cause: "command"))
            },
            { _, catalog, hook in _ = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner, hook: hook).run()
            },
            after: { harness, catalog, cut, _ in
                let clips = try catalog.clips(ClipQuery())
                #expect(clips.filter { $0.camera == "front" }.map(\.ended) == [.interrupted])
                #expect(clips.filter { $0.camera == "yard" }.isEmpty)
                #expect(clips.filter { $0.camera == "side" }.count == 1)
                let events = try catalog.events(EventQuery())
                #expect(events.map(\.why) == [.interrupted])
                #expect(harness.files(under: "lost+found").contains("lost+found/clips/side/stray.cmfv"), "\(cut)")
            })
    }

    /// A child works on a root and is killed by a timer of the kernel in the middle of whatever it does.
    @Test func `a process that is killed at any moment leaves nothing that recovery cannot settle`() async throws {
        for round in 0..<6 {
            let harness = CatalogHarness()
            defer { harness.remove() }
            let microseconds = 150_000 + round * 61_000
            await #expect(processExitsWith: .signal(SIGALRM)) {
                [harness = harness as CatalogHarness, microseconds = microseconds as Int] in
                let catalog = try harness.open()
                _ = try harness.record(catalog, "side")
                var timer = itimerval()
                timer.it_value = timeval(tv_sec: 0, tv_usec: microseconds)
                setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
                for second in Int64(0)... {
                    let id = try harness.record(catalog, atMs: CatalogHarness.startMs + second * 1000)
                    if second % 3 == 2 {
                        _ = try Deleter(catalog: catalog).delete([id], rule: "siteSize", atWallMs: second)
                    }
                }
            }
            var catalog = try harness.open()
            let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
            #expect(report.problems.isEmpty)
            try expectInvariants(harness, &catalog, cut: "a kill after \(microseconds) µs")
            #expect(try !catalog.clips(ClipQuery(camera: "side")).isEmpty)
        }
    }
}
