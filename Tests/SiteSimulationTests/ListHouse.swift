import Catalog
import Cloud
import Foundation
import Machines
import Media
import ObjectStore
import Policies
import Synchronization
import Testing

@testable import Daemon
@testable import Journal
@testable import SiteSimulation

/// What keeps the lists of days, in virtual time, with a real catalog and a store that does what it is told.
final class ListHouse {
    /// 2026-11-23T10:00:00Z
    static let beginMs: Int64 = 1_795_428_000_000

    let folder = NSTemporaryDirectory() + "vigil-lists-\(UUID().uuidString.prefix(8))"
    let virtualTime = VirtualTime(seed: 7)
    let store: SimulatedStore
    private(set) var catalog: Catalog
    private let conditions: HostConditions
    private var daemonRun: DaemonRun
    private(set) var lists: DayLists
    private var cloud: CloudStore
    private let heard = Heard()
    private var clips = 0

    /// The keys of lists that came or went.
    private(set) var changes: [String] = []
    var zone = "UTC"

    private final class Heard: Sendable {
        let kinds = Mutex([MessageKind]())
    }

    init() throws {
        conditions = HostConditions(virtualTime, breaks: [])
        store = SimulatedStore(virtualTime)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        catalog = try Catalog(root: folder)
        (daemonRun, lists, cloud) = try Self.make(catalog, folder, virtualTime, conditions, store, heard)
        store.onChange = { [unowned self] in if $0.hasPrefix("days/") { changes.append($0) } }
    }

    deinit {
        daemonRun.die()
        try? catalog.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func make(
        _ catalog: Catalog, _ folder: String, _ virtualTime: VirtualTime, _ conditions: HostConditions,
        _ store: SimulatedStore, _ heard: Heard
    ) throws -> (DaemonRun, DayLists, CloudStore) {
        let daemonRun = DaemonRun(virtualTime: virtualTime, conditions: conditions, boot: 1, bootedAt: -60_000)
        let host = SimulatedHost(
            daemonRun: daemonRun, files: FileLedger(root: folder, conditions: conditions), cameras: [:], store: store)
        let scenario = Scenario(assigned: ["cam1": "round"], names: ["cam1"], hasCloud: true)
        let settings = try #require(try scenario.load().result.get().configuration.cloud)
        let journal = Journal { if case .record(let kind, _, _) = $0 { heard.kinds.withLock { $0.append(kind) } } }
        return (
            daemonRun, DayLists(catalog: catalog, host: host, journal: journal),
            try CloudStore(settings, CredentialStore(references: [:]), host)
        )
    }

    /// The process is killed, and the next one starts.
    func kill() throws {
        daemonRun.die()
        try catalog.close()
        catalog = try Catalog(root: folder)
        (daemonRun, lists, cloud) = try Self.make(catalog, folder, virtualTime, conditions, store, heard)
    }

    /// The worker of the queue looks, and so much time goes by.
    func look(hasStore: Bool = true, isBusy: Bool = false, seconds: Int64 = 2) throws {
        lists.follow(
            DayLists.Situation(
                store: hasStore ? cloud : nil, zone: try #require(TimeZone(identifier: zone)), isBusy: isBusy))
        pass(seconds)
    }

    func pass(_ seconds: Int64) { virtualTime.run(until: virtualTime.now + seconds * 1_000) }

    func count(_ kind: MessageKind) -> Int { heard.kinds.withLock { kinds in kinds.count { $0 == kind } } }

    /// Enters a clip of so many fragments of 2 s, which begins so long after the begin.
    @discardableResult
    func enter(_ camera: String = "cam1", hours: Double = 0, fragments: Int = 10) throws -> RemoteClipID {
        clips += 1
        let startMs = Self.beginMs + Int64(hours * 3_600_000)
        let key = try #require(ClipPaths(camera: camera, startWallMs: startMs, token: "k\(clips)")).stem
        let description = ClipDescription.listed(camera, startMs, fragments)
        return try #require(
            try catalog.enterRemote(
                description.remote(
                    key: key, store: cloud.name, url: "http://x", verified: Verification(how: "crc32c", wallMs: 1))))
    }

    func remove(_ ids: RemoteClipID...) throws {
        try catalog.removeRemote(ids, rule: "command", atWallMs: Self.beginMs)
    }

    /// The lists that the store has, with how many clips each plays.
    var listed: [String: Int] {
        store.objects.filter { $0.key.hasPrefix("days/") }.mapValues { body in
            String(decoding: body, as: UTF8.self).split(separator: "\n").count { $0.hasSuffix("/index.m3u8") }
        }
    }
}

extension ClipDescription {
    /// A clip of pictures that nobody wrote.
    static func listed(_ camera: String, _ startMs: Int64, _ fragments: Int) -> ClipDescription {
        let entries = (0..<UInt64(fragments)).map { number in
            FragmentIndex.Entry(
                offset: 100 + number * 1_000, size: 1_000, decodeTime: number * 2_000, durationTicks: 2_000,
                sampleCount: 50, startsWithKey: true)
        }
        let index = FragmentIndex(timescale: 1_000, headerBytes: 100, entries: entries)
        let (bytes, lengthMs) = (Int64(100 + fragments * 1_000), Int64(fragments) * 2_000)
        let sum = String(repeating: "a", count: 64)
        return ClipDescription(
            camera: camera, bootID: "7d2c0f4a", startMonotonicMs: 60_000, endMonotonicMs: 60_000 + lengthMs,
            startWallMs: startMs, endWallMs: startMs + lengthMs, cause: .detection, mediaClass: .event, ended: .quiet,
            policy: "shop", policyRevision: "0a1b", isIncomplete: false,
            tracks: [
                Track(
                    kind: .video, codec: "avc1.64001f", bytes: bytes, sha256: sum, durationMs: lengthMs, width: 1_920,
                    height: 1_080, index: Data(index.encoded()),
                    objects: [Object(name: CloudKeys.track(.video), firstByte: 0, bytes: bytes, sha256: sum)])
            ], events: [])
    }
}
