import Catalog
import Foundation
import Machines
import Media
import Policies
import Testing

@testable import Daemon

/// How many transfers the worker begins, beside clips that are sent while they are written.
@Suite struct LivePlacesTests {
    private let root = NSTemporaryDirectory() + "vigil-gate-\(UUID().uuidString.prefix(8))"

    /// Jobs in hand whose machines have ordered a transfer: so many of clips that are written, between two rounds, and so many of
    /// closed ones, at work.
    private func work(live: Int, others: Int, in catalog: Catalog) throws -> [UploadWork] {
        let queue = SystemHost().queue("test.gate")
        return try (0..<live + others).map { number in
            let startMs = 1_795_428_000_000 + Int64(number) * 1_000
            let paths = try #require(ClipPaths(camera: "front", startWallMs: startMs, token: "k\(number)"))
            let clip = try catalog.openClip(
                NewClip(
                    camera: "front", bootID: "b", start: Moment(monotonicMs: 5, wallMs: startMs), cause: .continuous,
                    policy: "p", policyRevision: "1", mediaClass: .continuous),
                tracks: [NewTrack(kind: .video, codec: "avc1", path: paths.path(.video))],
                upload: NewUpload(
                    store: "s", url: "u", owner: "p", isLive: number < live, kept: UploadRecord.new(.none)))
            var machine = Upload(encode: false)
            _ = machine.step(.allow(true), at: Instant(ms: 1))
            let job = try #require(try catalog.upload(of: clip))
            let work = UploadWork(job, token: number, machine, timer: queue.timer {}, now: Instant(ms: 1))
            if number < live {
                let writer = ClipWriter(pathWithoutExtension: root + "/none") { _ in }
                work.live = LiveWork(clip: GrowingClip(id: clip, stem: paths.stem, written: writer.written))
            } else {
                work.order = (nil, 1, Task {})
            }
            return work
        }
    }

    @Test("Of several places one is left to live clips and one to all others; between rounds a live clip takes none")
    func places() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let catalog = try Catalog(root: root)
        var gate = StoreGate()
        let none = [UploadWork]()
        #expect(gate.room(parallel: 4, inHand: none) == 4 && gate.liveRoom(parallel: 4, inHand: none) == 4)
        let works = try work(live: 2, others: 3, in: catalog)
        let (live, others) = (Array(works.prefix(2)), Array(works.suffix(3)))
        #expect(live.allSatisfy { !$0.isAtWork && $0.waitingRound != nil } && others.allSatisfy(\.isAtWork))
        #expect(gate.room(parallel: 4, inHand: others) == 1, "without live clips all places are theirs")
        #expect(gate.room(parallel: 4, inHand: live) == 3 && gate.liveRoom(parallel: 4, inHand: live) == 4)
        #expect(gate.room(parallel: 4, inHand: works) == 0 && gate.liveRoom(parallel: 4, inHand: works) == 1)
        // One place is for whoever comes first.
        #expect(gate.room(parallel: 1, inHand: live) == 1 && gate.liveRoom(parallel: 1, inHand: live) == 1)
        for work in live { work.order = (nil, 1, Task {}) }
        #expect(live.allSatisfy { $0.isAtWork && $0.waitingRound == nil })
        #expect(gate.room(parallel: 4, inHand: live) == 2 && gate.liveRoom(parallel: 4, inHand: live) == 2)
        #expect(gate.room(parallel: 1, inHand: live) <= 0 && gate.liveRoom(parallel: 2, inHand: live) == 0)
        // In an outage one job of the queue is tried beside the live ones, each of which waits by itself.
        _ = gate.unreachable(at: Instant(ms: 1))
        #expect(gate.room(parallel: 4, inHand: live) == 1 && gate.room(parallel: 4, inHand: works) == 0)
        _ = gate.refused(works[0].id, "403", at: Instant(ms: 2))
        #expect(gate.room(parallel: 4, inHand: live) == 0 && gate.lets(works[0].id) && !gate.lets(works[1].id))
    }

    @Test("What waits for an encoder takes no place of a transfer, and does not keep a store from being tried")
    func encoding() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let works = try work(live: 0, others: 3, in: try Catalog(root: root))
        for work in works.prefix(2) {
            work.machine = Upload(encode: true)
            var facts: [Upload.Event] = [.allow(true), .sealed(Upload.Seal(digest: "d", bytes: 1))]
            while work.machine.state.phase != .encoding {
                try #require(!facts.isEmpty, "it comes to \(work.machine.state)")
                for effect in work.machine.step(facts.removeFirst(), at: Instant(ms: 1)) {
                    switch effect {
                    case .put(let number): facts.append(.uploaded(number))
                    case .recordAck(let number, _, _): facts.append(.acked(number))
                    default: break
                    }
                }
            }
        }
        var gate = StoreGate()
        #expect(works.map(\.isAtWork) == [false, false, true])
        #expect(gate.room(parallel: 4, inHand: works) == 3 && gate.liveRoom(parallel: 4, inHand: works) == 3)
        let encoding = works.prefix(2)
        #expect(gate.room(parallel: 4, inHand: encoding) == 4)
        _ = gate.unreachable(at: Instant(ms: 1))
        #expect(gate.room(parallel: 4, inHand: encoding) == 1 && gate.room(parallel: 4, inHand: works) == 0)
    }

    @Test("A live clip without anything new waits for no round")
    func caughtUp() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let work = try #require(try work(live: 1, others: 0, in: try Catalog(root: root)).first)
        work.live?.hasMore = false
        #expect(work.waitingRound == nil && !work.isAtWork && !work.isIdle)
        // Its clip is closed: the last transfer waits for the digests.
        work.live = nil
        #expect(work.waitingRound == nil && !work.isIdle)
    }
}
