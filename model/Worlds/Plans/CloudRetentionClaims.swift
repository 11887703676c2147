internal import Machines
internal import RandomSource

/// What the cloud has at one moment, and what of it is over.
struct CloudRetentionCase: Sendable, CustomStringConvertible {
    let clips: [CloudRetentionPlan.Clip]
    let limits: [String: CloudRetentionPlan.Limits]
    let nowMs: Int64
    let plan: CloudRetentionPlan

    init(clips: [CloudRetentionPlan.Clip], limits: [String: CloudRetentionPlan.Limits], nowMs: Int64) {
        (self.clips, self.limits, self.nowMs) = (clips, limits, nowMs)
        plan = CloudRetentionPlan(clips, limits: limits, nowMs: nowMs)
    }

    var description: String { "at \(nowMs): \(clips)\nlimits: \(limits)\ndeletions: \(plan.deletions)" }

    /// The age that the policy allows has come.
    func isTooOld(_ clip: CloudRetentionPlan.Clip) -> Bool {
        limits[clip.camera]?.ageMs.map { nowMs - clip.endMs >= $0 } ?? false
    }

    /// The plan's retention is over.
    func isGone(_ clip: CloudRetentionPlan.Clip) -> Bool { limits[clip.camera]?.goneMs.map { nowMs >= $0 } ?? false }

    /// The clips that go, with their rules.
    var gone: [(clip: CloudRetentionPlan.Clip, rule: CloudRetentionPlan.Rule)] {
        plan.deletions.compactMap { deletion in
            clips.first { $0.id == deletion.id }.map { ($0, deletion.rule) }
        }
    }
}

/// What docs/design/rules.md, docs/reference/policies.md and docs/design/cloud.md promise of what is removed from the cloud.
enum CloudRetentionClaims {
    static let walks = PlanWalks<CloudRetentionCase>(
        count: 150,
        walk: { random in
            var limits: [String: CloudRetentionPlan.Limits] = [:]
            for camera in RetentionSite.cameras where !random.once(in: 4) {
                limits[camera] = CloudRetentionPlan.Limits(
                    ageMs: random.perhaps(0...25), goneMs: random.perhaps(0...80))
            }
            var clips: [CloudRetentionPlan.Clip] = []
            var now: Int64 = 0
            return (1...20).map { id in
                now += random.number(0...5)
                let camera = RetentionSite.cameras[Int(random.number(0...2))]
                clips.append(CloudRetentionPlan.Clip(id: Int64(id), camera: camera, endMs: now - random.number(0...3)))
                return CloudRetentionCase(clips: clips, limits: limits, nowMs: now)
            }
        }, claims: claims)

    static let claims: [Claim<CloudRetentionCase>] = [
        Claim("S12 only what the cloud has goes, in its order and once", when: { $0.plan.deletions.count > 1 }) { one in
            let places = one.plan.deletions.map { deletion in one.clips.firstIndex { $0.id == deletion.id } ?? -1 }
            return places.allSatisfy { $0 >= 0 } && zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
        },
        Claim("S12 by the cloud's age a clip goes only at that age", when: { $0.goes(by: .cloudAge) }) { one in
            one.gone.allSatisfy { $0.rule != .cloudAge || one.isTooOld($0.clip) }
        },
        Claim("L10 by the plan's end a clip goes only after its retention", when: { $0.goes(by: .planRetention) }) {
            one in one.gone.allSatisfy { $0.rule != .planRetention || one.isGone($0.clip) }
        },
        Claim(
            "L10 what is too old, or has outlived its plan, goes",
            when: { one in one.clips.contains { one.isTooOld($0) || one.isGone($0) } }
        ) { one in
            let ids = Set(one.plan.deletions.map(\.id))
            return one.clips.allSatisfy { !one.isTooOld($0) && !one.isGone($0) || ids.contains($0.id) }
        },
        Claim(
            "S12 of two rules the one that asked first is named, at the same time the policy's",
            when: { one in one.clips.contains { one.isTooOld($0) && one.isGone($0) } }
        ) { one in
            one.gone.allSatisfy { clip, rule in
                guard let limits = one.limits[clip.camera], let age = limits.ageMs, let gone = limits.goneMs else {
                    return true
                }
                return rule == (clip.endMs + age <= gone ? .cloudAge : .planRetention)
            }
        },
        Claim(
            "S12 a camera without limits keeps everything",
            when: { one in one.clips.contains { one.limits[$0.camera] == nil } }
        ) { one in one.gone.allSatisfy { one.limits[$0.clip.camera] != nil } },
        Claim("S12 another camera's limits take nothing", when: { $0.plan.deletions.count > 1 }) { one in
            RetentionSite.cameras.allSatisfy { camera in
                let alone = CloudRetentionCase(
                    clips: one.clips, limits: one.limits.filter { $0.key == camera }, nowMs: one.nowMs)
                let ids = Set(one.clips.filter { $0.camera == camera }.map(\.id))
                return alone.plan.deletions == one.plan.deletions.filter { ids.contains($0.id) }
            }
        },
        Claim("S12 a clip goes when it was said to be over, by the rule that was said", when: { !$0.clips.isEmpty }) {
            one in
            one.clips.allSatisfy { clip in
                let end = one.limits[clip.camera]?.end(ofClipEndedMs: clip.endMs)
                let due = end.flatMap { $0.atMs <= one.nowMs ? $0.rule : nil }
                return one.plan.deletions.first { $0.id == clip.id }?.rule == due
            }
        },
    ]
}

extension CloudRetentionCase {
    fileprivate func goes(by rule: CloudRetentionPlan.Rule) -> Bool { plan.deletions.contains { $0.rule == rule } }
}
