import Catalog
import Foundation
import Machines
import Media
import Replay
import Server
import Synchronization
import Testing
import Trace

@testable import Daemon

@Suite("The sessions of viewers", .serialized)
struct SessionsTests {
    /// Runs every session of a trace again.
    private func replay(_ records: [TraceRecord], _ count: Int) {
        var viewers = ViewersReplay()
        for record in records { viewers.take(record) }
        #expect(viewers.replays.count == count)
        for replay in viewers.replays {
            #expect(replay.isClean && replay.agreed == replay.records && replay.first.seq == 1, "\(replay.differences)")
            #expect(replay.machine?.hasEnded == true)
        }
    }

    @Test("a viewer connects, sees the live picture at the first one that comes, extends, stops and closes")
    func live() async throws {
        let house = try ViewerHouse()
        let id = try await house.sessions.open(house.camera(), by: ViewerHouse.caller()).id
        #expect(try await house.refusal(id, .startPreview(.hd, others: 0)) == "startPreview notConnected")
        try await house.ask(id, .connect)
        #expect(try await house.refusal(id, .connect) == "connect already")
        let view = try await house.ask(id, .startPreview(.hd, others: 0))
        #expect(view.machine.phase == .previewing)
        // A picture has come; it is held, and counts as one that looks.
        #expect(try house.camera().shell.streams.viewerCount == 1)
        let picture = try await house.sessions.picture(of: id, camera: "front")
        #expect(try house.camera().shell.streams.viewerCount == 1)
        var items = picture.makeAsyncIterator()
        guard case .began? = await items.next(), case .frame(let frame)? = await items.next() else {
            throw CancellationError()
        }
        #expect(frame.opensClip)
        // Who asks again takes it over.
        let again = try await house.sessions.picture(of: id, camera: "front")
        while let item = await items.next() { if case .ended(let why) = item { #expect(why == .left) } }
        #expect(try house.camera().shell.streams.viewerCount == 1)
        let before = try #require(view.machine.left)
        try await house.wait("the clock to go on") {
            try #require(await house.ask(id, .extend).machine.left) > before
        }
        #expect(try await house.refusal(id, .talk(true)) == "talk unsupported")
        // Its viewer is heard, but the camera is not reached by RTSP.
        await house.sessions.hear(id, .open(PeerVoice()))
        #expect(try await house.refusal(id, .talk(true)) == "talk unsupported")
        #expect(await house.sessions.talks.isEmpty)
        #expect(try await house.refusal(id, .speed(hundredths: 200)) == "speed notPlaying")
        #expect(try await house.refusal(id, .pause) == "pause notPlaying")
        #expect(try await house.ask(id, .stopPreview).machine.phase == .idle)
        var rest = again.makeAsyncIterator()
        var last: StreamEnd?
        while let item = await rest.next() { if case .ended(let why) = item { last = why } }
        #expect(last == .left)
        #expect(try await house.sessions.close(id, by: "test").machine.phase == .ended(.closed))
        #expect(try await house.refusal(id, .connect) == "connect ended")
        for words in [
            "session opened: \(id), by uid 1000", "live picture shown: hd, to uid 1000", "session ended: \(id)",
        ] {
            try await house.wait(words) { house.told.contains(words) }
        }
        replay(try await house.end(), 1)
    }

    @Test("of many that begin at once as many see the live picture as viewers.limit says, and no more")
    func limit() async throws {
        let house = try ViewerHouse(site: "viewers: { limit: 3 }")
        var ids: [String] = []
        for _ in 0..<12 { ids.append(try await house.connected()) }
        let other = try await house.connected("back")
        let outcomes = try await withThrowingTaskGroup(of: String?.self) { group in
            for id in ids { group.addTask { try await house.refusal(id, .startPreview(.hd, others: 0)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 3 && outcomes.count { $0 == "startPreview full" } == 9)
        // Another camera has places of its own.
        #expect(try await house.refusal(other, .startPreview(.hd, others: 0)) == nil)
        let live = try #require(ids.first { house.sessions.view($0)?.machine.isLive == true })
        let refused = try #require(ids.first { house.sessions.view($0)?.machine.isLive == false })
        try await house.ask(live, .stopPreview)
        #expect(try await house.refusal(refused, .startPreview(.hd, others: 0)) == nil)
        replay(try await house.end(), 13)
    }

    @Test("live privacy ends who is live in the step that begins it, and refuses whoever comes (S7)")
    func privacy() async throws {
        let house = try ViewerHouse()
        let (live, idle) = (try await house.connected(), try await house.connected())
        try await house.ask(live, .startPreview(.sd, others: 0))
        let picture = try await house.sessions.picture(of: live, camera: "front")
        let held = try await house.connected()
        try await house.ask(held, .startPreview(.hd, others: 0))
        try await house.turn([.softLive: true])
        // The streams are hidden in the camera's step, which is over; the sessions are told in it.
        var last: StreamItem?
        while let item = picture.poll() { last = item }
        guard case .ended(.privacy)? = last else { throw CancellationError() }
        #expect(try await house.refusal(live, .extend) == "extend ended")
        #expect(house.sessions.view(live)?.machine.phase == .ended(.privacy))
        #expect(house.sessions.view(held)?.machine.phase == .ended(.privacy))
        #expect(try house.camera().shell.streams.viewerCount == 0)
        #expect(try await house.refusal(idle, .startPreview(.hd, others: 0)) == "startPreview privacy")
        let late = try await house.connected()
        #expect(try await house.refusal(late, .startPreview(.hd, others: 0)) == "startPreview privacy")
        try await house.turn([.softLive: false])
        #expect(try await house.refusal(idle, .startPreview(.hd, others: 0)) == nil)
        replay(try await house.end(), 4)
    }

    @Test("sessions are told of privacy before a picture ends: whoever sees it end may close its session")
    func privacyFirst() async throws {
        let house = try ViewerHouse()
        let live = try await house.connected()
        try await house.ask(live, .startPreview(.sd, others: 0))
        let streams = try house.camera().shell.streams
        let told = Mutex<[String]>([])
        let picture = try streams.watch(
            .main, sound: .none,
            observer: StreamObserver(onEnd: { why in told.withLock { $0.append("picture \(why)") } }))
        streams.onPrivacy(
            hidden: { why in told.withLock { $0.append("sessions \(why.map { "\($0)" } ?? "none")") } },
            unrecorded: {})
        try await house.turn([.softLive: true])
        #expect(told.withLock { $0 } == ["sessions privacy", "picture privacy"])
        withExtendedLifetime(picture) {}
        replay(try await house.end(), 1)
    }

    @Test("another definition comes into the picture that is taken, and the sound only where it is asked for")
    func definition() async throws {
        let house = try ViewerHouse()
        let id = try await house.connected()
        try await house.ask(id, .startPreview(.sd, others: 0))
        let picture = try await house.sessions.picture(of: id, camera: "front")
        let (beginnings, beginning) = AsyncStream<Void>.makeStream()
        let seen = Task { () -> (began: Int, sounds: Int, starts: Bool) in
            var (began, sounds, starts, isFirst) = (0, 0, true, false)
            for await item in picture {
                switch item {
                case .began:
                    (began, isFirst) = (began + 1, true)
                    beginning.yield()
                case .frame(let frame):
                    if frame.kind == .audio { sounds += 1 }
                    if isFirst, frame.kind == .video {
                        starts = starts && frame.opensClip
                        isFirst = false
                    }
                    if sounds > 20 { return (began, sounds, starts) }
                default: break
                }
            }
            return (began, sounds, starts)
        }
        // Each change after the one before has arrived: what waits for who does not read may be left out.
        var arrivals = beginnings.makeAsyncIterator()
        await arrivals.next()
        #expect(try await house.ask(id, .definition(.hd)).machine.definition == .hd)
        await arrivals.next()
        // A duplicate is no mistake.
        #expect(try await house.ask(id, .definition(.hd)).machine.definition == .hd)
        #expect(try await house.ask(id, .mute(false)).machine.sound)
        let result = await seen.value
        // Began: the sub-stream, the main stream, and the main stream with sound.
        #expect(result.began == 3 && result.sounds > 20 && result.starts)
        #expect(try house.camera().shell.streams.viewerCount == 1)
        let back = try await house.connected("back")
        // It has no sub-stream.
        #expect(try await house.refusal(back, .startPreview(.sd, others: 0)) == "startPreview unsupported")
        #expect(house.sessions.view(back)?.machine.phase == .idle)
        replay(try await house.end(), 2)
    }

    @Test("sessions and what a caller asks are bounded; one that has ended is forgotten, at once for another")
    func bounds() async throws {
        let house = try ViewerHouse()
        var opened: [String] = []
        func fill() async throws {
            do {
                while opened.count < 1_000 {
                    opened.append(try await house.sessions.open(house.camera(), by: ViewerHouse.caller(77)).id)
                }
            } catch let error as SiteError {
                #expect(error.kind == .unavailable && error.why.contains("sessions"))
            }
        }
        try await fill()
        #expect(opened.count == Sessions.callerMax)
        // Those that ended give their places, one to each that needs one.
        for id in [opened[9], opened[4]] { _ = try await house.sessions.close(id, by: "test") }
        opened.append(try await house.sessions.open(house.camera(), by: ViewerHouse.caller(77)).id)
        #expect([opened[9], opened[4]].count { house.sessions.view($0) == nil } == 1)
        try await fill()
        #expect(opened.count == Sessions.callerMax + 2 && house.sessions.views.count == Sessions.callerMax)
        // Another caller has places and a measure of its own.
        let id = try await house.connected(uid: 78)
        var asked = 0
        do {
            while asked < 10_000 {
                _ = try await house.sessions.ask(id, .extend, by: ViewerHouse.caller(79))
                asked += 1
            }
        } catch let error as SiteError { #expect(error.why.contains("in a second")) }
        #expect(asked >= Int(Sessions.requestsMax) && asked < 10_000)
        // The journal was told of some of them only, and how many more there were is told at the end.
        #expect(house.told.components(separatedBy: "session: extended").count - 1 < Sessions.recordsMax)
        _ = try await house.sessions.close(id, by: "test")
        try await house.wait("the count of what was left out") { house.told.contains(" records left out") }
        replay(try await house.end(), opened.count + 1)
    }
}
