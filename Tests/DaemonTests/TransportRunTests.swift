import Foundation
import Testing

/// What Matter's tests say of transports that run, each on the whole daemon, by the built program.
@Suite(
    "Transports that run, as Matter tests them", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "needs curl"))
struct TransportRunTests {
    private static func continuous(_ rig: TransportRig) -> [String: Any] {
        rig.options { $0["triggerOptions"] = ["triggerType": "continuous"] }
    }

    private static func command(_ rig: TransportRig) -> [String: Any] {
        rig.options { $0["triggerOptions"] = ["triggerType": "command", "maxPreRollLen": 0] }
    }

    private static var time: [String: Any] { ["initialDuration": 2, "maxDuration": 2] }

    @Test(
        "PAVST-2.6: what is active and continuous records, beside the camera's own recording; privacy refuses; all are set at once"
    )
    func status() async throws {
        let rig = try await TransportRig.start()
        let daemon = rig.daemon
        defer { daemon.discard() }
        let (number, other) = (try rig.allocate(Self.continuous(rig)), try rig.allocate())
        for (unknown, camera) in [(other + 1, "front"), (number, "back")] {
            #expect(try rig.set(unknown, "active", camera: camera).matter == "NOT_FOUND")
        }
        #expect(try rig.set(number, "loud").matter == "CONSTRAINT_ERROR")
        #expect(try daemon.vigil(["privacy", "front", "on"]).status == 0)
        #expect(try rig.set(number, "active").matter == "INVALID_IN_STATE")
        #expect(try rig.set(nil, "active").matter == "INVALID_IN_STATE")
        #expect(try rig.ask("GET", "/\(number)").transportStatus == "inactive")
        #expect(try daemon.vigil(["privacy", "front", "off"]).status == 0)
        try await daemon.wait(camera: "front", coverage: "idle")

        #expect(try rig.set(number, "active").status == 200)
        try await daemon.wait(camera: "front", coverage: "recorded")
        #expect(try daemon.state("front").first?["why"] as? String == "a transport records")
        #expect(try rig.ask("GET", "/\(number)").object["recording"] as? Bool == true)
        #expect(try daemon.events("camera=front").isEmpty)
        try await daemon.wait("its clip") { (try rig.recordings(number).first?["clips"] as? [Int])?.isEmpty == false }

        // Privacy ends what records, and what is continuous goes on after it.
        #expect(try daemon.vigil(["privacy", "front", "on"]).status == 0)
        try await daemon.wait("ended by privacy") { try rig.recordings(number).first?["why"] as? String == "privacy" }
        #expect(try daemon.vigil(["privacy", "front", "off"]).status == 0)
        try await daemon.wait("recorded again") { try rig.recordings(number).count == 2 }

        #expect(try rig.set(nil, "inactive").status == 200)
        #expect(try rig.all().allSatisfy { $0["transportStatus"] as? String == "inactive" })
        try await daemon.wait(camera: "front", coverage: "disabled")
        #expect(try rig.recordings(number).map { $0["why"] as? String } == ["inactive", "privacy"])
        // Nothing is left that would hold up a change.
        #expect(try rig.ask("PATCH", "/\(number)", ["expiryTime": 600]).status == 200)
        // The camera's own recording is the first transport.
        #expect(try rig.set(0, "active").status == 200)
        try await daemon.wait(camera: "front", coverage: "idle")
        #expect(daemon.end() == 0)
        let replayed = try rig.replayed()
        #expect(replayed.map(\.number) == [number, other].sorted() && replayed.allSatisfy { $0.isOver }, "\(replayed)")
    }

