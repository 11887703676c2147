import Catalog
import Foundation
import Journal
import Machines
import Policies
import Testing

@testable import Daemon

@Suite("A doorbell rings")
struct DoorbellTests {
    /// What `phone` is told of the events of `front`: one rule with these keys.
    private func choices(_ rule: String) throws -> NotificationChoices {
        let choices = NotificationChoices()
        choices.change(
            try TestNotifier.loaded(
                "notify: { phone: { kind: ntfy, url: \"https://n/t\" } }\npolicies: [ policies/ ]\n"
                    + "cameras: { front: { main: \"demo:\", policy: all } }\n",
                policy: "name: all\nrecording: { mode: event }\nnotify: [ { to: [ phone ], \(rule) } ]\n"))
        return choices
    }

    /// A source goes on or off, a second after what was before.
    private func turn(_ name: String, _ isOn: Bool, _ camera: TestCamera) async throws {
        let number = try #require(camera.shell.sources.number(of: name, staleMs: isOn ? 60_000 : nil))
        camera.pass(ms: 1_000)
        _ = await camera.inbox.ask(isOn ? .asserted(number, staleMs: 60_000) : .cleared(number), by: "uid 7")
    }

    /// What is told of an event, where it is told.
    private func words(_ camera: TestCamera) throws -> String? {
        camera.settle()
        guard let entry = try camera.catalog.nextNotification(of: "phone"), let event = entry.event else { return nil }
        return NotificationValues(entry, event: try camera.catalog.record(event), zone: .gmt).words
    }

    private func labels(_ camera: TestCamera) throws -> [[String]] {
        camera.settle()
        return try camera.catalog.records(EventQuery(camera: "front")).map { $0.labels.map(\.name) }
    }

    @Test("The event that it begins has its label from the begin on, by which rules tell it, and words of its own")
    func begins() async throws {
        for rule in ["on: [ begin ]", "labels: [ doorbell ]"] {
            let camera = try TestCamera(notifications: try choices(rule))
            try await turn("doorbell", true, camera)
            #expect(try words(camera)?.wholeMatch(of: /the doorbell rang at \d\d:\d\d:\d\d/) != nil, "\(rule)")
            #expect(try labels(camera) == [["doorbell"]])
            #expect(camera.told(.eventLabelled).map { [$0[.label], $0[.user]] } == [["doorbell", "uid 7"]])
        }
        let other = try TestCamera(notifications: try choices("labels: [ person ]"))
        try await turn("doorbell", true, other)
        #expect(try words(other) == nil && labels(other) == [["doorbell"]])
    }

    @Test("A source of another name is an alarm, and rings nothing")
    func alarm() async throws {
        let camera = try TestCamera(notifications: try choices("on: [ begin ]"))
        try await turn("gate", true, camera)
        #expect(try words(camera)?.hasPrefix("alarm at ") == true)
        #expect(try labels(camera) == [[]] && camera.told(.doorbellRang).isEmpty)
    }

    @Test("It is told each time that it goes on, and not while it says so again; under privacy, too")
    func told() async throws {
        let camera = try TestCamera()
        for _ in 0..<3 { try await turn("doorbell", true, camera) }
        #expect(camera.told(.doorbellRang).map { $0[.user] } == ["uid 7"])
        try await turn("doorbell", false, camera)
        _ = await camera.inbox.ask(.privacy(Privacy(hard: true)), by: "uid 8")
        try await turn("doorbell", true, camera)
        #expect(camera.told(.doorbellRang).count == 2)
        #expect(try labels(camera) == [["doorbell"]])
    }

    @Test("An event of movement in which it rings gets the label, and is told to whom that matters")
    func within() async throws {
        let camera = try TestCamera(notifications: try choices("labels: [ doorbell ]"))
        _ = await camera.inbox.ask(.detected(level: .low, zones: .anywhere), by: "uid 7")
        #expect(try words(camera) == nil)
        try await turn("doorbell", true, camera)
        #expect(try words(camera)?.hasPrefix("movement (doorbell) at ") == true)
        #expect(camera.told(.eventLabelled).count == 1)
    }

