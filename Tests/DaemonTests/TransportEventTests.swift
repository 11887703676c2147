import Foundation
import Testing

/// What Matter calls events of transports: records of the journal, each on the whole daemon, by the built program.
@Suite(
    "What the journal tells of transports", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "needs curl"))
struct TransportEventTests {
    private static let kinds = ["transportBegan", "transportEnded"]

    /// Milliseconds since 1970.
    private static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    @Test("PAVST-2.6: what is continuous and set active begins at once, which the journal tells before the answer")
    func begins() async throws {
        let rig = try await TransportRig.start()
        let daemon = rig.daemon
        defer { daemon.discard() }
        let journal = try JournalFollower(daemon)
        let number = try rig.allocate(rig.options { $0["triggerOptions"] = ["triggerType": "continuous"] })
        let sentMs = Self.now()
        #expect(try rig.set(number, "active").status == 200)
        let answeredMs = Self.now()
        try await daemon.wait("its begin") { try !journal.records("transportBegan").isEmpty }
        let began = try #require(try journal.records("transportBegan").first)
        #expect(began.transport == number && began.cause == "continuous" && began.why == nil, "\(began)")
        let active = try #require(
            try journal.records("transportChanged").first {
                $0.transport == number && $0.fields["VIGIL_TO"] == "active"
            })
        // The daemon's own times: the request is taken, and it begins, before it is answered.
        #expect(sentMs <= active.wallMs && active.wallMs <= began.wallMs && began.wallMs <= answeredMs)
        #expect(began.wallMs - active.wallMs <= 5_000)
        print(
            "begun \(began.wallMs - sentMs) ms after the request, \(began.wallMs - active.wallMs) ms after it was active"
        )
        #expect(try journal.records("transportBegan", camera: "back").isEmpty)
        #expect(daemon.end() == 0)
        // What the daemon ends is told, too.
        journal.end()
        let told = try journal.records("transportBegan", "transportEnded")
        #expect(told.map(\.kind) == Self.kinds && told.last?.why == "draining", "\(told)")
    }

    @Test("Each begin of a recording has its end, of the same transport and in order; a command's tells its reason")
    func paired() async throws {
        let rig = try await TransportRig.start()
        let daemon = rig.daemon
        defer { daemon.discard() }
        let journal = try JournalFollower(daemon)
        func trigger(_ number: Int, _ reason: String, seconds: Int? = nil) throws {
            var body: [String: Any] = ["activationReason": reason]
            body["timeControl"] = seconds.map { ["initialDuration": $0, "maxDuration": $0] }
            #expect(try rig.ask("POST", "/\(number)/trigger", body).status == 200)
        }
        let always = try rig.allocate(rig.options { $0["triggerOptions"] = ["triggerType": "continuous"] })
        let command = try rig.allocate(
            rig.options { $0["triggerOptions"] = ["triggerType": "command", "maxPreRollLen": 0] })
        let motion = try rig.allocate()
        for number in [always, command, motion] { #expect(try rig.set(number, "active").status == 200) }
        // The second command lifts the end of the first one's recording.
        try trigger(command, "doorbellPressed", seconds: 3_600)
        try trigger(command, "emergency", seconds: 3_600)
        #expect(try rig.set(command, "inactive").status == 200)
        #expect(try daemon.vigil(["trigger", "front", "--level", "10"]).status == 0)
        try await daemon.wait("the end of motion") { try rig.recordings(motion).first?["why"] as? String == "quiet" }
        try trigger(motion, "automation")
        try await daemon.wait("the end of a command") {
            let recordings = try rig.recordings(motion)
            return recordings.count == 2 && recordings.first?["why"] as? String == "quiet"
        }
        #expect(try daemon.vigil(["privacy", "front", "on"]).status == 0)
        try await daemon.wait("ended by privacy") { try rig.recordings(always).first?["why"] as? String == "privacy" }
        #expect(try daemon.vigil(["privacy", "front", "off"]).status == 0)
        try await daemon.wait("recorded again") { try rig.recordings(always).count == 2 }
        #expect(try rig.ask("DELETE", "/\(always)").status == 200)
        #expect(daemon.end() == 0)
        journal.end()

        let told = try journal.records("transportBegan", "transportEnded")
        let expected = [
            always: ["continuous", "privacy", "continuous", "deallocated"],
            command: ["command doorbellPressed", "inactive"],
            motion: ["motion", "quiet", "command automation", "quiet"],
        ]
        #expect(Set(told.compactMap(\.transport)) == Set(expected.keys))
        for (number, words) in expected {
            let own = told.filter { $0.transport == number }
            #expect(own.map(\.kind) == words.indices.map { Self.kinds[$0 % 2] }, "\(own)")
            #expect(own.map { [$0.cause, $0.why].compactMap { $0 }.joined(separator: " ") } == words, "\(own)")
            #expect(zip(own, own.dropFirst()).allSatisfy { $0.wallMs <= $1.wallMs }, "\(own)")
        }
    }
}