    @Test("PAVST-2.7: a trigger is refused by what Matter calls it, and else records for its time")
    func triggered() async throws {
        let rig = try await TransportRig.start()
        let daemon = rig.daemon
        defer { daemon.discard() }
        let reason: [String: Any] = ["activationReason": "userInitiated"]
        let timed: [String: Any] = ["activationReason": "automation", "timeControl": Self.time]
        func trigger(_ number: Int, _ body: [String: Any], _ camera: String = "front") throws -> TransportRig.Answer {
            try rig.ask("POST", "/\(number)/trigger", body, camera: camera)
        }
        let (command, always) = (try rig.allocate(Self.command(rig)), try rig.allocate(Self.continuous(rig)))
        #expect(try trigger(always + 1, timed).matter == "NOT_FOUND")
        #expect(try trigger(command, timed, "back").matter == "NOT_FOUND")
        #expect(try trigger(command, timed).matter == "InvalidTransportStatus")
        #expect(try trigger(command, ["activationReason": "boredom"]).matter == "CONSTRAINT_ERROR")
        #expect(
            try trigger(
                command, ["activationReason": "emergency", "timeControl": ["initialDuration": 0, "maxDuration": 1]]
            )
            .matter == "CONSTRAINT_ERROR")
        for number in [command, always] { #expect(try rig.set(number, "active").status == 200) }
        #expect(try trigger(always, timed).matter == "InvalidTriggerType")
        #expect(try rig.ask("DELETE", "/\(always)").status == 200)
        #expect(try trigger(command, reason).matter == "DYNAMIC_CONSTRAINT_ERROR")
        #expect(try daemon.vigil(["privacy", "front", "on"]).status == 0)
        try await daemon.wait(camera: "front", coverage: "privacy")
        #expect(try trigger(command, timed).matter == "INVALID_IN_STATE")
        #expect(try daemon.vigil(["privacy", "front", "off"]).status == 0)
        try await daemon.wait(camera: "front", coverage: "idle")
        #expect(try rig.recordings(command).isEmpty)

        let answer = try trigger(command, timed)
        #expect(answer.status == 200 && answer.object["recording"] as? Bool == true, "\(answer)")
        try await daemon.wait("it ends with its time") {
            try rig.recordings(command).first?["why"] as? String == "quiet"
        }
        let recording = try #require(try rig.recordings(command).first)
        #expect(recording["triggerType"] as? String == "command")
        #expect(recording["activationReason"] as? String == "automation")

        // What a doorbell begins says so; another source begins nothing of a command's.
        let inactive = try rig.allocate(Self.command(rig))
        for source in ["gate", "doorbell"] {
            #expect(try daemon.ask("POST", "/v1/cameras/front/trigger?source=\(source)&ms=1000", nil).status == 200)
        }
        try await daemon.wait("the doorbell's recording") {
            try rig.recordings(command).map { $0["activationReason"] as? String } == ["doorbellPressed", "automation"]
        }
        #expect(try rig.recordings(inactive).isEmpty)
        #expect(daemon.end() == 0)
        let replayed = try rig.replayed()
        #expect(replayed.map(\.number) == [command, always, inactive].sorted(), "\(replayed)")
        #expect(replayed.allSatisfy { $0.isOver }, "\(replayed)")
    }

    @Test(
        "PAVST-2.12: motion records what is active, and what is remembered records as soon as it is set active, with pre-roll"
    )
    func motion() async throws {
        let rig = try await TransportRig.start()
        let daemon = rig.daemon
        defer { daemon.discard() }
        let preRollMs = rig.keyFrameMs * 2
        let number = try rig.allocate(
            rig.options {
                $0["triggerOptions"] = TransportRig.motion {
                    $0["motionSensitivity"] = 1
                    $0["maxPreRollLen"] = preRollMs
                    $0["motionTimeControl"] = ["initialDuration": 60, "augmentationDuration": 0, "maxDuration": 60]
                }
            })
        // The camera's own recording is another trigger.
        #expect(try daemon.vigil(["disable", "back"]).status == 0)
        #expect(try daemon.vigil(["trigger", "front", "--level", "1"]).status == 0)
        try await daemon.wait("the camera's own event") { try daemon.events("camera=front").count == 1 }
        #expect(try rig.recordings(number).isEmpty)
        #expect(try rig.ask("GET", "/\(number)").object["recording"] as? Bool == false)

        #expect(try rig.set(number, "active").status == 200)
        #expect(try rig.ask("GET", "/\(number)").object["recording"] as? Bool == true)
        let recording = try #require(try rig.recordings(number).first)
        #expect(recording["triggerType"] as? String == "motion")
        #expect(try rig.ask("DELETE", "/\(number)").status == 200)

        // Motion of a level that the camera's policy does not notice, kept from before its beginning.
        #expect(try daemon.vigil(["camera", "set", "front", "sensitivity=1"]).status == 0)
        let keen = try rig.allocate(
            rig.options {
                $0["triggerOptions"] = TransportRig.motion { $0["maxPreRollLen"] = preRollMs }
            })
        #expect(try rig.set(keen, "active").status == 200)
        try await daemon.wait(camera: "front", coverage: "idle")
        // The ring has held enough since it is to.
        try await daemon.wait("the ring") {
            let ring = try daemon.state("front").first?["ring"] as? [String: Any]
            return ring?["durationMs"] as? Int ?? 0 >= preRollMs
        }
        #expect(try daemon.vigil(["trigger", "front", "--level", "10"]).status == 0)
        try await daemon.wait("its end") { try rig.recordings(keen).first?["why"] as? String == "quiet" }
        let kept = try #require(try rig.recordings(keen).first)
        let id = try #require((kept["clips"] as? [Int])?.last)
        let clip = try #require(try daemon.clips("camera=front").first { $0["id"] as? Int == id })
        #expect(clip["event"] == nil || clip["event"] is NSNull)
        #expect((clip["preRoll"] as? [String: Any])?["promisedMs"] as? Int == preRollMs, "\(clip)")
        #expect(try daemon.events("camera=front").count == 1)
        #expect(daemon.end() == 0)
        #expect(try rig.replayed().contains { $0.number == number && $0.isOver })
    }

