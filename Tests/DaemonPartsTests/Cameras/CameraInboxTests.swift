import Journal
import Machines
import Synchronization
import Testing

@testable import Daemon

@Suite("The one way of facts to a camera's machine")
struct CameraInboxTests {
    /// Takes facts and answers them at once.
    private final class Taker: Sendable {
        let events = Mutex<[Camera.Event]>([])

        func take(_ item: CameraInbox.Item) {
            events.withLock { $0.append(item.event) }
            item.askers.give(.taken([], Camera(intent: Intent())))
        }
    }

    private let host = SystemHost()

    private func inbox() -> CameraInbox { CameraInbox(clock: host.clock, queue: host.queue("test.inbox")) }

    private func name(_ answer: FactReply.Answer) -> String {
        switch answer {
        case .taken: "taken"
        case .stopped: "stopped"
        case .full: "full"
        case .late: "late"
        }
    }

    @Test("The first fact is a tick, then those from before the start, in their order; each request is answered")
    func order() async {
        let (inbox, taker) = (inbox(), Taker())
        inbox.tell(.viewers(1))
        let early = inbox.request(.enabled(false), by: "uid 1")
        inbox.open(taker.take)
        let after = await inbox.ask(.enabled(true), by: "uid 1")
        #expect(await name(early.answer(withinMs: 60_000)) == "taken" && name(after) == "taken")
        #expect(taker.events.withLock { $0 } == [.tick, .viewers(1), .enabled(false), .enabled(true)])
    }

    @Test("Nobody waits for ever: not before the start, not for a camera that never takes, not when cancelled")
    func bounded() async {
        let inbox = inbox()
        let request = inbox.request(.tick, by: "uid 1")
        #expect(await name(request.answer(withinMs: 10)) == "late")
        let waiting = Task { await inbox.ask(.tick, by: "uid 1") }
        waiting.cancel()
        #expect(await name(waiting.value) == "late")
        let early = inbox.request(.tick, by: "uid 1")
        inbox.finish()
        #expect(await name(early.answer(withinMs: 60_000)) == "stopped")
        #expect(await name(inbox.ask(.tick, by: "uid 1")) == "stopped")
        inbox.finish()
    }

    @Test("What is held is told before a switch, so what was noticed before it counts as before it")
    func heldBeforeSwitch() async {
        let (inbox, taker) = (inbox(), Taker())
        inbox.open(taker.take)
        let detected = Camera.Event.detected(level: .low, zones: .anywhere)
        inbox.tell(detected)
        inbox.tell(detected)
        _ = await inbox.ask(.enabled(false), by: "uid 1")
        #expect(taker.events.withLock { $0 } == [.tick, detected, detected, .enabled(false)])
    }

    @Test("An answer is given once: the first counts")
    func once() async {
        let reply = FactReply()
        reply.give(.full)
        reply.give(.stopped)
        #expect(await name(reply.answer(withinMs: 60_000)) == "full")
    }

    @Test("Detections come at their pace from wherever they are told; those who asked are answered when they are told")
    func pace() async {
        let (inbox, taker) = (inbox(), Taker())
        inbox.open(taker.take)
        let door = Zones(inside: 1, outside: false), gate = Zones(inside: 2, outside: false)
        let both = Zones(inside: 3, outside: false)
        inbox.tell(.detected(level: .medium, zones: both))
        // Within the next half second, on a machine that is not slower than that; told at once otherwise.
        let first = inbox.request(.detected(level: .medium, zones: door), by: "uid 1")
        let second = inbox.request(.detected(level: .high, zones: gate), by: "uid 2")
        _ = await (first.answer(withinMs: 60_000), second.answer(withinMs: 60_000))
        let told = taker.events.withLock { $0 }
        #expect(told.first == .tick && told.count <= 4)
        #expect(
            told.contains(.detected(level: .medium, zones: both))
                && told.contains(.detected(level: .medium, zones: door)))
    }

    @Test("A flood of requests that are held is refused beyond its bound, and all others are answered")
    func flood() async {
        let (inbox, taker) = (inbox(), Taker())
        inbox.open(taker.take)
        let requests = (0..<DetectionPace.askersMax + 50).map {
            inbox.request(.detected(level: .low, zones: .anywhere), by: "uid \($0)")
        }
        var answers: [String: Int] = [:]
        for request in requests { answers[name(await request.answer(withinMs: 60_000)), default: 0] += 1 }
        #expect(answers["late"] == nil && answers["stopped"] == nil)
        #expect(answers["taken"] ?? 0 >= DetectionPace.askersMax)
        #expect(taker.events.withLock { $0.count } < 50)
    }
}
