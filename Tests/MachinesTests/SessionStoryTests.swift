import Foundation
import Machines
import Testing

/// A viewer with a kind camera: every order is answered unless the test withholds it.
private struct Viewer {
    var session: Session
    var now = Instant(ms: 1_000_000)

    init(privacy: Bool = false) { session = Session(privacy: privacy, at: now) }

    /// A viewer who is connected.
    static func connected() -> Viewer {
        var viewer = Viewer()
        viewer.ask(.connect)
        return viewer
    }

    /// A viewer who sees the live picture.
    static func previewing(_ definition: Session.Definition = .hd) -> Viewer {
        var viewer = connected()
        viewer.ask(.startPreview(definition, others: 0))
        return viewer
    }

    /// A viewer who sees a clip of day 1.
    static func playing() -> Viewer {
        var viewer = connected()
        viewer.ask(.listClips(Session.Day(1)))
        viewer.ask(.startPlayback(Session.Day(1), position(1_500)))
        return viewer
    }

    @discardableResult
    mutating func send(_ event: Session.Event, after ms: Int64 = 0) -> [Session.Effect] {
        now = now + ms
        return session.step(event, at: now)
    }

    /// Asks, and gives the answer.
    @discardableResult
    mutating func ask(_ request: Session.Request) -> [Session.Effect] {
        let effects = send(.request(request))
        guard let ask = session.ask else { return effects }
        return effects + send(.did(ask.number))
    }
}

/// A moment of a clip that lies in [1000, 2000).
private func position(_ playTimeMs: Int64) -> Session.Position {
    Session.Position(clip: 7, startMs: 1_000, stopMs: 2_000, playTimeMs: playTimeMs)
}

