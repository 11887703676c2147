import Foundation
import Testing

/// The time control (T1, T2, T3, T4, T5 and T7) in the whole daemon: live cameras, each under a policy of its own, and what their events and clips
/// are. The cases of one test run at the same time, since they run in real time.
@Suite(
    "The time control in the whole daemon", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
struct TimeControlTests {
    /// Seconds from `first` on, one apart.
    private static func each(from first: Double, to last: Double) -> [Double] {
        Array(stride(from: first, through: last, by: 1))
    }

    /// A row: detections at seconds from the first, when the event ends and why.
    private static func row(
        _ name: String, _ i: Int, _ a: Int, _ m: Int, at seconds: [Double], ends length: Int, _ why: String = "quiet"
    ) -> TimedCase {
        TimedCase(
            name: name, times: (i, a, m, 0), looks: false,
            expected: [TimedCase.Expected(length: length, ended: [why], detections: seconds.count)]
        ) { try $0.detect(seconds) }
    }

    /// The worked traces of the time control. Windows end at full seconds; a detection by command may come up to 0.4 s off its
    /// plan, so each is planned at least half a second from every end. What is decided at the very end of a window, and so what
    /// the last two rows are about, is tested with the machine alone ("The worked traces …" of MachinesTests).
    private static let table = [
        row("one", 5, 2, 15, at: [0], ends: 5),
        row("two", 5, 2, 15, at: [0, 1], ends: 7),
        row("third-too-early", 5, 2, 15, at: [0, 1, 4], ends: 7),
        row("third-in-time", 5, 2, 15, at: [0, 1, 6], ends: 9),
        row("every-second", 5, 2, 15, at: [0] + each(from: 0.5, to: 14.5), ends: 15, "limit"),
        row("longer-than-max", 5, 15, 10, at: [0, 1], ends: 10, "limit"),
        row("never-longer", 5, 0, 30, at: [0] + each(from: 0.5, to: 4.5), ends: 5),
        row("every-two-seconds", 5, 1, 30, at: [0, 2, 4], ends: 6),
        row("every-four-seconds", 5, 3, 30, at: [0, 4], ends: 8),
    ]

    @Test("Each worked trace is one event of the very length, with the reason of its end, and one clip with pre-roll")
    func traces() async throws {
        let site = try CaseSite(Self.table)
        defer { site.end() }
        for outcome in try await site.perform(Self.table) {
            judge(outcome, toleranceMs: 300)
            #expect(outcome.clips.count == outcome.performances, "\(outcome.timedCase.name)")
        }
        #expect(site.daemon.end() == 0)
    }

    // MARK: Scenes

    /// One event, of a scene.
    private static func event(_ length: Int?, _ ended: String = "quiet", cause: String = "detection")
        -> TimedCase.Expected
    {
        TimedCase.Expected(length: length, ended: ended == "any" ? ["quiet", "limit"] : [ended], cause: cause)
    }

    /// Movement until the event's end, which goes on into the blind time.
    private static let goesOn: @Sendable (CaseDriver) throws -> Void = { driver in
        try driver.scene.move()
        // Detections come half a second apart.
        try driver.rest(1_500, afterEndOf: 1)
    }

    /// A burst makes two detections at least, so the first window is always prolonged once. The last of them comes at most
    /// 1.3 s after the first, by which the event begins; a second burst is noticed 0.6 to 1.8 s after it began. So one that begins
    /// 2.5 s after the event is over before a window of 5 s is, and one that begins 4.5 s after it is noticed between 5 s and
    /// 6.4 s.
    private static let scenes = [
        TimedCase(name: "burst", times: (5, 2, 15, 0), expected: [event(7)]) { try $0.scene.burst() },
        TimedCase(name: "burst-too-early", times: (5, 2, 15, 0), expected: [event(7)]) { driver in
            try driver.scene.burst()
            try driver.burst(at: driver.begun(1) + 2_500)
        },
        TimedCase(name: "burst-in-time", times: (5, 2, 15, 0), expected: [event(9)]) { driver in
            try driver.scene.burst()
            try driver.burst(at: driver.begun(1) + 4_500)
        },
        TimedCase(name: "goes-on", times: (5, 2, 15, 5), expected: [event(15, "limit")], script: goesOn),
        // A detector that rests for a group of pictures would tell movement each 2 s: too seldom to prolong by 1 s.
        TimedCase(
            name: "goes-on-briefly", times: (5, 1, 10, 5), isZoned: false, expected: [event(10, "limit")],
            script: goesOn),
        TimedCase(name: "goes-on-in-vain", times: (5, 0, 30, 5), expected: [event(5)], script: goesOn),
        // TC-2.13, step 18.
        TimedCase(name: "burst-to-the-limit", times: (5, 15, 10, 3), expected: [event(10, "limit")]) {
            try $0.scene.burst()
        },

        // ZONEMGMT-2.4: quiet; in the blind time; after it.
        TimedCase(name: "zone-burst", times: (4, 3, 10, 4), expected: [event(7), event(7)]) { driver in
            try driver.scene.burst()
            try driver.burst(onEndOf: 1)
            try driver.quiet()
            try driver.scene.burst()
        },
        // ZONEMGMT-2.4: two movements; as long as the max event length and longer.
        TimedCase(name: "zone-two-bursts", times: (4, 3, 10, 4), expected: [event(7)]) { driver in
            try driver.scene.burst()
            try driver.burst(at: driver.begun(1) + 1_500)
        },
        TimedCase(name: "zone-goes-on", times: (4, 3, 10, 4), expected: [event(10, "limit")], script: goesOn),

        // TC-2.12 (its max of 20 s is none of ours): recording is switched off in an event and on again while it moves. The link is down meanwhile.
        TimedCase(name: "tc-2-12", times: (10, 5, 30, 1), expected: [event(nil, "disabled"), event(15)]) { driver in
            try driver.scene.move()
            _ = try driver.begun(1)
            try driver.run(["disable", driver.camera])
            try driver.ended(1)
            // No event may come meanwhile; and what was noticed in the moment of switching off no longer counts then (I).
            Thread.sleep(forTimeInterval: 11)
            try driver.run(["enable", driver.camera])
            _ = try driver.begun(2)
            try driver.scene.rest()
        },
        // TC-2.12, with a detection by another device while recording is off: what is left of its window is an event.
        TimedCase(
            name: "tc-2-12-silent", times: (10, 5, 30, 1), looks: false,
            expected: [event(nil)]
        ) { driver in
            try driver.run(["disable", driver.camera])
            try driver.detect([0])
            try driver.then(["enable", driver.camera], at: 5)
        },
        // TC-2.13: prolonged without a second begin; in the blind time; after it, ended after I; and no blind time after a command.
        TimedCase(
            name: "tc-2-13", times: (5, 2, 15, 3),
            expected: [event(7), event(5), event(2, "any", cause: "command"), event(7)]
        ) { driver in
            try driver.scene.burst()
            try driver.burst(at: driver.begun(1) + 1_500)
            try driver.burst(onEndOf: 1)
            try driver.quiet()
            try driver.detect([0])
            try driver.ended(2)
            try driver.quiet()
            try driver.run(["record", driver.camera, "--for", "2s"])
            try driver.burst(at: driver.begun(3) + 2_000)
        },
    ]

    @Test("Scenes that move become the events that the policies promise: TC-2.12, TC-2.13, ZONEMGMT-2.4 and the traces")
    func moving() async throws {
        let site = try CaseSite(Self.scenes)
        defer { site.end() }
        let outcomes = try await site.perform(Self.scenes)
        for outcome in outcomes {
            judge(outcome, toleranceMs: 500)
            let name = outcome.timedCase.name
            // The test cases allow 5 s.
            if let begun = outcome.events.first?.startedMonotonicMs, let moved = outcome.switches.first {
                #expect((0...5_000).contains(begun - moved), "\(name): noticed after \(begun - moved) ms")
            }
            let blind = outcome.events.first?.suppressed.contains { $0.why == "blind" } ?? false
            let isBlind = ["goes-on", "goes-on-briefly", "goes-on-in-vain", "zone-burst", "zone-goes-on", "tc-2-13"]
                .contains(name)
            #expect(blind == isBlind, "\(name): \(outcome.events)")
        }
        try commanded(#require(outcomes.first { $0.timedCase.name == "tc-2-13" }))
        try silent(#require(outcomes.first { $0.timedCase.name == "tc-2-12-silent" }), site.daemon)
        try deallocated(site)
        #expect(site.daemon.end() == 0)
    }

    /// What moved right after the command's event began an event at once, within what would have been the blind time.
    private func commanded(_ outcome: Outcome) throws {
        try #require(outcome.events.count == 4, "\(outcome.events)")
        let (command, next) = (outcome.events[2], outcome.events[3])
        let end = try command.startedMonotonicMs + lengthMs(command.start, command.end)
        #expect((0..<3_000).contains(next.startedMonotonicMs - end), "\(next)")
    }

    /// What did not count while recording was off is listed with the reason, and its window ended when it would have ended.
    private func silent(_ outcome: Outcome, _ daemon: RunningDaemon) throws {
        let runs = try daemon.json(["events", "--suppressed", "--camera", outcome.timedCase.name])
        #expect(runs.count == outcome.performances && runs.allSatisfy { $0["why"] as? String == "disabled" }, "\(runs)")
        let noticed = try #require(runs.last?["from"] as? String)
        let length = try lengthMs(noticed, outcome.events.first?.end)
        #expect((9_990...10_500).contains(length), "\(runs) \(outcome.events)")
    }

    /// The last step of TC-2.12: the camera can be taken out.
    private func deallocated(_ site: CaseSite) throws {
        let file = site.folder + "/vigil.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing(#/(?m)^  tc-2-12:\n(?:    .*\n)+/#, with: "").write(
            toFile: file, atomically: true, encoding: .utf8)
        let reload = try site.daemon.vigil(["reload"])
        #expect(reload.status == 0, "\(reload.errors)")
        let left = try site.daemon.state().compactMap { $0["camera"] as? String }
        #expect(left.sorted() == Self.scenes.map(\.name).filter { $0 != "tc-2-12" }.sorted())
    }

    // MARK: Judging

    /// Compares what came with what was expected: the events, and that their clips hold them with their pre-roll.
    private func judge(_ outcome: Outcome, toleranceMs: Int) {
        let timedCase = outcome.timedCase
        let told: Comment = "\(timedCase.name), performance \(outcome.performances): \(outcome.events) \(outcome.clips)"
        #expect(
            outcome.offMs <= CaseSite.toleranceMs, "\(timedCase.name): the machine stood still in every performance")
        #expect(outcome.events.count == timedCase.expected.count, told)
        for (number, (event, expected)) in zip(outcome.events, timedCase.expected).enumerated() {
            let length = (try? lengthMs(event.start, event.end)) ?? 0
            if let seconds = expected.length {
                #expect((-10...toleranceMs).contains(length - seconds * 1_000), "\(length) ms, \(told)")
            }
            #expect(expected.ended.contains(event.ended ?? "") && event.cause == expected.cause, told)
            if let detections = expected.detections { #expect(event.detections == detections, told) }
            if timedCase.looks, number == 0, event.ended != "disabled" { #expect(event.detections >= 2, told) }
            // Cut at a key frame, which comes every 2 s; while its link was down an event has no clip yet.
            let clips = outcome.clips.filter { event.clips.contains($0.id) }
            guard let first = clips.first, let last = clips.last else {
                Issue.record("\(timedCase.name): no clip. \(told)")
                continue
            }
            for (one, next) in zip(clips, clips.dropFirst()) { #expect(next.chainedTo == one.id, told) }
            if number == 0, timedCase.name != "tc-2-12-silent" {
                #expect(event.startedMonotonicMs - first.startedMonotonicMs >= timedCase.preRoll * 1_000, told)
            }
            let end = last.startedMonotonicMs + ((try? lengthMs(last.start, last.end)) ?? 0)
            // A clip that is cut by the end of its event ends with its last frame.
            if event.ended != "disabled" { #expect(end >= event.startedMonotonicMs + length - toleranceMs, told) }
        }
    }
}
