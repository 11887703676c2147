import Machines
import Testing

@Suite("Retention in the cloud")
struct CloudRetentionPlanTests {
    private typealias Limits = CloudRetentionPlan.Limits

    private let clips = [
        CloudRetentionPlan.Clip(id: 1, camera: "front", endMs: 100),
        CloudRetentionPlan.Clip(id: 2, camera: "front", endMs: 200),
        CloudRetentionPlan.Clip(id: 3, camera: "side", endMs: 100),
    ]

    private func deletions(_ limits: [String: CloudRetentionPlan.Limits], at nowMs: Int64) -> [String] {
        CloudRetentionPlan(clips, limits: limits, nowMs: nowMs).deletions.map { "\($0.id) \($0.rule.rawValue)" }
    }

    @Test("A clip goes when it is as old as its policy allows, and not before")
    func age() {
        #expect(deletions(["front": Limits(ageMs: 50)], at: 149) == [])
        #expect(deletions(["front": Limits(ageMs: 50)], at: 150) == ["1 cloudAge"])
        #expect(deletions(["front": Limits(ageMs: 50), "side": Limits(ageMs: 0)], at: 250).count == 3)
        #expect(deletions(["front": Limits()], at: .max) == [])
    }

    @Test("When the plan is over everything goes; the rule is the one that asked first, the policy's at the same time")
    func plan() {
        #expect(deletions(["front": Limits(goneMs: 500)], at: 499) == [])
        #expect(deletions(["front": Limits(goneMs: 500)], at: 500) == ["1 planRetention", "2 planRetention"])
        let both = Limits(ageMs: 350, goneMs: 500)
        #expect(deletions(["front": both], at: 600) == ["1 cloudAge", "2 planRetention"])
        #expect(both.end(ofClipEndedMs: 150)?.atMs == 500 && both.end(ofClipEndedMs: 150)?.rule == .cloudAge)
        #expect(Limits().end(ofClipEndedMs: 1) == nil)
    }

    @Test("Sums at the end of the range do not trap (H8)")
    func bounds() {
        #expect(Limits(ageMs: .max).end(ofClipEndedMs: .max)?.atMs == .max)
        #expect(Limits(ageMs: -5).end(ofClipEndedMs: 10)?.atMs == 10)
        #expect(deletions(["front": Limits(ageMs: .max)], at: .max).isEmpty == false)
    }
}
