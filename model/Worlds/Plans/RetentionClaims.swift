internal import Machines

/// What docs/design/rules.md and docs/reference/policies.md promise of what is deleted on the disk.
enum RetentionClaims {
    static let walks = PlanWalks<RetentionCase>(
        count: 120,
        walk: { random in
            var site = RetentionSite(&random)
            return (0..<25).map { _ in
                site.go(on: &random)
                let one = RetentionCase(site, window: Int(random.number(1...6)))
                if !random.once(in: 5) { site.carryOut(one.plan) }
                return one
            }
        }, claims: keeping + rules + order + limits + windows)

    static let keeping: [Claim<RetentionCase>] = [
        Claim(
            "D4 a protected clip never goes, however old it is and whatever is full",
            when: { one in one.stored.contains { $0.isProtected } && !one.plan.deletions.isEmpty }
        ) { one in
            let protected = Set(one.stored.filter(\.isProtected).map(\.clip.id))
            return one.plan.deletions.allSatisfy { !protected.contains($0.id) }
        },
        Claim("S12 only what is stored goes, and once", when: { !$0.plan.deletions.isEmpty }) { one in
            let ids = one.plan.deletions.map(\.id)
            return Set(ids).count == ids.count && Set(ids).isSubset(of: one.input.clips.map(\.id))
        },
        Claim("S12 without a rule that asks nothing goes", when: { $0.asksForNothing && !$0.input.clips.isEmpty }) {
            $0.plan.deletions.isEmpty && $0.plan.unmet.isEmpty
        },
        Claim("S12 what goes by one camera's rules does not depend on the others", when: { $0.gone.count > 1 }) { one in
            RetentionSite.cameras.allSatisfy { camera in
                var alone = one.input
                alone.clips = one.input.clips.filter { $0.camera == camera }
                alone.rules = one.input.rules.filter { $0.key == camera }
                (alone.siteMaxBytes, alone.freeBytes) = (nil, nil)
                let ids = Set(alone.clips.map(\.id))
                let ofAll = one.plan.deletions.filter {
                    ids.contains($0.id) && $0.rule != .siteSize && $0.rule != .freeSpace
                }
                return Set(ofAll) == Set(RetentionPlan(alone).deletions)
            }
        },
        Claim("S12 a camera's size takes nothing of another camera's", when: { $0.goes(by: .cameraSize) }) { one in
            one.story.allSatisfy { $0.rule != .cameraSize || one.input.rules[$0.clip.camera]?.maxBytes != nil }
        },
    ]

    static let rules: [Claim<RetentionCase>] = [
        Claim("S12 what goes by its age is as old as its own class may become", when: { $0.goesByAge }) { one in
            one.story.allSatisfy { clip, rule, _ in
                switch rule {
                case .continuousAge: clip.mediaClass == .continuous && one.isTooOld(clip)
                case .eventsAge: clip.mediaClass == .event && one.isTooOld(clip)
                default: true
                }
            }
        },
        Claim("S12 what is too old goes by its age", when: { one in one.input.clips.contains(where: one.isTooOld) }) {
            one in
            let byAge = one.story.filter { $0.rule == .continuousAge || $0.rule == .eventsAge }.map(\.clip.id)
            return one.input.clips.allSatisfy { !one.isTooOld($0) || byAge.contains($0.id) }
        },
        Claim(
            "S12 by a camera's size a clip goes only while the camera has too much", when: { $0.goes(by: .cameraSize) }
        ) {
            one in
            one.story.allSatisfy { clip, rule, before in
                guard rule == .cameraSize, let most = one.input.rules[clip.camera]?.maxBytes else {
                    return rule != .cameraSize
                }
                let freed = before.filter { $0.camera == clip.camera }.reduce(0) { $0 + $1.bytes }
                return one.bytes(of: clip.camera) - freed > most
            }
        },
        Claim("S12 by the site's size a clip goes only while all is too much", when: { $0.goes(by: .siteSize) }) {
            one in
            one.story.allSatisfy { _, rule, before in
                rule != .siteSize || one.bytes() - before.reduce(0) { $0 + $1.bytes } > one.input.siteMaxBytes ?? .max
            }
        },
        Claim("S12 to free room a clip goes only while the reserve is not free", when: { $0.goes(by: .freeSpace) }) {
            one in
            one.story.allSatisfy { _, rule, before in
                rule != .freeSpace
                    || (one.input.freeBytes ?? .max) < one.input.reserveBytes - before.reduce(0) { $0 + $1.bytes }
            }
        },
        Claim(
            "S12 what frees nothing goes only by its age",
            when: { one in one.left.contains { $0.bytes == 0 } && one.plan.freedBytes > 0 }
        ) { one in
            one.story.allSatisfy { $0.clip.bytes > 0 || rank($0.rule) == 0 }
        },
        Claim("S12 what goes is told as freed", when: { !$0.gone.isEmpty }) { one in
            one.plan.freedBytes == one.gone.reduce(0) { $0 + $1.bytes }
        },
    ]