    @Test("PAVST-2.14: transports are the same after a kill and after a restart; what was deallocated stays away")
    func kept() async throws {
        let folder = try RunningDaemon.freshFolder()
        var rig = try await TransportRig.start(in: folder)
        defer { rig.daemon.discard() }
        let (always, other) = (try rig.allocate(Self.continuous(rig)), try rig.allocate())
        #expect(try rig.set(always, "active").status == 200)
        try await rig.daemon.wait(camera: "front", coverage: "recorded")
        let before = try rig.all()
        rig.daemon.end(SIGKILL)

        rig = try await TransportRig.start(in: folder)
        try await rig.daemon.wait("it records again") { try rig.recordings(always).count == 2 }
        #expect(try rig.recordings(always).last?["why"] as? String == "interrupted")
        #expect(NSArray(array: try rig.all().dropFirst().map { $0 }) == NSArray(array: before.dropFirst().map { $0 }))
        for number in [always, other] { #expect(try rig.ask("DELETE", "/\(number)").status == 200) }
        #expect(rig.daemon.end() == 0)

        rig = try await TransportRig.start(in: folder)
        #expect(try rig.all().count == 1)
        // Numbers go on, so that nobody takes one transport for another.
        #expect(try rig.allocate() == other + 1)
        #expect(rig.daemon.end() == 0)
        // What was killed has no end; each start has made its machines anew.
        let replayed = try rig.replayed()
        #expect(replayed.map(\.number) == [always, always, other, other, other + 1], "\(replayed)")
        #expect(replayed.map(\.isOver) == [false, true, false, true, true], "\(replayed)")
    }

    @Test("PAVST-2.9: when a transport is over is kept over a kill and a restart, and it goes when it is due")
    func expiry() async throws {
        let folder = try RunningDaemon.freshFolder()
        var rig = try await TransportRig.start(in: folder)
        defer { rig.daemon.discard() }
        func told(_ number: Int) throws -> String? { try rig.ask("GET", "/\(number)").object["expires"] as? String }
        func passed(_ moment: String) throws -> Bool {
            try Date() >= Date(moment, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        let numbers = try [86_400, 20, 4].map { life in try rig.allocate(rig.options { $0["expiryTime"] = life }) }
        let (long, short, soon) = (numbers[0], numbers[1], numbers[2])
        let before = try numbers.map { try told($0) }
        let (ofLong, ofShort) = (try #require(before[0]), try #require(before[1]))
        rig.daemon.end(SIGKILL)

        // The one that is due while nothing runs is gone; of the others nothing has changed.
        try await rig.daemon.wait("a moment that passes") { try before[2].map { try passed($0) } ?? true }
        rig = try await TransportRig.start(in: folder)
        #expect(try rig.ask("GET", "/\(soon)").status == 404)
        #expect(try told(long) == ofLong)
        let there = try told(short)
        if try !passed(ofShort) { #expect(there == ofShort) }
        try await rig.daemon.wait("it is over") { try rig.ask("GET", "/\(short)").status == 404 }
        #expect(try passed(ofShort))
        #expect(rig.daemon.end() == 0)

        rig = try await TransportRig.start(in: folder)
        #expect(try told(long) == ofLong)
        #expect(try rig.all().map { $0["connectionID"] as? Int } == [0, long])
        #expect(rig.daemon.end() == 0)
        // The one that was due while nothing ran had its end with its first step.
        let replayed = try rig.replayed()
        #expect(replayed.count { $0.number == long } >= 2, "\(replayed)")
        for number in numbers { #expect(replayed.last { $0.number == number }?.isOver == true, "\(replayed)") }
    }
}
