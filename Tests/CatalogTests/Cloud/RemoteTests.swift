import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("What the cloud has")
struct RemoteTests {
    let harness = CatalogHarness()
    private let startMs = CatalogHarness.startMs

    private func event(_ began: Int64, ended: Int64? = nil, picture: String? = nil) -> NewRemoteEvent {
        NewRemoteEvent(
            bootID: "boot-1", beganMonotonicMs: began, beganWallMs: startMs + began, endedWallMs: ended,
            cause: "detection", level: .low, detections: ended == nil ? 0 : 3, zones: ended == nil ? [] : ["door", ""],
            picture: picture)
    }

    @Test("Days, slices and events are those of the remote clips, whatever becomes of the local ones")
    func timeline() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        // Two minutes in the first hour, one of them over its end, and a clip of another camera.
        let long = event(10, ended: startMs + 5_000, picture: "clips/front/p.jpg")
        let first = try #require(
            try catalog.enterRemote(
                CatalogHarness.found(atMs: startMs, lengthMs: 60_000, events: [event(10), event(20)])))
        let second = try #require(
            try catalog.enterRemote(
                CatalogHarness.found(atMs: startMs + 3_570_000, lengthMs: 60_000, events: [long])))
        _ = try catalog.enterRemote(CatalogHarness.found("side", atMs: startMs, lengthMs: 60_000, events: [event(10)]))
        try catalog.close()
        catalog = try harness.open()
        let hours = [startMs, startMs + 3_600_000, startMs + 7_200_000, startMs + 9_000_000]
        #expect(try catalog.remoteMs(camera: "front", boundaries: hours) == [90_000, 30_000, 0])
        #expect(
            try catalog.remoteSlices(camera: "front", fromWallMs: hours[1], toWallMs: hours[2]).map(\.id) == [second])
        #expect(
            try catalog.remoteSlices(camera: "front", fromWallMs: startMs, toWallMs: hours[2]).map(\.id) == [
                first, second,
            ])
        // The event that the first clip told before it had ended is told whole by the second.
        func events(offset: Int = 0, limit: Int = 9) throws -> [RemoteEvent] {
            try catalog.remoteEvents(
                camera: "front", fromWallMs: startMs, toWallMs: hours[1], offset: offset, limit: limit)
        }
        #expect(try events().map(\.event) == [long, event(20)])
        #expect(try events().map(\.clips) == [[first, second], [first]])
        #expect(try events(offset: 1).map(\.event) == [event(20)] && events(limit: 1).count == 1)
        #expect(try catalog.remoteUsage().map(\.clips) == [2, 1])
        // An event goes with the last of its clips.
        try catalog.removeRemote([first], rule: "cloudAge", atWallMs: 7)
        #expect(try events().map(\.event) == [long] && events().map(\.clips) == [[second]])
        try catalog.removeRemote([second, second], rule: "cloudAge", atWallMs: 7)
        #expect(try events().isEmpty && catalog.remoteUsage().map(\.camera) == ["side"])
        #expect(try catalog.remoteMs(camera: "front", boundaries: hours) == [0, 0, 0])
        #expect(try catalog.remoteDeletions(limit: 9).count == 2)
    }

    @Test("A rebuild enters what it finds once, completes what was only sent live, and leaves out what is going")
    func rebuild() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        var live = try CatalogHarness.found(atMs: startMs, lengthMs: 100)
        live.isComplete = false
        let id = try catalog.enterRemote(live)
        let whole = try CatalogHarness.found(atMs: startMs, lengthMs: 900, events: [event(10)])
        #expect(try catalog.enterRemote(whole) == id && catalog.enterRemote(whole) == id)
        let remote = try #require(try catalog.remoteClip(key: whole.key))
        #expect(try remote.isComplete && remote.endWallMs == startMs + 900 && catalog.remoteClip(remote.id) == remote)
        #expect(try catalog.remoteDescription(of: remote.id) == whole.description)
        #expect(try catalog.remoteUsage() == [RemoteUsage(camera: "front", clips: 1, bytes: 50)])
        try catalog.removeRemote([remote.id], rule: "planRetention", atWallMs: 1)
        #expect(try catalog.enterRemote(whole) == nil)
        // No job brought it, so whoever reads the ledger deletes the objects.
        let owed = try catalog.remoteDeletions(limit: 9)
        #expect(owed.map(\.key) == [whole.key] && owed.map(\.upload) == [nil])
        try catalog.settleRemoteDeletion(key: whole.key, store: whole.store, atWallMs: 2)
        #expect(try catalog.enterRemote(whole) != nil)
    }

    @Test("What exists only in the cloud is told from what is on the disk too, and the oldest come first")
    func onlyThere() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload())
        let both = try #require(try harness.acknowledge(catalog, clip))
        let old = try #require(try catalog.enterRemote(CatalogHarness.found(atMs: startMs - 9_000)))
        #expect(try catalog.remoteOnly(camera: "front").map(\.id) == [old])
        _ = try Deleter(catalog: catalog).delete([clip], rule: "siteSize", atWallMs: 1)
        #expect(try catalog.remoteOnly(camera: "front").map(\.id) == [both, old])
        #expect(try catalog.remoteOnly(camera: "front", after: both).map(\.id) == [old])
        let oldest = try catalog.oldestRemote(camera: "front", limit: 9)
        #expect(oldest.map(\.id) == [old.rawValue, both.rawValue])
        let plan = CloudRetentionPlan(
            oldest, limits: ["front": .init(ageMs: 5_000)], nowMs: startMs - 9_000 + 300 + 5_000)
        #expect(plan.deletions.map(\.id) == [old.rawValue] && plan.deletions.map(\.rule) == [.cloudAge])
    }

    @Test("The remote clips of a time are summed, those apart that ended by a moment and those that the disk has lost")
    func sums() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clip = try harness.record(catalog, upload: CatalogHarness.upload())
        let both = try #require(try harness.acknowledge(catalog, clip).flatMap(catalog.remoteClip))
        let old = try #require(
            try catalog.enterRemote(CatalogHarness.found(atMs: startMs - 9_000)).flatMap(catalog.remoteClip))
        func sum(_ from: Int64 = .min, to: Int64 = .max, endedBy: Int64 = .min) throws -> RemoteSum? {
            try catalog.remoteSum(camera: "front", fromWallMs: from, toWallMs: to, endedByWallMs: endedBy)
        }
        let all = try #require(try sum(endedBy: old.endWallMs))
        #expect(all.clips == 2 && all.bytes == old.bytes + both.bytes)
        #expect(all.agedClips == 1 && all.agedBytes == old.bytes && all.aloneClips == 1 && all.aloneBytes == old.bytes)
        #expect(all.firstEndMs == old.endWallMs && all.lastEndMs == both.endWallMs)
        #expect(try sum(endedBy: old.endWallMs - 1)?.agedClips == 0 && sum(both.startWallMs)?.aloneClips == 0)
        #expect(try sum(to: old.startWallMs) == nil && sum(to: old.startWallMs + 1)?.clips == 1)
        #expect(try catalog.remoteStart(camera: "front", fromWallMs: .min) == old.startWallMs)
        #expect(try catalog.remoteStart(camera: "front", fromWallMs: old.startWallMs + 1) == both.startWallMs)
        #expect(try catalog.remoteStart(camera: "front", fromWallMs: both.startWallMs + 1) == nil)
        _ = try Deleter(catalog: catalog).delete([clip], rule: "siteSize", atWallMs: 1)
        #expect(try sum()?.aloneClips == 2)
    }

    @Test("Of slices and events those can be asked for that the cloud alone has; an event's row on the disk is named")
    func alone() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let began = Moment(monotonicMs: 10, wallMs: startMs + 10)
        let event = catalog.newEventID()
        try catalog.beginEvent(
            event, NewEvent(camera: "front", bootID: "boot-1", began: began, cause: "detection", level: .low))
        let clip = try harness.record(catalog, upload: CatalogHarness.upload())
        let both = try #require(try harness.acknowledge(catalog, clip, events: [self.event(10), self.event(20)]))
        let old = try #require(
            try catalog.enterRemote(CatalogHarness.found(atMs: startMs - 9_000, events: [self.event(-9_000)])))
        func slices(isGone: Bool) throws -> [RemoteClipID] {
            try catalog.remoteSlices(camera: "front", fromWallMs: startMs - 90_000, toWallMs: .max, isGone: isGone)
                .map(\.id)
        }
        func events(isGone: Bool, _ order: ClipQuery.Order = .oldestFirst, limit: Int = 9) throws -> [RemoteEvent] {
            try catalog.remoteEvents(
                camera: "front", fromWallMs: startMs - 90_000, toWallMs: .max, isGone: isGone, order: order,
                limit: limit)
        }
        #expect(try slices(isGone: false) == [old, both] && slices(isGone: true) == [old])
        #expect(try events(isGone: false).map(\.local) == [nil, event, nil])
        // The disk has the clip in which the second lies, and a row of it; of the third it has no row.
        #expect(try events(isGone: true).map(\.event.beganMonotonicMs) == [-9_000, 20])
        #expect(try events(isGone: true, .newestFirst, limit: 1).map(\.event.beganMonotonicMs) == [20])
        let boundaries = [startMs - 90_000, startMs, startMs + 60_000]
        #expect(try catalog.remoteEventCounts(camera: "front", boundaries: boundaries) == [1, 2])
        #expect(try catalog.remoteEventCounts(camera: "front", boundaries: boundaries, isUnknown: true) == [1, 1])
        _ = try Deleter(catalog: catalog).delete([clip], rule: "siteSize", atWallMs: 1)
        #expect(try slices(isGone: true) == [old, both])
        #expect(try events(isGone: true, .newestFirst).map(\.local) == [nil, event, nil])
    }

    @Test("A subscription's dates are kept by wall time")
    func subscriptions() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let kept = [
            CloudSubscription(
                camera: "back", plan: .active(untilWallMs: 5), retentionMs: 7, state: "validData",
                planName: "Seven days",
                manageURL: "https://example.org/plan", loadedWallMs: 3, failure: "timeout"),
            CloudSubscription(
                camera: "front", plan: .expired(atWallMs: 5), gone: .at(wallMs: 9), retentionMs: 7, state: "x"),
            CloudSubscription(camera: "side", plan: .expired(atWallMs: nil), gone: .over, retentionMs: 0, state: "x"),
            CloudSubscription(camera: "yard", plan: .none, retentionMs: 7, state: "noService"),
        ]
        for subscription in kept { try catalog.saveSubscription(subscription) }
        try catalog.saveSubscription(kept[0])
        #expect(try catalog.subscriptions() == kept)
    }
}
