import Foundation
import Testing

/// The built program with receivers that are strict, away, and refuse, and that is killed and started again.
@Suite("Messages out over HTTP", .serialized)
struct NotificationTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let token = "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"
    private static let environment = [
        "VIGIL_CREDENTIAL_PHONE": ":\(token)", "VIGIL_CREDENTIAL_CLUB": "vigil:\(token)",
        "VIGIL_CREDENTIAL_HOUSE": "vigil:\(secret)",
    ]
    private static let arguments = ["--secret", secret, "--token", token]

    /// A camera that sees movement again and again, and receivers at `port`.
    private func start(
        _ port: Int, _ folder: String, rules: String, more: String = "", cameras: String = ""
    ) throws -> RunningDaemon {
        let config = try configure(port, folder, rules: rules, more: more, cameras: cameras)
        return try RunningDaemon(folder: folder, config: config, environment: Self.environment)
    }

    @discardableResult
    private func configure(
        _ port: Int, _ folder: String, rules: String, more: String = "", cameras: String = ""
    ) throws -> String {
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: event, initial: 2s, maxEventLength: 10s, sensitivity: 10",
            """
            timezone: UTC
            cameras: { front: { main: demo, policy: all } \(cameras) }
            notify:
              phone: { kind: ntfy, url: "http://127.0.0.1:\(port)/t0pic", credential: phone, picture: true, title: "Tür {{camera}}" }
              club: { kind: gotify, url: "http://127.0.0.1:\(port)/", credential: club, problems: 1m }
              house: { kind: webhook, url: "http://127.0.0.1:\(port)/hook", credential: house, picture: true \(more) }
            """)
        try
            ("name: all\nrecording: { mode: event, initial: 2s, maxEventLength: 10s, sensitivity: 10 }\nnotify:\n"
            + rules)
            .write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        return config
    }

    private func list(_ daemon: RunningDaemon) throws -> (receivers: [[String: Any]], messages: [[String: Any]]) {
        let answer = try daemon.vigil(["notify", "list", "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
        return (
            object?["receivers"] as? [[String: Any]] ?? [], object?["notifications"] as? [[String: Any]] ?? []
        )
    }

    private func data(_ line: [String: Any]) -> [String: Any] {
        (line["body"] as? [String: Any])?["data"] as? [String: Any] ?? [:]
    }

    @Test(
        "An event arrives with its picture at ntfy, Gotify and a signed webhook, when it begins and when it ends; a trial too"
    )
    func arrives() async throws {
        let folder = try RunningDaemon.freshFolder()
        let receiver = try NotificationReceiver(Self.arguments)
        defer { receiver.end() }
        try #"{ "text": "{{words}}", "camera": "{{camera}}", "image": "{{picture}}", "kind": "{{kind}}" }"#
            .write(toFile: folder + "/body.json", atomically: true, encoding: .utf8)
        let rules = "  - { to: [ phone, club ], on: [ begin ] }\n  - { to: [ house ], on: [ begin, end ] }\n"
        let daemon = try start(receiver.port, folder, rules: rules, more: ", template: body.json")
        defer { daemon.discard() }
        // On a machine that is slow a picture may be left out of one message, and not of each.
        func end(_ line: [String: Any]) -> Bool { (line["body"] as? [String: Any])?["kind"] as? String == "end" }
        try await daemon.wait("an end with its picture at the webhook") {
            receiver.taken("webhook").contains { end($0) && $0["picture"] != nil }
        }
        try await daemon.wait("a begin with its picture at ntfy, and one at Gotify") {
            receiver.taken("ntfy").contains { $0["picture"] != nil } && !receiver.taken("gotify").isEmpty
        }
        let ntfy = try #require(receiver.taken("ntfy").first { $0["picture"] != nil })
        #expect(
            ntfy["title"] as? String == "Tür front"
                && (ntfy["picture"] as? [String: Any])?["bytes"] as? Int ?? 0 > 1_000)
        #expect((ntfy["message"] as? String)?.wholeMatch(of: /movement at \d\d:\d\d:\d\d/) != nil, "\(ntfy)")
        #expect((ntfy["filename"] as? String)?.wholeMatch(of: /front-\d+\.jpg/) != nil)
        let gotify = try #require(receiver.taken("gotify").first)
        #expect(gotify["title"] as? String == "Vigil front" && gotify["priority"] as? Int == 5)
        let hooks = receiver.taken("webhook")
        #expect(Set(hooks.compactMap { $0["id"] as? String }).count == hooks.count)
        let trial = try daemon.vigil(["notify", "test", "house"])
        #expect(trial.status == 0 && trial.output == "house took it\n", "\(trial)")
        #expect(receiver.taken("webhook").contains { ($0["body"] as? [String: Any])?["kind"] as? String == "test" })
        try await daemon.wait("who tried it, in the journal") {
            daemon.log.contains("a receiver was sent a trial: house, by uid \(getuid())")
        }
        try receiver.refuse(500)
        try await daemon.wait("a trial that fails") { try daemon.vigil(["notify", "test", "club"]).status == 1 }
        let nobody = try daemon.vigil(["notify", "test", "nobody"])
        #expect(nobody.status == 1 && nobody.errors.contains("none has this name"))
        #expect(receiver.refused.allSatisfy { $0.contains("told to") }, "\(receiver.refused)")
        #expect(!daemon.log.contains(Self.token) && !daemon.log.contains("t0pic"))
    }

    @Test(
        "What nobody takes waits over a kill, and arrives once when the receiver is there; the outage is told once and shown"
    )
    func killed() async throws {
        let folder = try RunningDaemon.freshFolder()
        let port = Int(try ListenerTests.Port().number)
        let rules = "  - { to: [ house ], on: [ begin, end ] }\n"
        let first = try start(port, folder, rules: rules)
        defer { first.discard() }
        try await first.wait("a message that was tried") {
            try list(first).messages.contains { $0["state"] as? String == "waiting" && $0["attempts"] as? Int ?? 0 > 0 }
        }
        try await first.wait("the receiver is shown") {
            try list(first).receivers.contains { $0["receiver"] as? String == "house" && $0["failingSince"] is String }
        }
        #expect(first.log.components(separatedBy: "a receiver cannot be told").count == 2)
        first.end(SIGKILL)
        let receiver = try NotificationReceiver(port: port, Self.arguments)
        defer { receiver.end() }
        let second = try RunningDaemon(
            folder: folder, config: folder + "/vigil.yaml", environment: Self.environment)
        defer { second.discard() }
        // Event 1 began before the kill, and its end was told by itself or by recovery.
        try await second.wait("event 1, from its begin to its end") {
            let kinds = receiver.taken("webhook").filter {
                (data($0)["event"] as? [String: Any])?["id"] as? String == "1"
            }
            .map { ($0["body"] as? [String: Any])?["type"] as? String }
            return kinds == ["vigil.begin", "vigil.end"]
        }
        try await second.wait("nothing waits") {
            try list(second).receivers.first { $0["receiver"] as? String == "house" }?["waiting"] as? Int == 0
        }
        let hooks = receiver.taken("webhook")
        #expect(Set(hooks.compactMap { $0["id"] as? String }).count == hooks.count, "each once")
        #expect(receiver.refused.isEmpty, "\(receiver.refused)")
    }

    @Test(
        "An event with a label is told to the receiver whose rule names it, once, and not to those whose rules name others; a doorbell is one"
    )
    func labelled() async throws {
        let folder = try RunningDaemon.freshFolder()
        let receiver = try NotificationReceiver(Self.arguments)
        defer { receiver.end() }
        let rules = """
              - { to: [ house ], labels: [ person ] }
              - { to: [ phone ], labels: [ car ] }
              - { to: [ club ], labels: [ doorbell ] }

            """
        let daemon = try start(receiver.port, folder, rules: rules)
        defer { daemon.discard() }
        let kinds = ["webhook", "ntfy", "gotify"]
        func words(_ kind: String) -> [String] {
            receiver.taken(kind).map { $0["message"] as? String ?? data($0)["words"] as? String ?? "" }
        }
        try await daemon.wait("an event that is over") { try daemon.events().contains { $0["end"] is String } }
        #expect(kinds.allSatisfy { words($0).isEmpty }, "nothing has a label")

        #expect(try daemon.vigil(["trigger", "front", "--label", "person"]).status == 0)
        try await daemon.wait("a person is told") { words("webhook").count == 1 }
        let hook = try #require(receiver.taken("webhook").first)
        let event = try #require(data(hook)["event"] as? [String: Any])
        #expect((hook["body"] as? [String: Any])?["type"] as? String == "vigil.begin")
        #expect(event["labels"] as? String == "person" && words("webhook")[0].contains(" (person) at "), "\(hook)")
        let found = try daemon.events("label=person").compactMap { $0["id"] as? Int }
        #expect(found.map { "\($0)" } == [event["id"] as? String], "\(found)")
        #expect(words("ntfy").isEmpty && words("gotify").isEmpty)

        #expect(try daemon.vigil(["trigger", "front", "--label", "car"]).status == 0)
        try await daemon.wait("a car is told") { words("ntfy").contains { $0.contains("car) at ") } }
        let journal = try JournalFollower(daemon)
        #expect(try daemon.ask("POST", "/v1/cameras/front/trigger?source=doorbell&ms=1000", nil).status == 200)
        try await daemon.wait("a ring is told") { words("gotify").contains { $0.contains("doorbell") } }
        #expect(words("webhook").count == 1 && words("ntfy").count == 1 && words("gotify").count == 1)
        // Nobody tells that it rings no more, so nothing is wrong when its time is over.
        try await daemon.wait("its time is over") { try !journal.records("sourceExpired").isEmpty }
        #expect(try journal.records("sourceExpired").map(\.priority) == ["info"])
        #expect(receiver.refused.isEmpty, "\(receiver.refused)")
    }

    @Test(
        "Quiet hours keep everything back, a distance all but the first event; a picture that is not wanted is left out"
    )
    func kept() async throws {
        let folder = try RunningDaemon.freshFolder()
        let receiver = try NotificationReceiver(Self.arguments + ["--no-attachments"])
        defer { receiver.end() }
        let rules = """
              - { to: [ phone ], on: [ begin ], atMostEvery: 1d }
              - { to: [ house ], on: [ begin, end ], quiet: [ { from: "00:00", to: "24:00" } ] }

            """
        let nobody = try ListenerTests.Port().number
        let daemon = try start(
            receiver.port, folder, rules: rules,
            cameras: ", away: { main: \"rtsp://127.0.0.1:\(nobody)/\", policy: all }")
        defer { daemon.discard() }
        try await daemon.wait("three events") {
            try daemon.events().count { $0["end"] is String } >= 3
        }
        try await daemon.wait("the first is taken") {
            try list(daemon).messages.filter { $0["event"] is Int }.map { $0["state"] as? String } == ["taken"]
        }
        let message = try #require(try list(daemon).messages.first { $0["event"] is Int })
        #expect(message["receiver"] as? String == "phone" && message["attempts"] as? Int == 1)
        #expect(receiver.taken("webhook").isEmpty && receiver.taken("ntfy").count == 1)
        #expect(receiver.taken("ntfy").first?["picture"] == nil && receiver.refused.count == 1, "\(receiver.refused)")
        // A camera that has been away for a minute is told to who asks for problems, and that it is back.
        func titles() -> [String] {
            receiver.taken("gotify").map { "\($0["title"] ?? "") \($0["priority"] ?? "")" }
        }
        try await daemon.wait("the problem") { titles() == ["Vigil away 8"] }
        try configure(
            receiver.port, folder, rules: "  - { to: [ house ] }\n", cameras: ", away: { main: demo, policy: all }")
        try await daemon.wait("its end") { titles() == ["Vigil away 8", "Vigil away 5"] }
        #expect((receiver.taken("gotify").last?["message"] as? String)?.hasPrefix("over: ") == true)
        let kinds = try list(daemon).messages.filter { $0["problem"] is String }.map { $0["kind"] as? String }
        #expect(kinds == ["problemOver", "problem"])
    }
}