    static let order: [Claim<RetentionCase>] = [
        Claim(
            "S12 age asks first, then the camera's size, the site's, and free space",
            when: { Set($0.plan.deletions.map(\.rule)).count > 1 }
        ) { one in
            let ranks = one.plan.deletions.map { rank($0.rule) }
            return zip(ranks, ranks.dropFirst()).allSatisfy { $0 <= $1 }
        },
        Claim("S12 of one camera the oldest goes first", when: { $0.goes(by: .cameraSize) }) { one in
            one.story.allSatisfy { clip, rule, before in
                rule != .cameraSize || one.older(than: clip, of: clip.camera).allSatisfy(before.contains)
            }
        },
        Claim(
            "S12 of the whole site the oldest goes first", when: { $0.goes(by: .siteSize) || $0.goes(by: .freeSpace) }
        ) { one in
            one.story.allSatisfy { clip, rule, before in
                rank(rule) < 2 || one.older(than: clip, of: nil).allSatisfy(before.contains)
            }
        },
    ]

    static let limits: [Claim<RetentionCase>] = [
        Claim(
            "S12 no camera keeps more than it may, unless nothing of it may go",
            when: { one in one.input.rules.contains { one.bytes(of: $0.key) > $0.value.maxBytes ?? .max } }
        ) { one in
            one.input.rules.allSatisfy { camera, rules in
                let rest = one.bytes(of: camera) - one.gone.filter { $0.camera == camera }.reduce(0) { $0 + $1.bytes }
                let isMet = rest <= rules.maxBytes ?? .max
                return isMet || !one.left.contains { $0.camera == camera && $0.bytes > 0 }
            }
        },
        Claim(
            "S12 all cameras keep no more than the site may, unless nothing may go",
            when: { $0.bytes() > $0.input.siteMaxBytes ?? .max }
        ) { one in
            one.bytes() - one.plan.freedBytes <= one.input.siteMaxBytes ?? .max || one.left.allSatisfy { $0.bytes == 0 }
        },
        Claim(
            "S12 the reserve becomes free, unless nothing may go",
            when: { ($0.input.freeBytes ?? .max) < $0.input.reserveBytes }
        ) { one in
            (one.input.freeBytes ?? 0) + one.plan.freedBytes >= one.input.reserveBytes
                || one.left.allSatisfy { $0.bytes == 0 }
        },
        Claim(
            "S12 a limit that stays unmet is told with what is missing, and no other", when: { !$0.plan.unmet.isEmpty }
        ) {
            $0.unmetByRule
                == Set($0.plan.unmet.map { Missed(rule: $0.rule, camera: $0.camera, bytes: $0.missingBytes) })
        },
        Claim("S12 why a limit stays unmet is told", when: { !$0.plan.unmet.isEmpty }) { one in
            one.plan.unmet.allSatisfy { unmet in
                let protected = one.stored.contains {
                    $0.isProtected && $0.clip.bytes > 0 && (unmet.camera == nil || $0.clip.camera == unmet.camera)
                }
                return unmet.reason == (protected ? .everythingProtected : .nothingStored)
            }
        },
    ]

