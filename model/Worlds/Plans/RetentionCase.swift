internal import Machines
internal import RandomSource

/// A site at one moment, and what retention plans for it.
struct RetentionCase: Sendable, CustomStringConvertible {
    /// A clip of the site, and whether somebody protects it.
    struct Stored: Sendable {
        let clip: RetentionPlan.Clip
        var isProtected: Bool
    }

    /// Everything that is stored and closed, oldest first.
    let stored: [Stored]
    /// What the plan is given: all that may be deleted.
    let input: RetentionPlan.Input
    /// The same, but only the oldest so many of each camera and class, as the catalog gives them.
    let window: RetentionPlan.Input
    let plan: RetentionPlan
    let windowed: RetentionPlan
    /// What goes when plans of windows are carried out one after the other until none deletes anything.
    let inTheEnd: Set<RetentionPlan.Deletion>

    /// `count`: how many clips of each camera and class a window has, from 1.
    init(_ site: RetentionSite, window count: Int) {
        stored = site.stored
        input = site.input
        plan = RetentionPlan(site.input)
        window = site.window(count)
        windowed = RetentionPlan(window)
        var (site, gone) = (site, Set<RetentionPlan.Deletion>())
        // Each deletes something, or nothing is left to do.
        for _ in site.stored {
            let next = RetentionPlan(site.window(count))
            if next.deletions.isEmpty { break }
            gone.formUnion(next.deletions)
            site.carryOut(next)
        }
        inTheEnd = gone
    }

    var description: String {
        "\(input)\ndeletions: \(plan.deletions)\nunmet: \(plan.unmet)\nof the window: \(windowed.deletions), and in the end: \(inTheEnd)"
    }

    /// The deletions with their clips and what had been freed before each.
    var story: [(clip: RetentionPlan.Clip, rule: RetentionPlan.Rule, before: [RetentionPlan.Clip])] {
        var gone: [RetentionPlan.Clip] = []
        var story: [(clip: RetentionPlan.Clip, rule: RetentionPlan.Rule, before: [RetentionPlan.Clip])] = []
        for deletion in plan.deletions {
            guard let clip = input.clips.first(where: { $0.id == deletion.id }) else { continue }
            story.append((clip, deletion.rule, gone))
            gone.append(clip)
        }
        return story
    }

    /// What is deleted.
    var gone: [RetentionPlan.Clip] { story.map(\.clip) }
    /// What may be deleted, and is not.
    var left: [RetentionPlan.Clip] {
        let ids = Set(plan.deletions.map(\.id))
        return input.clips.filter { !ids.contains($0.id) }
    }

    /// What a camera stores before anything is deleted, or all of them.
    func bytes(of camera: String? = nil) -> Int64 {
        let cameras = camera.map { [$0] } ?? RetentionSite.cameras
        return cameras.reduce(0) { sum, name in
            let clips = input.clips.filter { $0.camera == name }.reduce(0) { $0 + $1.bytes }
            return sum + (input.storedBytes[name] ?? clips + (input.protectedBytes[name] ?? 0))
        }
    }
}

/// A site that goes on: clips come, are protected and released, and what a plan deletes goes.
struct RetentionSite: Sendable {
    static let cameras = ["gate", "hall", "yard"]

    var stored: [RetentionCase.Stored] = []
    var rules: [String: RetentionRules] = [:]
    var open: [String: Int64] = [:]
    var siteMaxBytes: Int64?
    var freeBytes: Int64?
    var reserveBytes: Int64 = 0
    var nowMs: Int64 = 0
    /// Bytes are told for each camera, those of clips that are written included.
    var tellsBytes = false

    init(_ random: inout SeededGenerator) {
        for camera in Self.cameras where !random.once(in: 4) { change(camera, on: &random) }
        siteMaxBytes = random.perhaps(5...50)
        freeBytes = random.perhaps(0...30)
        reserveBytes = random.number(0...30)
        tellsBytes = random.once(in: 2)
    }

    /// Somebody sets other rules for a camera.
    private mutating func change(_ camera: String, on random: inout SeededGenerator) {
        rules[camera] = RetentionRules(
            continuousMs: random.perhaps(5...30), eventsMs: random.perhaps(5...40), maxBytes: random.perhaps(0...30))
    }

    /// Time goes on: clips end, somebody protects some or sets other rules, the disk fills.
    mutating func go(on random: inout SeededGenerator) {
        for _ in 0..<random.number(0...5) {
            nowMs += random.number(0...4)
            let camera = Self.cameras[Int(random.number(0...2))]
            let first = stored.last?.clip.startMs ?? 0
            let clip = RetentionPlan.Clip(
                id: (stored.map(\.clip.id).max() ?? 0) + 1, camera: camera,
                mediaClass: random.once(in: 2) ? .event : .continuous,
                startMs: random.number(first...max(first, nowMs)), endMs: nowMs, bytes: random.number(0...6))
            stored.append(RetentionCase.Stored(clip: clip, isProtected: random.once(in: 6)))
            freeBytes = freeBytes.map { max($0 - clip.bytes, 0) }
        }
        for index in stored.indices where random.once(in: 9) { stored[index].isProtected.toggle() }
        if random.once(in: 4) { change(Self.cameras[Int(random.number(0...2))], on: &random) }
        for camera in Self.cameras { open[camera] = random.perhaps(0...5) }
        nowMs += random.number(0...6)
    }

    /// What the plan deletes is gone.
    mutating func carryOut(_ plan: RetentionPlan) {
        let ids = Set(plan.deletions.map(\.id))
        stored.removeAll { ids.contains($0.clip.id) }
        freeBytes = freeBytes.map { $0 + plan.freedBytes }
    }

    /// Bytes of each camera, those of clips that are written included.
    var bytes: [String: Int64] {
        var sums: [String: Int64] = [:]
        for camera in Self.cameras {
            sums[camera] = stored.filter { $0.clip.camera == camera }.reduce(0) { $0 + $1.clip.bytes }
            if tellsBytes { sums[camera, default: 0] += open[camera] ?? 0 }
        }
        return sums
    }

    var input: RetentionPlan.Input {
        var protected: [String: Int64] = [:]
        for one in stored where one.isProtected { protected[one.clip.camera, default: 0] += one.clip.bytes }
        return RetentionPlan.Input(
            clips: stored.filter { !$0.isProtected }.map(\.clip), rules: rules,
            storedBytes: tellsBytes ? bytes : [:], protectedBytes: protected, siteMaxBytes: siteMaxBytes,
            freeBytes: freeBytes, reserveBytes: reserveBytes, nowMs: nowMs)
    }

    /// What the daemon gives: of each camera and class only the `count` oldest clips, with how many of them come before all
    /// that is missing.
    func window(_ count: Int) -> RetentionPlan.Input {
        var few = input
        var oldest: Set<RetentionPlan.Clip> = []
        var last: [RetentionPlan.Clip] = []
        for camera in Self.cameras {
            for mediaClass in RetentionPlan.MediaClass.allCases {
                let all = input.clips.filter { $0.camera == camera && $0.mediaClass == mediaClass }
                oldest.formUnion(all.prefix(count))
                // Who asks for so many and gets them does not know that there are no more.
                if all.count >= count { last.append(all[count - 1]) }
            }
        }
        few.clips = input.clips.filter(oldest.contains)
        for (index, clip) in few.clips.enumerated() where last.contains(clip) {
            few.truncated[clip.camera] = min(few.truncated[clip.camera] ?? .max, index + 1)
            few.protectedBytes[clip.camera] = nil
        }
        few.storedBytes = bytes
        return few
    }
}
