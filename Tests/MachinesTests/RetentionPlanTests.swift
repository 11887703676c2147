import Machines
import RandomSource
import Testing

@Suite struct RetentionPlanTests {
    private func clip(
        _ id: Int64, _ camera: String = "a", _ mediaClass: RetentionPlan.MediaClass = .continuous, end: Int64,
        bytes: Int64 = 10
    ) -> RetentionPlan.Clip {
        RetentionPlan.Clip(
            id: id, camera: camera, mediaClass: mediaClass, startMs: end - 5, endMs: end, bytes: bytes)
    }

    private func input(_ seed: UInt64) -> RetentionPlan.Input {
        var random = SeededGenerator(seed: seed)
        var clips: [RetentionPlan.Clip] = []
        for id in 0..<Int64.random(in: 0...40, using: &random) {
            clips.append(
                clip(
                    id, ["a", "b", "c"].randomElement(using: &random) ?? "a",
                    Bool.random(using: &random) ? .event : .continuous, end: id * 10,
                    bytes: .random(in: 0...50, using: &random)))
        }
        func maybe(_ range: ClosedRange<Int64>) -> Int64? {
            Bool.random(using: &random) ? .random(in: range, using: &random) : nil
        }
        var rules: [String: RetentionRules] = [:]
        for camera in ["a", "b"] {
            rules[camera] = RetentionRules(
                continuousMs: maybe(0...400), eventsMs: maybe(0...400), maxBytes: maybe(0...400))
        }
        var protected: [String: Int64] = [:]
        for camera in ["a", "b", "c"] where Bool.random(using: &random) {
            protected[camera] = .random(in: 0...200, using: &random)
        }
        return RetentionPlan.Input(
            clips: clips, rules: rules, protectedBytes: protected, siteMaxBytes: maybe(0...800),
            freeBytes: maybe(0...300),
            reserveBytes: maybe(0...600) ?? 0, nowMs: 400)
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func `whatever is stored and asked, a plan keeps its promises`(_ seed: UInt64) throws {
        let input = input(seed)
        let plan = RetentionPlan(input)
        let byID = Dictionary(uniqueKeysWithValues: input.clips.map { ($0.id, $0) })
        let gone = Set(plan.deletions.map(\.id))
        let left = input.clips.filter { !gone.contains($0.id) }
        func bytes(_ clips: [RetentionPlan.Clip]) -> Int64 { clips.reduce(0) { $0 + $1.bytes } }

        #expect(gone.count == plan.deletions.count, "a clip is named twice")
        let deleted = try plan.deletions.map { try #require(byID[$0.id]) }
        #expect(plan.freedBytes == bytes(deleted))
        #expect(RetentionPlan(input) == plan)

        for rule in RetentionPlan.Rule.allCases {
            let ids = plan.deletions.filter { $0.rule == rule }.map(\.id)
            for camera in rule == .cameraSize ? ["a", "b", "c"] : [nil] {
                let own = ids.filter { camera == nil || byID[$0]?.camera == camera }
                #expect(own == own.sorted(), "not the oldest first")
            }
        }
        for deletion in plan.deletions {
            let clip = try #require(byID[deletion.id])
            let rules = input.rules[clip.camera]
            switch deletion.rule {
            case .continuousAge:
                #expect(try clip.mediaClass == .continuous && input.nowMs - clip.endMs >= #require(rules?.continuousMs))
            case .eventsAge:
                #expect(try clip.mediaClass == .event && input.nowMs - clip.endMs >= #require(rules?.eventsMs))
            case .cameraSize: #expect(rules?.maxBytes != nil)
            case .siteSize: #expect(input.siteMaxBytes != nil)
            case .freeSpace: #expect(input.freeBytes != nil)
            }
        }
        for clip in left {
            let limit =
                clip.mediaClass == .event ? input.rules[clip.camera]?.eventsMs : input.rules[clip.camera]?.continuousMs
            if let limit { #expect(input.nowMs - clip.endMs < limit) }
        }
        for camera in ["a", "b"] {
            guard let limit = input.rules[camera]?.maxBytes else { continue }
            let stored = bytes(left.filter { $0.camera == camera }) + input.protectedBytes[camera, default: 0]
            let unmet = plan.unmet.contains { $0.rule == .cameraSize && $0.camera == camera }
            #expect(stored <= limit || unmet)
            if unmet { #expect(left.allSatisfy { $0.camera != camera || $0.bytes == 0 }) }
        }
        if let limit = input.siteMaxBytes {
            let stored = bytes(left) + input.protectedBytes.values.reduce(0, +)
            #expect(stored <= limit || plan.unmet.contains { $0.rule == .siteSize })
        }
        if let free = input.freeBytes {
            let missing = input.reserveBytes - free - plan.freedBytes
            let unmet = plan.unmet.first { $0.rule == .freeSpace }
            #expect(unmet?.missingBytes == (missing > 0 ? missing : nil))
            if missing > 0 { #expect(left.allSatisfy { $0.bytes == 0 }) }
        }
    }

    @Test func `those inputs let each rule delete, and leave each size rule unmet`() {
        let plans = (0..<400 as Range<UInt64>).map { RetentionPlan(input($0)) }
        for rule in RetentionPlan.Rule.allCases {
            #expect(plans.contains { $0.deletions.contains { $0.rule == rule } }, "\(rule) never deletes")
        }
        for rule in [RetentionPlan.Rule.cameraSize, .siteSize, .freeSpace] {
            #expect(plans.contains { $0.unmet.contains { $0.rule == rule } }, "\(rule) is always met")
        }
    }

    @Test func `no size rule deletes one clip more than it needs`() {
        let clips = (0..<10).map { clip($0, end: $0) }
        let plan = RetentionPlan(.init(clips: clips, rules: ["a": .init(maxBytes: 65)], nowMs: 100))
        #expect(plan.deletions.map(\.id) == [0, 1, 2, 3] && plan.unmet.isEmpty)
        let free = RetentionPlan(.init(clips: clips, rules: [:], freeBytes: 5, reserveBytes: 25, nowMs: 100))
        #expect(free.deletions.map(\.id) == [0, 1] && free.deletions.allSatisfy { $0.rule == .freeSpace })
    }

    @Test func `what one rule frees counts for the next`() {
        let clips = (0..<4).map { clip($0, end: $0 * 10) }
        let plan = RetentionPlan(
            .init(
                clips: clips, rules: ["a": .init(continuousMs: 30)], siteMaxBytes: 30, freeBytes: 0, reserveBytes: 20,
                nowMs: 35))
        #expect(plan.deletions.map(\.rule) == [.continuousAge, .freeSpace])
    }

    @Test func `where nothing may go, the plan says why`() {
        let plan = RetentionPlan(
            .init(
                clips: [clip(1, end: 1)], rules: ["b": .init(maxBytes: 5)], protectedBytes: ["a": 30, "b": 0],
                freeBytes: 10,
                reserveBytes: 50, nowMs: 9))
        #expect(plan.deletions.map(\.id) == [1])
        #expect(plan.unmet.map(\.reason) == [.everythingProtected] && plan.unmet.first?.missingBytes == 30)
        let own = RetentionPlan(
            .init(clips: [], rules: ["b": .init(maxBytes: 5)], protectedBytes: ["a": 30, "b": 9], nowMs: 9))
        #expect(own.unmet.map(\.camera) == ["b"] && own.unmet.map(\.reason) == [.everythingProtected])
        let empty = RetentionPlan(.init(clips: [], rules: [:], freeBytes: 10, reserveBytes: 50, nowMs: 9))
        #expect(empty.unmet.map(\.reason) == [.nothingStored])
    }

    @Test func `a window of the oldest is enough when the totals are given`() {
        let window = (0..<3).map { clip($0, end: $0) }
        let plan = RetentionPlan(
            .init(
                clips: window, rules: ["a": .init(maxBytes: 900)], storedBytes: ["a": 1000],
                truncated: ["a": 3], nowMs: 9))
        #expect(plan.deletions.map(\.id) == [0, 1, 2])
        #expect(plan.unmet.map(\.reason) == [.beyondWindow])
    }

    @Test func `no clip goes while an older one may lie beyond the window`() {
        let window = [clip(0, end: 0), clip(1, end: 1), clip(7, "a", .event, end: 7)]
        func plan(_ rules: RetentionRules, nowMs: Int64, siteMaxBytes: Int64? = nil) -> RetentionPlan {
            RetentionPlan(
                .init(
                    clips: window, rules: ["a": rules], storedBytes: ["a": 800], truncated: ["a": 2],
                    siteMaxBytes: siteMaxBytes, nowMs: nowMs))
        }
        let bySize = plan(.init(maxBytes: 300), nowMs: 9)
        #expect(bySize.deletions.map(\.id) == [0, 1] && bySize.unmet.map(\.reason) == [.beyondWindow])
        // The site's limit waits for what the camera's own deletes, and that for what is too old.
        #expect(plan(.init(maxBytes: 300), nowMs: 9, siteMaxBytes: 100) == bySize)
        let byAge = plan(.init(continuousMs: 5, maxBytes: 300), nowMs: 6, siteMaxBytes: 100)
        #expect(byAge.deletions.map(\.rule) == [.continuousAge, .continuousAge] && byAge.unmet.isEmpty)
    }

    @Test func `extreme numbers do not trap`() {
        let clips = [clip(1, end: .min + 5, bytes: .max), clip(2, end: .max, bytes: .max)]
        let plan = RetentionPlan(
            .init(
                clips: clips, rules: ["a": .init(continuousMs: .max, maxBytes: .min)], siteMaxBytes: .min,
                freeBytes: .min, reserveBytes: .max, nowMs: .max))
        #expect(Set(plan.deletions.map(\.id)) == [1, 2])
    }
}
