import Catalog
import Foundation
import GRDB
import Machines
import Media
import Policies
import Provider
import Synchronization
import Testing

@testable import Daemon
@testable import Journal

@Suite("Storage monitor")
struct StorageMonitorTests {
    private let root = NSTemporaryDirectory() + "vigil-monitor-\(UUID().uuidString.prefix(8))"
    private static let day: Int64 = 86_400_000
    private static let startMs: Int64 = 1_795_428_000_000

    /// Clocks that go as they are told.
    private final class Hands: Clocks {
        private let times = Mutex<(now: Int64, wall: Int64)>((10_000_000, StorageMonitorTests.startMs))
        func now() -> Instant { Instant(ms: times.withLock { $0.now }) }
        func wallMs() -> Int64 { times.withLock { $0.wall } }
        /// Lets time pass, and sets the wall clock.
        func pass(_ ms: Int64, set: Int64 = 0) { times.withLock { $0 = ($0.now + ms, $0.wall + ms + set) } }
    }

    /// A disk on which no deletion can be marked until room is given back.
    private final class FullVolume: Volume {
        let spare = Mutex<Bool>(false)
        let given = Mutex<Int>(0)
        func place() -> VolumePlace? { VolumePlace(device: 1, inode: 1) }
        func room() -> (capacity: Int64, free: Int64)? { (1 << 40, 1 << 39) }
        func probe() -> String? { nil }
        func keepSpare() -> Bool {
            spare.withLock { $0 = true }
            return true
        }
        func giveSpare() -> Bool {
            guard spare.withLock({ kept in (kept, kept = false).0 }) else { return false }
            given.withLock { $0 += 1 }
            return true
        }
    }

    /// This machine with other clocks and another disk.
    private struct FullHost: Daemon.Host {
        let clock: any Clocks
        let disk = FullVolume()
        let isFull: Bool
        let motionPool: MotionPool? = nil
        private let system = SystemHost()

        init(clock: any Clocks, isFull: Bool) { (self.clock, self.isFull) = (clock, isFull) }
        func queue(_ label: String) -> any WorkQueue { system.queue(label) }
        func dial(_ camera: String, _ source: InputSource, to sink: any InputSink) -> any Dial {
            system.dial(camera, source, to: sink)
        }
        func volume(_ root: String) -> any Volume { disk }
        func disk<Result>(_ step: DiskStep, _ path: String, _ work: () throws -> Result) throws -> Result {
            if isFull, step == .delete, disk.given.withLock({ $0 }) == 0 {
                throw CatalogError(.markDeleting, path: "", cause: .full)
            }
            return try work()
        }
        func plans(
            _ request: PlanRequest, _ answer: @escaping @Sendable (Result<[UInt8], PlanFailure>) -> Void
        ) -> any PlanCall { system.plans(request, answer) }
        func clipToken() -> String? { nil }
    }

    /// A catalog with a clip of each of these ages, in milliseconds.
    private func catalog(_ ages: [Int64]) throws -> Catalog {
        let catalog = try Catalog(root: root)
        for age in ages {
            let start = Moment(monotonicMs: 1_000, wallMs: Self.startMs - age)
            let paths = try #require(ClipPaths(camera: "yard", startWallMs: start.wallMs))
            try catalog.makeFolder(of: paths)
            let id = try catalog.openClip(
                NewClip(
                    camera: "yard", bootID: "b", start: start, cause: .continuous, policy: "p", policyRevision: "1",
                    mediaClass: .continuous),
                tracks: [NewTrack(kind: .video, codec: "avc1.42C00C", path: paths.path(.video))])
            try catalog.closeClip(
                id,
                ClosedClip(
                    end: Moment(monotonicMs: 2_000, wallMs: start.wallMs + 1_000), ended: .length,
                    tracks: [TrackContents(bytes: 1_000, fragments: 1, durationMs: 1_000, index: Data([1]))]))
        }
        return catalog
    }

    private func monitor(
        _ catalog: Catalog, _ host: any Daemon.Host,
        rules: RetentionRules = RetentionRules(continuousMs: 30 * Self.day),
        journal: Journal = Journal { _ in }
    ) -> StorageMonitor {
        StorageMonitor(
            root: root, catalog: catalog, holds: ClipHolds(clock: host.clock),
            ages: AgeClock(host.clock, lastWallMs: nil),
            rules: StorageMonitor.Rules(
                reserve: .bytes(1), siteMaxBytes: nil,
                cameras: ["yard": rules]), host: host, journal: journal
        ) { _ in }
    }

    private func count(_ catalog: Catalog) throws -> Int { try catalog.clips(ClipQuery(camera: "yard")).count }

