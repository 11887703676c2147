import Catalog
import Journal
import Machines
import Testing

@testable import Daemon

@Suite("A camera is asked, and answers")
struct CameraActorTests {
    private let record = Camera.Event.commanded(TimeControl(initialMs: 10_000, maxMs: 20_000))

    /// What the machine ordered and told; it must have taken what was asked.
    private func effects(_ answer: FactReply.Answer) throws -> [Camera.Effect] {
        guard case .taken(let effects, _) = answer else {
            Issue.record("not taken: \(answer)")
            return []
        }
        return effects
    }

    @Test("A command is answered with the step that took it, and everything that is told of it names who asked")
    func command() async throws {
        let camera = try TestCamera()
        let begun = try effects(await camera.inbox.ask(record, by: "uid 7"))
        #expect(begun.contains(.beginEvent(EventNumber(1), .command, level: nil)))
        #expect(camera.told(.eventBegan).map { $0[.user] } == ["uid 7"])
        #expect(
            camera.told(.commandTaken).map { [$0[.request], $0[.durationMs], $0[.user]] } == [
                ["record", "10000", "uid 7"]
            ])
        // Prolonged by another one.
        camera.pass(ms: 4_000)
        _ = try effects(await camera.inbox.ask(record, by: "uid 8"))
        #expect(camera.told(.eventProlonged).map { $0[.user] } == ["uid 8"])
        // Asked for once more in the same moment nothing changes, but it is told who asked.
        _ = try effects(await camera.inbox.ask(record, by: "uid 9"))
        #expect(camera.told(.eventProlonged).count == 1)
        #expect(camera.told(.commandTaken).map { $0[.user] } == ["uid 7", "uid 8", "uid 9"])
    }

    @Test("What is refused or suppressed is told with who asked, and is not told as taken")
    func refused() async throws {
        let camera = try TestCamera()
        _ = try effects(await camera.inbox.ask(.enabled(false), by: "uid 7"))
        #expect(camera.told(.recordingDisabled).map { $0[.user] } == ["uid 7"])
        #expect(try effects(await camera.inbox.ask(record, by: "uid 8")) == [.report(.refused(.disabled))])
        #expect(camera.told(.commandRefused).map { $0[.user] } == ["uid 8"])
        _ = try effects(await camera.inbox.ask(.detected(level: .low, zones: .anywhere), by: "uid 9"))
        #expect(camera.told(.detectionSuppressed).map { $0[.user] } == ["uid 9"])
        _ = try effects(await camera.inbox.ask(.privacy(Privacy(hard: true)), by: "uid 10"))
        #expect(camera.told(.privacyOn).map { $0[.user] } == ["uid 10"])
        #expect(camera.told(.commandTaken).isEmpty)
        // Switched as it is already, it is taken and changes nothing.
        #expect(try effects(await camera.inbox.ask(.enabled(false), by: "uid 11")) == [.ignored(.duplicate)])
        #expect(camera.told(.recordingDisabled).count == 1)
    }

    @Test("What time has brought due is told as nobody's doing, though somebody's request comes before the timer")
    func deadlines() async throws {
        let camera = try TestCamera()
        _ = try effects(await camera.inbox.ask(record, by: "uid 7"))
        camera.pass(ms: 15_000)
        let disabled = try effects(await camera.inbox.ask(.enabled(false), by: "uid 8"))
        #expect(!disabled.contains(.endEvent(EventNumber(1), .quiet)))
        #expect(camera.told(.eventEnded).map { $0[.why] } == ["quiet"])
        #expect(camera.told(.eventEnded).first?[.user] == nil)
        #expect(camera.told(.recordingDisabled).map { $0[.user] } == ["uid 8"])
    }

    @Test("A source that is refreshed is told once, by whoever switched it on")
    func source() async throws {
        let camera = try TestCamera()
        let number = try #require(camera.shell.sources.number(of: "gate", staleMs: 60_000))
        _ = try effects(await camera.inbox.ask(.asserted(number, staleMs: 60_000), by: "uid 7"))
        for _ in 0..<3 {
            camera.pass(ms: 10_000)
            _ = try effects(await camera.inbox.ask(.asserted(number, staleMs: 60_000), by: "uid 8"))
        }
        _ = try effects(await camera.inbox.ask(.cleared(number), by: "uid 9"))
        #expect(
            camera.told(.commandTaken).map { [$0[.request], $0[.source], $0[.user]] } == [
                ["trigger on", "gate", "uid 7"], ["trigger off", "gate", "uid 9"],
            ])
    }

    @Test(
        "Events are entered as ordered, with what was noted of them and what did not count; nobody reads reports for it"
    )
    func rows() async throws {
        let camera = try TestCamera(
            policy: Policy(mode: .event, zones: Zones(inside: 1, outside: false)), zones: ["door", "street"])
        let (door, street) = (Zones(inside: 1, outside: false), Zones(inside: 2, outside: false))
        for (level, zones) in [(Sensitivity.low, street), (.low, door), (.medium, door), (.low, street)] {
            camera.pass(ms: 3_000)
            _ = try effects(await camera.inbox.ask(.detected(level: level, zones: zones), by: "uid 7"))
        }
        _ = try effects(await camera.inbox.ask(.privacy(Privacy(hard: true)), by: "uid 7"))
        camera.pass(ms: 3_000)
        _ = try effects(await camera.inbox.ask(.privacy(Privacy()), by: "uid 7"))
        _ = try effects(await camera.inbox.ask(record, by: "uid 7"))
        camera.inbox.tell(.drain)
        await camera.actor.stopped()
        camera.settle()
        let events = try camera.catalog.events(EventQuery(camera: "front"))
        #expect(events.map(\.begun.cause) == ["detection", "command"] && events.map(\.why) == [.privacy, .draining])
        #expect(events[0].id.rawValue < events[1].id.rawValue)
        let detail = try #require(try camera.catalog.detail(of: events[0].id))
        #expect(detail.detections == 2 && detail.zones == ["door"])
        let runs = try camera.catalog.suppressed(camera: "front", fromWallMs: 0, toWallMs: .max)
        #expect(runs.map(\.why) == [.zone, .zone] && runs.map(\.event) == [nil, events[0].id])
    }

    @Test("Whoever asks a camera that has stopped, or stops, is told so")
    func stopped() async throws {
        let camera = try TestCamera()
        let number = try #require(camera.shell.sources.number(of: "gate", staleMs: nil))
        _ = try effects(await camera.inbox.ask(.cleared(number), by: "uid 7"))
        let held = camera.inbox.request(.cleared(number), by: "uid 7")
        camera.inbox.tell(.drain)
        guard case .stopped = await held.answer(withinMs: 60_000) else {
            Issue.record("what was held was not answered")
            return
        }
        await camera.actor.stopped()
        guard case .stopped = await camera.inbox.ask(record, by: "uid 7") else {
            Issue.record("a camera that has stopped took a command")
            return
        }
    }
}
