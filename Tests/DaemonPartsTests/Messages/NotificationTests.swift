import Catalog
import Foundation
import Journal
import Machines
import Policies
import Synchronization
import Testing
import Webhook

@testable import Daemon

@Suite("What is told of problems, and how messages are written")
struct NotificationTests {
    private let now = Instant(ms: 1_000_000)

    /// What a journal tells its followers of these records.
    private func records(_ send: (Journal) -> Void) -> [ToldMessage] {
        let journal = Journal(JournalOptions(version: "1", output: .lines, linesPriorityMax: .emergency))
        let told = Mutex<[ToldMessage]>([])
        journal.follow { record in told.withLock { $0.append(record) } }
        send(journal)
        journal.close(timeoutMs: 1_000)
        return told.withLock { $0 }
    }

    @Test(
        "A problem is told once to each whose bound it passes, and its end to those alone; what has only happened is not told"
    )
    func problems() {
        var watch = ProblemWatch()
        let bounds = ["phone": Int64(60_000), "house": 120_000]
        for record in records({
            $0.send(.linkLost, camera: "front", fields: [(.why, "silence")])
            $0.send(.linkLost, camera: "yard", fields: [(.why, "silence")])
            $0.send(.clipIncomplete, camera: "front", fields: [(.clip, "7")])
            $0.send(.linkDialing, camera: "front")
        }) { watch.note(record, at: now) }
        #expect(watch.count == 2)
        let early = watch.due(bounds, at: now + 59_999)
        for record in records({ $0.send(.linkStreaming, camera: "yard") }) { watch.note(record, at: now + 60_000) }
        let due = watch.due(bounds, at: now + 60_000)
        let again = watch.due(bounds, at: now + 60_001)
        #expect(early.isEmpty && again.isEmpty)
        #expect(
            due.map { "\($0.receiver) \($0.camera ?? "") \($0.problem) \($0.isOver)" } == ["phone front linkLost false"]
        )
        for record in records({
            $0.send(.linkFailed, camera: "front", fields: [(.why, "timeout")])
            $0.send(.linkStreaming, camera: "front")
        }) { watch.note(record, at: now + 70_000) }
        let over = watch.due(bounds, at: now + 70_000)
        #expect(over.map { "\($0.receiver) \($0.problem) \($0.isOver)" } == ["phone linkLost true"])
        #expect(watch.count == 0)
    }

    @Test("Who cannot be told is not told that, another is; more problems than the bound are not watched")
    func bounded() {
        var watch = ProblemWatch()
        for record in records({
            $0.send(.receiverFailing, fields: [(.receiver, "phone"), (.why, "w"), (.url, "u")])
            for number in 0..<1_100 { $0.send(.linkLost, camera: "c\(number)", fields: [(.why, "silence")]) }
        }) { watch.note(record, at: now) }
        #expect(watch.count == ProblemWatch.most)
        let due = watch.due(["phone": 0, "house": 0], at: now).filter { $0.problem == "receiverFailing" }
        #expect(due.map(\.receiver) == ["house"])
    }

    /// A configuration with one receiver, `phone`.
    private func loaded(_ keys: String, more: String = "", policy: String? = nil) throws -> LoadedConfiguration {
        try TestNotifier.loaded("notify: { phone: { \(keys) } }\n\(more)", policy: policy)
    }

    /// What `phone` is told of the events of `front`: one rule with these keys.
    private func choices(_ rule: String) throws -> NotificationChoices {
        let choices = NotificationChoices()
        choices.change(
            try loaded(
                "kind: ntfy, url: \"https://n/t\"",
                more: "policies: [ policies/ ]\ncameras: { front: { main: \"demo:\", policy: all } }\n",
                policy: "name: all\nrecording: { mode: event }\nnotify: [ { to: [ phone ], \(rule) } ]\n"))
        return choices
    }

    private func receiver(_ keys: String) throws -> NotifyReceiver {
        try #require(try loaded(keys).configuration.receiver("phone"))
    }

    @Test("That the storage is lost is told although nothing can be written")
    func lost() async throws {
        try await TestNotifier.with { house in
            house.journal.send(.storageLost, fields: [(.path, "/"), (.why, "gone")])
            try house.loseCatalog()
            house.clock.pass(ms: 60_001)
            try house.use("problems: 1m")
            try await house.wait("the problem") { !house.sent.isEmpty }
            #expect(house.sent[0].contains("storageLost") && house.sent[0].contains("vigil.problem"), "\(house.sent)")
        }
    }

    @Test("What is wrong with the storage at the start is a problem, too")
    func atStart() async throws {
        let house = try ViewerHouse(site: "storage: { reserve: 900TB }")
        let due = house.problems.due(["phone": 0], at: SystemHost().clock.now())
        #expect(due.map(\.problem).contains("storageLow"), "\(due)")
        _ = try await house.end()
    }

    @Test("When somebody is told of an end, what was learnt of the event is there")
    func learnt() async throws {
        let choices = try choices("on: [ end ]")
        let camera = try TestCamera(
            policy: Policy(mode: .event, zones: Zones(inside: 1, outside: false)), zones: ["door"],
            notifications: choices)
        let seen = Mutex<[[String]?]>([])
        choices.whenEntered { [catalog = camera.catalog] in
            let entry = try? catalog.nextNotification(of: "phone")
            let detail = entry.flatMap { $0.event }.flatMap { try? catalog.detail(of: $0) }
            seen.withLock { $0.append(detail?.zones) }
        }
        _ = await camera.inbox.ask(.detected(level: .low, zones: Zones(inside: 1, outside: false)), by: "uid 7")
        camera.inbox.tell(.drain)
        await camera.actor.stopped()
        camera.settle()
        #expect(seen.withLock { $0 } == [["door"]])
    }

    @Test("A rule with labels tells an event when one of them is recognised, and its end then, too")
    func labelled() async throws {
        let choices = try choices("on: [ begin, end ], labels: [ person ]")
        let camera = try TestCamera(notifications: choices)
        _ = await camera.inbox.ask(.detected(level: .low, zones: .anywhere), by: "uid 7")
        let event = try #require(camera.shell.events.active)
        for name in ["cat", "person"] {
            camera.settle()
            #expect(try camera.catalog.nextNotification(of: "phone") == nil)
            camera.shell.events.label(event.number, name, nil, by: "uid 7", at: camera.now)
        }
        camera.settle()
        let entry = try #require(try camera.catalog.nextNotification(of: "phone"))
        #expect(entry.kind == .begin && entry.event == event.id)
        let values = NotificationValues(entry, event: try camera.catalog.record(event.id), zone: .gmt)
        #expect(values.value(.eventLabels) == "cat,person" && values.words.hasPrefix("movement (cat,person) at "))
        camera.inbox.tell(.drain)
        await camera.actor.stopped()
        camera.settle()
        #expect(try camera.catalog.notifications(cameras: nil, limit: 9).map(\.kind) == [.end, .begin])
    }

    @Test("Rules for one receiver are one: the least of their distances, beside following the begin")
    func merged() {
        let merged = NotificationChoices.merged([
            NewNotification(receiver: "phone", .apart(300_000)), NewNotification(receiver: "house", .withBegin),
            NewNotification(receiver: "phone", .apart(60_000)), NewNotification(receiver: "house", .withBegin),
            NewNotification(receiver: "house", .apart(0)),
        ])
        #expect(
            merged == [
                NewNotification(receiver: "house", .withBegin), NewNotification(receiver: "house", .apart(0)),
                NewNotification(receiver: "phone", .apart(60_000)),
            ])
    }

    private var values: NotificationValues {
        NotificationValues(trial: "00ff00ff00ff00ff", atWallMs: 1_795_431_600_000, zone: .gmt)
    }

    @Test("A title of any letters fits into a header of ntfy, a token is its own header, and nothing of it is shown")
    func ntfy() throws {
        let phone = try receiver(
            "kind: ntfy, url: \"https://n/t\", title: \"Tür {{clock}} \(String(repeating: "ä", count: 90))\"")
        let request = try values.request(
            for: phone, credential: Credential(user: "", password: "tk_1\r\nX: y"), picture: [1, 2], sentSeconds: 1)
        let headers = Dictionary(request.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        #expect(headers["Authorization"] == "Bearer tk_1X:y" && request.body == [1, 2])
        #expect(headers["Filename"] == "vigil-.jpg" && headers["Message"] == "a trial: this receiver can be told")
        let title = try #require(headers["Title"])
        #expect(
            title.split(separator: " ").allSatisfy {
                $0.count <= 75 && $0.hasPrefix("=?UTF-8?B?") && $0.hasSuffix("?=")
            })
        #expect(request.headers.allSatisfy { $0.value.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
        #expect("\(request)" == "request of 2 bytes" && !String(reflecting: request).contains("tk_1"))
        let plain = try values.request(
            for: phone, credential: Credential(user: "u", password: "p"), picture: nil, sentSeconds: 1)
        #expect(plain.headers.contains { $0.value == "Basic dTpw" })
        #expect(String(decoding: plain.body, as: UTF8.self) == "a trial: this receiver can be told")
    }

    @Test("Texts are as long as their bytes allow, and an empty one becomes words")
    func texts() throws {
        let long = String(repeating: "ä😀", count: 250)
        let phone = try receiver("kind: gotify, url: \"https://g\", title: \"\(long)\", text: \"{{camera}}\"")
        let request = try values.request(for: phone, credential: nil, picture: nil, sentSeconds: 1)
        let body = try #require(try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
        let title = try #require(body["title"] as? String)
        #expect(title.utf8.count == 398 && long.hasPrefix(title))
        #expect(body["message"] as? String == "a trial: this receiver can be told")
        let news = ProblemWatch.News(
            id: "00ff00ff00ff00ff", receiver: "phone", isOver: false, camera: nil, problem: "linkLost",
            words: "a\n\u{7}" + long + long + long)
        let words = NotificationValues(news, atWallMs: 0, zone: .gmt).words
        #expect(words.hasPrefix("a  ä😀") && (2_997...3_000).contains(words.utf8.count))
    }

    @Test("A webhook without a usable secret is not told; with one it is signed, and its body is JSON")
    func webhook() throws {
        let house = try receiver("kind: webhook, url: \"https://h\", credential: c")
        #expect(throws: WebhookFailure.self) {
            try values.request(
                for: house, credential: Credential(user: "x", password: "no"), picture: nil, sentSeconds: 1)
        }
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let request = try values.request(
            for: house, credential: Credential(user: "x", password: secret), picture: [0xFF], sentSeconds: 7)
        let headers = Dictionary(request.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let message = WebhookMessage(id: "00ff00ff00ff00ff", sentSeconds: 7, body: request.body)
        #expect(WebhookSecret(text: secret)?.verifies(message, headers["webhook-signature"] ?? "") == true)
        let body = try #require(
            try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
        let data = try #require(body["data"] as? [String: Any])
        #expect(body["type"] as? String == "vigil.test" && data["picture"] as? String == "/w==")
        #expect(data["clock"] as? String == "2026-11-23 11:00:00")
    }
}