@Suite("Stories of the session machine")
struct SessionStoryTests {
    @Test("A viewer connects, sees the live picture, hears and talks, and stops")
    func preview() {
        var viewer = Viewer.previewing()
        #expect(viewer.session.phase == .previewing && viewer.session.definition == .hd)
        #expect(viewer.ask(.mute(false)) == [.order(Session.OrderNumber(3), .unmute), .report(.soundOn)])
        viewer.ask(.talk(true))
        viewer.ask(.record(true))
        #expect(
            viewer.ask(.stopPreview) == [.recordOff, .talkOff, .mute, .stopPreview, .report(.stopped)])
        #expect(viewer.session.phase == .idle && !viewer.session.sound && !viewer.session.talk)
    }

    @Test("A clip needs a list since the connection and since the last preview, and a playTime in [start, stop)")
    func freshList() {
        let day = Session.Day(1)
        var viewer = Viewer.connected()
        let notListed = [Session.Effect.refused(.startPlayback, .notListed)]
        #expect(viewer.ask(.startPlayback(day, position(1_000))) == notListed)
        viewer.ask(.listClips(day))
        #expect(viewer.ask(.startPlayback(Session.Day(2), position(1_000))) == notListed)
        for outside: Int64 in [999, 2_000] {
            #expect(viewer.ask(.startPlayback(day, position(outside))) == [.refused(.startPlayback, .outside)])
        }
        for inside: Int64 in [1_000, 1_999] {
            var other = viewer
            #expect(other.ask(.startPlayback(day, position(inside))).last == .report(.playing))
        }
        viewer.ask(.startPreview(.sd, others: 0))
        #expect(viewer.ask(.startPlayback(day, position(1_000))) == [.refused(.startPlayback, .previewRunning)])
        viewer.ask(.stopPreview)
        #expect(viewer.ask(.startPlayback(day, position(1_000))) == notListed)
        viewer.ask(.listClips(day))
        viewer.send(.connectionLost)
        viewer.ask(.connect)
        #expect(viewer.ask(.startPlayback(day, position(1_000))) == notListed)
    }

    @Test("Playback is held, goes on, changes its speed, and follows chained clips to a hole")
    func playback() {
        var viewer = Viewer.playing()
        let start = Session.StartNumber(1)
        #expect(viewer.ask(.pause).last == .report(.paused))
        #expect(viewer.ask(.pause) == [.refused(.pause, .notPlaying)])
        #expect(viewer.ask(.resume).last == .report(.playing))
        #expect(viewer.ask(.resume) == [.refused(.resume, .notPaused)])
        for speed in Session.Speed.allCases where speed != .normal {
            #expect(viewer.ask(.speed(hundredths: speed.rawValue)) == [.setSpeed(speed)])
        }
        #expect(viewer.ask(.speed(hundredths: 1_601)) == [.refused(.speed, .outside)])
        #expect(viewer.send(.clipEnded(start, .follows)) == [.playOn(start)])
        #expect(viewer.send(.clipEnded(start, .hole(next: 9_000))) == [.report(.finished(.hole(next: 9_000)))])
        #expect(viewer.send(.clipEnded(start, .end)) == [.ignored(.late)])
        #expect(viewer.ask(.resume) == [.refused(.resume, .notPaused)])
        #expect(viewer.ask(.startPlayback(Session.Day(1), position(1_000))).last == .report(.playing))
        #expect(viewer.session.speed == .normal)
    }

    @Test("A recording is silent at each start, heard after it was asked for, and over the clips that play on")
    func sound() {
        let (day, start) = (Session.Day(1), Session.StartNumber(1))
        var viewer = Viewer.playing()
        #expect(!viewer.session.sound)
        #expect(viewer.ask(.mute(false)) == [.order(Session.OrderNumber(4), .unmute), .report(.soundOn)])
        #expect(viewer.send(.clipEnded(start, .follows)) == [.playOn(start)] && viewer.session.sound)
        viewer.ask(.pause)
        #expect(viewer.ask(.mute(true)) == [.mute])
        #expect(viewer.ask(.mute(false)).last == .report(.soundOn))
        // Live privacy covers what is live.
        #expect(viewer.send(.privacy(true)) == [] && viewer.session.sound)
        let again = viewer.ask(.startPlayback(day, position(1_000)))
        #expect(again.first == .mute && again.last == .report(.playing) && !viewer.session.sound)
        viewer.ask(.mute(false))
        #expect(
            viewer.send(.clipEnded(Session.StartNumber(2), .end)) == [.mute, .report(.finished(.end))])
        #expect(viewer.ask(.mute(false)) == [.refused(.mute, .notShowing)])
        #expect(viewer.ask(.talk(true)) == [.refused(.talk, .notPreviewing)])
    }

    @Test("A start that asks for it plays on over holes, paused or not, and only the end of the day finishes it")
    func overHoles() {
        let (day, start) = (Session.Day(1), Session.StartNumber(2))
        var viewer = Viewer.playing()
        viewer.ask(.startPlayback(day, position(1_000), .overHoles))
        viewer.ask(.speed(hundredths: 400))
        #expect(viewer.send(.clipEnded(start, .hole(next: 9_000))) == [.playOn(start)])
        #expect(viewer.session.phase == .playing && viewer.session.speed == .fourfold)
        viewer.ask(.pause)
        #expect(viewer.send(.clipEnded(start, .hole(next: 19_000))) == [.playOn(start)])
        #expect(viewer.session.phase == .paused)
        viewer.ask(.resume)
        #expect(viewer.send(.clipEnded(start, .end)) == [.report(.finished(.end))])
        // The next start says it anew.
        viewer.ask(.startPlayback(day, position(1_000)))
        let finish = Session.Finish.hole(next: 9_000)
        #expect(viewer.send(.clipEnded(Session.StartNumber(3), .hole(next: 9_000))) == [.report(.finished(finish))])
    }

    @Test("A step of a trace of before, which says nothing of holes, is read and written as it was")
    func before() throws {
        let old =
            #"{"request":{"_0":{"startPlayback":{"_0":1,"_1":{"clip":7,"playTimeMs":1500,"startMs":1000,"stopMs":2000}}}}}"#
        let event = try JSONDecoder().decode(Session.Event.self, from: Data(old.utf8))
        #expect(event == .request(.startPlayback(Session.Day(1), position(1_500))))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(event), as: UTF8.self) == old)
        // Neither does the state that follows from it.
        let state = String(decoding: try encoder.encode(Viewer.playing().session), as: UTF8.self)
        #expect(!state.contains("reach"))
        #expect(try JSONDecoder().decode(Session.self, from: Data(state.utf8)) == Viewer.playing().session)
        var viewer = Viewer.playing()
        viewer.ask(.startPlayback(Session.Day(1), position(1_500), .overHoles))
        let other = try encoder.encode(viewer.session)
        #expect(try JSONDecoder().decode(Session.self, from: other) == viewer.session)
        #expect(String(decoding: other, as: UTF8.self).contains(#""reach":"overHoles""#))
    }

    @Test("Another clip needs no stop, and what it replaces is late")
    func replaced() {
        var viewer = Viewer.playing()
        viewer.send(.request(.pause))
        let effects = viewer.send(.request(.startPlayback(Session.Day(1), position(1_000))))
        let start = Session.Order.startPlayback(Session.StartNumber(2), Session.Day(1), position(1_000))
        #expect(effects == [.abandon(Session.OrderNumber(4)), .order(Session.OrderNumber(5), start)])
        #expect(viewer.send(.did(Session.OrderNumber(4))) == [.ignored(.late)])
        #expect(viewer.send(.clipEnded(Session.StartNumber(2), .end)) == [.ignored(.late)])
        #expect(viewer.send(.did(Session.OrderNumber(6))) == [.ignored(.unknown)])
        #expect(
            viewer.send(.failed(Session.OrderNumber(5), .unreachable)) == [
                .report(.failed(.startPlayback, .unreachable))
            ])
        #expect(viewer.session.phase == .idle && viewer.session.day == Session.Day(1))
    }

    @Test("A live session lasts 300 s; an extension counts from now, however often it is asked")
    func expiry() {
        var viewer = Viewer.previewing()
        viewer.send(.tick, after: 200_000)
        viewer.ask(.extend)
        viewer.ask(.extend)
        #expect(viewer.session.nextDeadline == viewer.now + 300_000)
        #expect(viewer.send(.tick, after: 299_999) == [])
        // Other requests do not prolong it, and the bound is inclusive.
        #expect(
            viewer.send(.request(.extend), after: 1) == [
                .stopPreview, .disconnect, .report(.ended(.expired)), .refused(.extend, .ended),
            ])
    }

    @Test("A request does not prolong a live session, but does an idle one; a clip that plays has no bound")
    func prolonging() {
        var viewer = Viewer.previewing()
        let end = viewer.session.left
        viewer.now = viewer.now + 5_000
        viewer.ask(.definition(.sd))
        #expect(viewer.session.left == end)
        viewer.ask(.stopPreview)
        viewer.now = viewer.now + 5_000
        viewer.ask(.listClips(Session.Day(1)))
        #expect(viewer.session.left == viewer.now + 300_000)
        viewer.ask(.startPlayback(Session.Day(1), position(1_000)))
        #expect(viewer.session.nextDeadline == nil)
    }

    @Test("An order that is not answered in 10 s fails, and says which step")
    func timeout() {
        var viewer = Viewer.connected()
        viewer.send(.request(.startPreview(.hd, others: 4)))
        #expect(viewer.send(.tick, after: 9_999) == [])
        #expect(
            viewer.send(.tick, after: 1) == [
                .abandon(Session.OrderNumber(2)), .report(.failed(.startPreview, .timeout)),
            ])
        #expect(viewer.session.phase == .idle)
        #expect(viewer.send(.did(Session.OrderNumber(2))) == [.ignored(.late)])
    }

    @Test("Five sessions of a camera may be live, the sixth is refused")
    func full() {
        var viewer = Viewer.connected()
        #expect(viewer.ask(.startPreview(.hd, others: 5)) == [.refused(.startPreview, .full)])
        #expect(viewer.ask(.startPreview(.hd, others: 4)).last == .report(.previewing(.hd)))
    }

    @Test("Live privacy ends what is live; recorded clips stay playable")
    func privacy() {
        var live = Viewer.previewing()
        #expect(live.send(.privacy(true)) == [.stopPreview, .disconnect, .report(.ended(.privacy))])
        #expect(live.ask(.connect) == [.refused(.connect, .ended)])
        var other = Viewer.playing()
        #expect(other.send(.privacy(true)) == [])
        #expect(other.session.phase == .playing)
        other.ask(.stopPlayback)
        #expect(other.ask(.startPreview(.hd, others: 0)) == [.refused(.startPreview, .privacy)])
    }

    @Test("A lost connection does not end the session; it may connect again")
    func lost() {
        var viewer = Viewer.previewing()
        #expect(viewer.send(.connectionLost) == [.stopPreview, .report(.lost)])
        #expect(viewer.ask(.listDays) == [.refused(.listDays, .notConnected)])
        #expect(viewer.ask(.connect).last == .report(.connected))
    }

    @Test("Deadlines that passed long ago are applied at their own time, in their order")
    func late() {
        var viewer = Viewer.connected()
        viewer.send(.request(.startPreview(.hd, others: 0)))
        #expect(
            viewer.send(.tick, after: 310_000) == [
                .abandon(Session.OrderNumber(2)), .report(.failed(.startPreview, .timeout)), .disconnect,
                .report(.ended(.expired)),
            ])
        #expect(viewer.send(.tick, after: 1_000) == [] && viewer.session.nextDeadline == nil)
    }
}