    @Test("No blind time holds it back (T5)")
    func blind() async throws {
        let control = TimeControl(initialMs: 2_000, augmentationMs: 0, maxMs: 5_000, blindMs: 600_000)
        let camera = try TestCamera(
            policy: Policy(mode: .event, timeControl: control), notifications: try choices("labels: [ doorbell ]"))
        _ = await camera.inbox.ask(.detected(level: .low, zones: .anywhere), by: "uid 7")
        camera.pass(ms: 3_000)
        try await turn("gate", true, camera)
        #expect(try labels(camera) == [[]])
        try await turn("doorbell", true, camera)
        // It is asked for in the step that it rings in; this is answered after that.
        camera.pass(ms: 100)
        _ = await camera.inbox.ask(.enabled(true), by: "uid 8")
        camera.settle()
        let events = try camera.catalog.records(EventQuery(camera: "front"))
        #expect(
            Set(events.map { "\($0.event.begun.cause) \($0.labels.map(\.name))" }) == [
                "detection []", "command [\"doorbell\"]",
            ])
        #expect(try words(camera)?.hasPrefix("the doorbell rang at ") == true)
    }

    /// Passes some seconds, a step each.
    private func wait(seconds: Int, _ camera: TestCamera) async {
        for _ in 0..<seconds {
            camera.pass(ms: 1_000)
            _ = await camera.inbox.ask(.enabled(true), by: "uid 8")
        }
    }

    /// Tells facts that are all there before the machine sees the first.
    private func tellTogether(_ facts: [Camera.Event], _ inbox: CameraInbox, _ actor: isolated CameraActor) {
        for fact in facts { inbox.tell(fact) }
    }

    private func control(blindMs: Int64) -> TimeControl {
        TimeControl(initialMs: 2_000, augmentationMs: 0, maxMs: 5_000, blindMs: blindMs)
    }

    @Test("One that stays on rings once: what begins after the limit of its event is an alarm", arguments: [0, 3_000])
    func once(blindMs: Int64) async throws {
        let camera = try TestCamera(
            policy: Policy(mode: .event, timeControl: control(blindMs: blindMs)),
            notifications: try choices("labels: [ doorbell ]"))
        try await turn("doorbell", true, camera)
        await wait(seconds: 20, camera)
        #expect(try labels(camera).count > 1 && labels(camera).filter { $0 == ["doorbell"] }.count == 1)
        #expect(camera.told(.doorbellRang).count == 1 && camera.told(.eventLabelled).count == 1)
        #expect(try camera.catalog.notificationsWaiting()["phone"] == 1)
    }

    @Test("A ring in blind time that is over before it is a command is a ring")
    func short() async throws {
        let camera = try TestCamera(policy: Policy(mode: .event, timeControl: control(blindMs: 600_000)))
        _ = await camera.inbox.ask(.detected(level: .low, zones: .anywhere), by: "uid 7")
        await wait(seconds: 3, camera)
        let number = try #require(camera.shell.sources.number(of: "doorbell", staleMs: 1_000))
        await tellTogether([.asserted(number, staleMs: 1_000), .cleared(number)], camera.inbox, camera.actor)
        // Before time passes, with which what is asserted grows stale.
        await camera.settled()
        await wait(seconds: 1, camera)
        #expect(try labels(camera).filter { $0 == ["doorbell"] }.count == 1)
        #expect(camera.told(.eventLabelled).map { $0[.user] } == ["the camera"])
    }

    @Test("An alarm in which it rings stays one")
    func inAlarm() async throws {
        let camera = try TestCamera(notifications: try choices("labels: [ doorbell ]"))
        try await turn("gate", true, camera)
        try await turn("doorbell", true, camera)
        #expect(try words(camera)?.hasPrefix("alarm (doorbell) at ") == true)
    }

    @Test("Who rang is told, and not who lets the event begin")
    func who() async throws {
        let camera = try TestCamera()
        _ = await camera.inbox.ask(.enabled(false), by: "uid 8")
        try await turn("doorbell", true, camera)
        camera.pass(ms: 1_000)
        _ = await camera.inbox.ask(.enabled(true), by: "uid 8")
        #expect(try labels(camera) == [["doorbell"]])
        #expect(camera.told(.eventLabelled).map { $0[.user] } == ["uid 7"])
    }

    @Test("A press while recording is off is none of an event that begins long after it")
    func late() async throws {
        let camera = try TestCamera(policy: Policy(mode: .event, timeControl: control(blindMs: 0)))
        _ = await camera.inbox.ask(.enabled(false), by: "uid 8")
        let number = try #require(camera.shell.sources.number(of: "doorbell", staleMs: 1_000))
        _ = await camera.inbox.ask(.asserted(number, staleMs: 1_000), by: "uid 7")
        for _ in 0..<20 {
            camera.pass(ms: 10_000)
            await camera.settled()
        }
        _ = await camera.inbox.ask(.enabled(true), by: "uid 8")
        _ = await camera.inbox.ask(.detected(level: .low, zones: .anywhere), by: "uid 7")
        #expect(try labels(camera) == [[]] && camera.told(.eventLabelled).isEmpty)
    }

    @Test(
        "Where nothing may be recorded, a ring in blind time is no command that is refused, and no ring of a later event"
    )
    func forbidden() async throws {
        let camera = try TestCamera(policy: Policy(mode: .event, timeControl: control(blindMs: 10_000)))
        _ = await camera.inbox.ask(.detected(level: .low, zones: .anywhere), by: "uid 7")
        await wait(seconds: 3, camera)
        _ = await camera.inbox.ask(.privacy(Privacy(hard: true)), by: "uid 8")
        try await turn("doorbell", true, camera)
        try await turn("doorbell", false, camera)
        _ = await camera.inbox.ask(.privacy(Privacy()), by: "uid 8")
        await wait(seconds: 12, camera)
        _ = await camera.inbox.ask(.detected(level: .low, zones: .anywhere), by: "uid 7")
        #expect(camera.told(.commandRefused).isEmpty && camera.told(.doorbellRang).count == 1)
        #expect(try labels(camera) == [[], []])
    }

    @Test("A source that never says off ends as it should, and one that has said so before has lost it")
    func ended() throws {
        let camera = try TestCamera()
        let number = try #require(camera.shell.sources.number(of: "doorbell", staleMs: 1_000))
        let expired = Camera.Effect.report(.sourceExpired(number))
        #expect(camera.shell.priority(of: expired) == .info)
        _ = camera.shell.sources.number(of: "doorbell", staleMs: nil)
        #expect(camera.shell.priority(of: expired) == nil && MessageKind.sourceExpired.priority == .warning)
    }
}