    @Test("Where no deletion can be marked for want of room, what was kept is given back, and is kept again later")
    func spare() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let hands = Hands()
        let catalog = try catalog([31 * Self.day, 1])
        let host = FullHost(clock: hands, isFull: true)
        _ = host.disk.keepSpare()
        let monitor = monitor(catalog, host)
        monitor.start()
        monitor.stop()
        #expect(try count(catalog) == 1 && host.disk.given.withLock { $0 } == 1)
        #expect(host.disk.spare.withLock { $0 } && monitor.report.storage == .ok)
        try catalog.close()
    }

    @Test("A person's deletion, and what is done at a start, get that room too; what fails for another reason does not")
    func spareForOthers() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let catalog = try catalog([1])
        let host = FullHost(clock: Hands(), isFull: true)
        _ = host.disk.keepSpare()
        let monitor = monitor(catalog, host)
        let clip = try #require(try catalog.clips(ClipQuery(camera: "yard")).first)
        guard case .deleted = try monitor.delete(clip, by: "me") else {
            Issue.record("not deleted")
            return
        }
        #expect(host.disk.given.withLock { $0 } == 1)
        try catalog.close()

        let volume = FullVolume()
        for (cause, tries, isGiven) in [
            (CatalogError.Cause.full, 2, true), (.io("x"), 2, true), (.full, 1, false), (.readOnly, 1, true),
        ] {
            if isGiven { _ = volume.keepSpare() }
            var count = 0
            #expect(throws: CatalogError.self) {
                try volume.withSpare {
                    count += 1
                    throw CatalogError(.recover, path: "", cause: cause)
                }
            }
            #expect(count == tries, "\(cause)")
        }
    }

    @Test("Sums that no disk holds take nothing away; the rules of age hold, and the journal names the remedy")
    func sums() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        for (column, value) in [
            ("usage SET bytes", "1e19"), ("usage SET bytes", "1 << 50"), ("clip SET bytes", "1e19"),
        ] {
            let why = Mutex<[String]>([])
            let journal = Journal { observed in
                guard case .record(.retentionBlocked, _, let fields) = observed else { return }
                why.withLock { $0 += fields.filter { $0.0 == .why }.map(\.1) }
            }
            let catalog = try catalog([31 * Self.day, 2, 1])
            let other = try DatabaseQueue(path: root + "/" + Catalog.fileName)
            try other.write { try $0.execute(sql: "UPDATE \(column) = \(value)") }
            try other.close()
            let monitor = monitor(
                catalog, FullHost(clock: Hands(), isFull: false),
                rules: RetentionRules(continuousMs: 30 * Self.day, maxBytes: 1 << 30), journal: journal)
            monitor.start()
            monitor.stop()
            journal.flush(timeoutMs: 60_000)
            #expect(try count(catalog) == 2, "\(column) = \(value)")
            #expect(why.withLock { $0 }.contains { $0.contains("vigil fsck --repair") }, "\(column) = \(value)")
            try catalog.close()
            try FileManager.default.removeItem(atPath: root)
        }
    }

    @Test("Room is kept and given back on a real disk, and a link in its place is not followed")
    func realSpare() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let volume = SystemHost().volume(root)
        #expect(!volume.giveSpare() && volume.keepSpare() && volume.keepSpare())
        let size = try FileManager.default.attributesOfItem(atPath: root + "/.spare")[.size] as? Int
        #expect(size == 4 << 20)
        #expect(volume.giveSpare() && !FileManager.default.fileExists(atPath: root + "/.spare"))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: root + "/other"))
        try FileManager.default.createSymbolicLink(atPath: root + "/.spare", withDestinationPath: root + "/other")
        #expect(!volume.keepSpare())
        #expect(try Data(contentsOf: URL(fileURLWithPath: root + "/other")) == Data("mine".utf8))
    }

    @Test("A clock that is set a year ahead takes nothing away; one that stays there is believed after six hours")
    func leap() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let hands = Hands()
        let catalog = try catalog([1, 2 * Self.day])
        let told = Mutex<[MessageKind]>([])
        let journal = Journal { observed in
            if case .record(let kind, _, _) = observed { told.withLock { $0.append(kind) } }
        }
        let monitor = monitor(catalog, FullHost(clock: hands, isFull: false), journal: journal)
        let rules = StorageMonitor.Rules(
            reserve: .bytes(1), siteMaxBytes: nil,
            cameras: ["yard": RetentionRules(continuousMs: 30 * Self.day)])
        func look() {
            monitor.change(rules)
            monitor.stop()
        }
        monitor.start()
        hands.pass(60_000, set: 365 * Self.day)
        look()
        #expect(try count(catalog) == 2)
        // The time server was wrong.
        hands.pass(3_600_000, set: -365 * Self.day)
        look()
        hands.pass(60_000, set: 365 * Self.day)
        look()
        hands.pass(AgeClock.doubtMs - 1)
        look()
        #expect(try count(catalog) == 2)
        hands.pass(1)
        look()
        #expect(try count(catalog) == 0)
        journal.flush(timeoutMs: 60_000)
        // Once for each leap.
        #expect(
            told.withLock { $0.filter { $0 == .clockDoubted || $0 == .retentionBlocked } } == [
                .clockDoubted, .clockDoubted,
            ])
        try catalog.close()
    }

    @Test("A clock that an earlier run has seen is believed at once, one far behind is, and a day ahead is")
    func believed() {
        let hands = Hands()
        let ahead = AgeClock(hands, lastWallMs: Self.startMs - AgeClock.leapMs - 1)
        #expect(ahead.wallMs() == Self.startMs - AgeClock.leapMs - 1 && ahead.doubt != nil)
        for last in [Self.startMs - AgeClock.leapMs, Self.startMs, Self.startMs + 100 * AgeClock.leapMs, .max, nil] {
            let ages = AgeClock(hands, lastWallMs: last)
            #expect(ages.wallMs() == Self.startMs && ages.doubt == nil)
        }
        // Without a battery clock a machine begins in 1970, and is set right when the network is there.
        let known = AgeClock(hands, lastWallMs: Self.startMs)
        hands.pass(1_000, set: -Self.startMs)
        #expect(known.wallMs() == 1_000)
        hands.pass(30_000, set: Self.startMs)
        #expect(known.wallMs() == Self.startMs + 31_000 && known.doubt == nil)
    }
}
