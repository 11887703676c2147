import Daemon
import Foundation
import Journal
import Machines
import Media
import Policies
import Synchronization
import Testing

/// The parts of a daemon in this process, on this machine, with one camera of the rig that sends G.711.
private final class Household: Sendable {
    let folder: String
    let rig: Rig
    let site: HostedSite
    /// Kinds of the records that the journal was told.
    let told: Told

    /// What the journal was told.
    final class Told: Sendable {
        let kinds = Mutex<[MessageKind]>([])
    }

    static let media = ["h264-pcmu.mkv", "h264-pcma.mkv"]

    init() throws {
        folder = try RunningDaemon.freshFolder()
        rig = try Rig(
            media: Self.media, cameras: ["front": Self.media[0], "front-sub": Self.media[1]], in: folder)
        let file = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous, preRoll: 3s",
            """
            cameras:
              front: { main: "\(rig.urls["front"] ?? "")", sub: "\(rig.urls["front-sub"] ?? "")", policy: all }
            """)
        let told = Told()
        self.told = told
        let journal = Journal { observed in
            if case .record(let kind, _, _) = observed { told.kinds.withLock { $0.append(kind) } }
        }
        site = try HostedSite(root: folder + "/data", bootID: "b", host: SystemHost(), journal: journal) {
            ConfigurationLoader(examiner: nil).load(file)
        }
        site.start()
    }

    /// Waits for a fact with a far deadline, like `RunningDaemon.wait`.
    func wait(_ what: String, until holds: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(RunningDaemon.patience)
        while ContinuousClock.now < deadline {
            if try holds() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("did not come: \(what); \(String(describing: site.view("front")?.machine.intent))")
        throw CancellationError()
    }

    /// How many connections a stream of the rig has had, and how many at most at a time.
    func connections(_ stream: String) throws -> (all: Int, most: Int, now: Int) {
        let lines = try String(contentsOfFile: rig.log, encoding: .utf8).split(separator: "\n")
        let counts = try lines.compactMap { line -> (String, Int)? in
            guard line.contains("connect\""), line.contains("\"\(stream)\""),
                let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let event = entry["event"] as? String, let count = entry["connections"] as? Int
            else { return nil }
            return (event, count)
        }
        return (counts.count { $0.0 == "connect" }, counts.map(\.1).max() ?? 0, counts.last?.1 ?? 0)
    }

    func end() async throws {
        site.drain()
        try await wait("the end") { site.isStopped }
        try site.close()
        rig.end()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// A viewer that keeps what it gets.
private final class Looker: Sendable {
    struct Seen: Sendable {
        var dials: [StreamDial] = []
        /// Arrivals of video frames.
        var pictures: [Instant] = []
        /// Their decoding times, in ticks.
        var times: [Int64] = []
        var skipped = 0
        var codecs: Set<TrackCodec> = []
        /// The first frames.
        var frames: [Frame] = []
        var beginsWithKey: Bool?
        var lost = 0
        var end: StreamEnd?
    }

    private let seen = Mutex(Seen())
    private let viewer: StreamViewer

    init(_ site: HostedSite, _ stream: StreamName = .main, sound: SoundForm = .original) throws {
        viewer = try #require(try site.watch("front", stream, sound: sound))
    }

    /// What has come so far.
    var now: Seen {
        while let item = viewer.poll() {
            seen.withLock { seen in
                switch item {
                case .began(let dial): seen.dials.append(dial)
                case .frame(let frame):
                    seen.codecs.insert(frame.configuration.parameters.codec)
                    if seen.frames.count < 100 { seen.frames.append(frame) }
                    guard frame.kind == .video else { break }
                    seen.beginsWithKey = seen.beginsWithKey ?? frame.isKey
                    seen.pictures.append(frame.arrival)
                    seen.times.append(frame.dts)
                case .lost: seen.lost += 1
                case .ended(let why): seen.end = why
                case .skipped(let count): seen.skipped += count
                }
            }
        }
        return seen.withLock { $0 }
    }

    /// Pictures that came after an instant.
    func pictures(after instant: Instant) -> Int { now.pictures.count { $0 > instant } }

    func leave() { viewer.leave() }
}

@Suite("Who looks at a camera", .serialized)
struct StreamTests {
    private static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    private func now() -> Instant { Instant(ms: Int64(Rig.now())) }

    @Test(
        "A viewer sees it under each toggle, mode and recording privacy, by one connection; never under live or hard privacy",
        .enabled(if: isPossible, "needs python3"))
    func main() async throws {
        let house = try Household()
        defer { house.rig.end() }
        let site = house.site
        func machine() throws -> Camera { try #require(site.view("front")).machine }
        try await house.wait("a recording") { try machine().coverage == .recorded }
        let constant = try Looker(site)
        for number in 0..<8 {
            let (enabled, isOn, isPrivate) = (number & 1 == 0, number & 2 == 0, number & 4 != 0)
            site.tell(.enabled(enabled), to: "front", by: "test")
            site.tell(.policy(Policy(mode: isOn ? .continuous : .off), until: nil), to: "front", by: "test")
            site.tell(.privacy(Privacy(softRecording: isPrivate)), to: "front", by: "test")
            let records = enabled && isOn && !isPrivate
            try await house.wait("combination \(number)") {
                _ = constant.now
                let (machine, clip) = (try machine(), site.view("front")?.clip)
                let intent = machine.intent
                return intent.enabled == enabled && (intent.policy.mode == .continuous) == isOn
                    && intent.privacy.softRecording == isPrivate && (records || clip == nil)
                    && (machine.coverage == .recorded) == records
            }
            let since = now()
            let viewer = try Looker(site)
            try await house.wait("pictures in combination \(number)") {
                _ = constant.now
                return viewer.pictures(after: since) >= 15 && constant.pictures(after: since) >= 15
            }
            #expect(viewer.now.beginsWithKey == true && viewer.now.dials.count == 1)
            #expect(viewer.now.codecs == [.h264, .pcmu])
            #expect((try #require(site.view("front")).ringFrames > 0) == records, "combination \(number)")
            viewer.leave()
        }
        #expect(constant.now.dials.count == 1 && constant.now.lost == 0 && constant.now.end == nil)
        // 12.5 pictures a second, with a seam where the camera's file begins anew.
        let steps = zip(constant.now.times, constant.now.times.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 <= 2 * 7_200 } && constant.now.skipped == 0, "missing: \(steps.max() ?? 0) ticks")
        #expect(try house.connections("front") == (1, 1, 1))
        try await hide(house, constant)
        try await alone(house)
        try await house.end()
    }

    /// Live privacy ends viewers and refuses others, and the recording goes on; hard privacy ends all.
    private func hide(_ house: Household, _ constant: Looker) async throws {
        let site = house.site
        func intent() throws -> Intent { try #require(site.view("front")).machine.intent }
        site.tell(.enabled(true), to: "front", by: "test")
        site.tell(.policy(Policy(mode: .continuous), until: nil), to: "front", by: "test")
        site.tell(.privacy(Privacy(softLive: true)), to: "front", by: "test")
        try await house.wait("live privacy") { try intent().privacy == Privacy(softLive: true) }
        try await house.wait("its end for who looks") { constant.now.end == .privacy }
        try await house.wait("that nobody looks") { try intent().viewers == 0 }
        #expect(throws: StreamRefusal.hidden(.privacy)) { try Looker(site) }
        #expect(throws: StreamRefusal.hidden(.privacy)) { try Looker(site, .sub) }
        let last = constant.now.pictures.count
        try await house.wait("the recording") { site.view("front")?.clip != nil }
        let switched = now()
        try await house.wait("recorded frames") {
            site.view("front")?.ringNewest.map { $0 - switched > 1_000 } ?? false
        }
        #expect(constant.now.pictures.count == last)
        let before = now()
        site.tell(.privacy(Privacy()), to: "front", by: "test")
        // The machine is published before what it ordered is done: privacy is over, and then the stream is shown.
        var allowed: Looker?
        try await house.wait("the end of privacy") {
            guard try intent().privacy == Privacy() else { return false }
            do { allowed = try Looker(site, sound: .stored) } catch StreamRefusal.hidden(.privacy) {}
            return allowed != nil
        }
        let viewer = try #require(allowed)
        try await house.wait("pictures") { viewer.now.pictures.count > 20 && viewer.now.codecs.contains(.aac) }
        #expect(viewer.now.pictures.allSatisfy { $0 >= before } && viewer.now.beginsWithKey == true)
        #expect(viewer.now.codecs == [.h264, .aac])
        try timedCase(viewer.now.frames, in: house.folder)
        #expect(try house.connections("front") == (1, 1, 1))
        site.tell(.privacy(Privacy(hard: true)), to: "front", by: "test")
        try await house.wait("hard privacy") { viewer.now.end == .privacy }
        try await house.wait("no link") { site.view("front")?.hasDial == false }
        #expect(throws: StreamRefusal.hidden(.privacy)) { try Looker(site) }
        try await house.wait("no connection") { try house.connections("front").now == 0 }
        site.tell(.privacy(Privacy()), to: "front", by: "test")
    }

    /// What a viewer gets is played as fragments of one frame each.
    private func timedCase(_ frames: [Frame], in folder: String) throws {
        var (maker, sent) = (FragmentMaker(leadMs: 1_000), [Int: Data]())
        for frame in frames {
            maker.append(frame)
            try maker.sort()
            for (ordinal, track) in maker.tracks {
                if sent[ordinal] == nil { sent[ordinal] = Data(track.header.encoded()) }
                if let cut = maker.cut(ordinal) { sent[ordinal]?.append(contentsOf: cut.bytes) }
            }
        }
        #expect(sent.count == 2)
        for (ordinal, data) in sent {
            let file = folder + "/live-\(ordinal).mp4"
            try data.write(to: URL(fileURLWithPath: file))
            let decoded = try RunningDaemon.run(
                "/usr/bin/ffmpeg", ["-v", "warning", "-nostdin", "-i", file, "-f", "null", "-"])
            #expect(decoded.status == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
        }
    }

    /// While nothing is recorded a viewer alone holds the link.
    private func alone(_ house: Household) async throws {
        let site = house.site
        site.tell(.enabled(false), to: "front", by: "test")
        try await house.wait("no link") {
            site.view("front").map { !$0.hasDial && $0.machine.link.phase == .off && !$0.machine.intent.enabled }
                ?? false
        }
        let viewer = try Looker(site, sound: .stored)
        #expect(viewer.now.dials.isEmpty)
        try await house.wait("pictures") { viewer.now.pictures.count > 20 && viewer.now.codecs.contains(.aac) }
        #expect(try #require(site.view("front")).ringFrames == 0)
        viewer.leave()
        try await house.wait("no link again") { site.view("front")?.hasDial == false }
        try await house.wait("no connection") { try house.connections("front").now == 0 }
        #expect(try house.connections("front").most == 1)
        let silent = try Looker(site)
        try await house.wait("pictures") { silent.now.pictures.count > 20 }
        #expect(silent.now.codecs == [.h264, .pcmu])
    }

    @Test(
        "Detector and viewers share the sub-stream's one connection, and each of them alone holds it",
        .enabled(if: isPossible, "needs python3"))
    func substream() async throws {
        let house = try Household()
        defer { house.rig.end() }
        let site = house.site
        func view() throws -> HostedSite.View { try #require(site.view("front")) }
        try await house.wait("a detector at the sub-stream") { try view().watched == .sub }
        let (one, two) = (try Looker(site, .sub), try Looker(site, .sub, sound: .none))
        let main = try Looker(site)
        try await house.wait("pictures") { [one, two, main].allSatisfy { $0.now.pictures.count > 20 } }
        #expect(one.now.codecs == [.h264, .pcma] && two.now.codecs == [.h264])
        #expect(try house.connections("front-sub") == (1, 1, 1))
        try await house.wait("three viewers") { try view().machine.intent.viewers == 3 }
        two.leave()
        // The detector may not look any more; a viewer still does.
        site.tell(.policy(Policy(mode: .off), until: nil), to: "front", by: "test")
        try await house.wait("no detector") { try view().watched == nil }
        let since = now()
        try await house.wait("pictures") { one.pictures(after: since) > 20 }
        #expect(one.now.dials.count == 1)
        one.leave()
        try await house.wait("no sub-stream") { try view().substream == .off }
        try await house.wait("no connection") { try house.connections("front-sub").now == 0 }
        // The main stream is held by its viewer, so that the sub-stream can be had at once.
        let late = try Looker(site, .sub)
        try await house.wait("pictures") { late.now.pictures.count > 20 && late.now.beginsWithKey == true }
        #expect(main.now.dials.count == 1 && main.now.end == nil)
        try house.rig.command("stop front-sub")
        try await house.wait("its loss") { try view().substream == .waiting && late.now.lost == 1 }
        try house.rig.command("start front-sub")
        try await house.wait("its return") { try view().substream == .streaming && late.now.dials.count == 2 }
        let kinds = house.told.kinds.withLock { $0 }
        for kind in [MessageKind.substreamStreaming, .substreamClosed, .substreamLost, .substreamBack] {
            #expect(kinds.contains(kind), "\(kind)")
        }
        #expect(try house.connections("front-sub").most == 1 && house.connections("front") == (1, 1, 1))
        try await house.end()
        #expect(late.now.end == .draining && main.now.end == .draining)
    }
}