    static let windows: [Claim<RetentionCase>] = [
        // Room that is missing now is made of what is there.
        Claim(
            "S12 of a window nothing goes by a rule that would not ask for it in the whole",
            when: { !$0.windowed.deletions.isEmpty && !$0.window.truncated.isEmpty }
        ) { one in
            one.windowed.deletions.allSatisfy { $0.rule == .freeSpace || one.plan.deletions.contains($0) }
        },
        Claim(
            "S12 one window after the other deletes what the whole would",
            when: { one in
                !one.plan.deletions.isEmpty && !one.window.truncated.isEmpty && !one.isShortOfRoom
                    && one.input.clips.allSatisfy { $0.bytes > 0 }
            }
        ) { one in
            one.inTheEnd == Set(one.plan.deletions)
        },
        Claim(
            "S12 a limit that a window cannot keep says that there is more",
            when: { one in one.windowed.unmet.contains { one.hasMore($0) } }
        ) { one in
            one.windowed.unmet.allSatisfy { ($0.reason == .beyondWindow) == one.hasMore($0) }
        },
    ]

    private static func rank(_ rule: RetentionPlan.Rule) -> Int {
        switch rule {
        case .continuousAge, .eventsAge: 0
        case .cameraSize: 1
        case .siteSize: 2
        case .freeSpace: 3
        }
    }
}

/// A limit that is not kept, and by how much.
private struct Missed: Hashable {
    let rule: RetentionPlan.Rule
    let camera: String?
    let bytes: Int64
}

extension RetentionCase {
    fileprivate func goes(by rule: RetentionPlan.Rule) -> Bool { plan.deletions.contains { $0.rule == rule } }
    fileprivate var goesByAge: Bool { goes(by: .continuousAge) || goes(by: .eventsAge) }

    fileprivate var asksForNothing: Bool {
        input.siteMaxBytes == nil && (input.freeBytes ?? .max) >= input.reserveBytes
            && input.rules.allSatisfy { $0.value == RetentionRules() }
    }

    /// As old as its camera keeps clips of its class, or older.
    fileprivate func isTooOld(_ clip: RetentionPlan.Clip) -> Bool {
        let rules = input.rules[clip.camera]
        let most = clip.mediaClass == .event ? rules?.eventsMs : rules?.continuousMs
        return input.nowMs - clip.endMs >= most ?? .max
    }

    /// What may be deleted, would free something and is older, of one camera or of all.
    fileprivate func older(than clip: RetentionPlan.Clip, of camera: String?) -> [RetentionPlan.Clip] {
        input.clips.prefix { $0.id != clip.id }.filter { $0.bytes > 0 && (camera == nil || $0.camera == camera) }
    }

    /// The reserve is not there.
    fileprivate var isShortOfRoom: Bool { input.freeBytes.map { $0 < input.reserveBytes } ?? false }

    /// More clips are there than the window shows.
    fileprivate func hasMore(_ unmet: RetentionPlan.Unmet) -> Bool {
        unmet.camera.map { window.truncated[$0] != nil } ?? !window.truncated.isEmpty
    }

    fileprivate var unmetByRule: Set<Missed> {
        var missed: Set<Missed> = []
        for (camera, rules) in input.rules {
            // What the camera's own rules left; the site's rules come after it was told.
            let freed = story.filter { $0.clip.camera == camera && $0.rule != .siteSize && $0.rule != .freeSpace }
            let rest = bytes(of: camera) - freed.reduce(0) { $0 + $1.clip.bytes }
            if let most = rules.maxBytes, rest > most {
                missed.insert(Missed(rule: .cameraSize, camera: camera, bytes: rest - most))
            }
        }
        let atSite = bytes() - story.filter { $0.rule != .freeSpace }.reduce(0) { $0 + $1.clip.bytes }
        if let most = input.siteMaxBytes, atSite > most {
            missed.insert(Missed(rule: .siteSize, camera: nil, bytes: atSite - most))
        }
        if let free = input.freeBytes, free + plan.freedBytes < input.reserveBytes {
            missed.insert(
                Missed(rule: .freeSpace, camera: nil, bytes: input.reserveBytes - free - plan.freedBytes))
        }
        return missed
    }
}
