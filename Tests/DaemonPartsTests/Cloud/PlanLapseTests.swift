import Catalog
import Foundation
import Machines
import Server
import Testing

@testable import Daemon

/// What follows if a plan ends at a moment.
@Suite("A plan that would end")
struct PlanLapseTests {
    private static let day: Int64 = 86_400_000
    /// 2026-12-01T00:00:00Z
    private static let onMs: Int64 = 1_796_083_200_000

    private func kept(
        _ plan: CloudSubscription.Plan, gone: CloudSubscription.Gone = .unknown, retentionMs: Int64 = 7 * day
    ) -> CloudSubscription {
        var kept = CloudSubscription(of: "yard")
        (kept.plan, kept.gone, kept.retentionMs) = (plan, gone, retentionMs)
        return kept
    }

    @Test("the policy's age holds until the plan ends, and its retention alone afterwards")
    func ages() throws {
        let (on, day) = (Self.onMs, Self.day)
        let lapse = PlanLapse(kept(.active(untilWallMs: .max)), ageMs: 2 * day, onMs: on)
        // Of four days: the first is over at the plan's end to the millisecond, the last one after it.
        let gone = try #require(lapse.gone(on - 4 * day, on - 2 * day))
        #expect(gone.from == on - 2 * day && gone.to == on)
        let mixed = try #require(lapse.gone(on - 2 * day, on - 2 * day + 1))
        #expect(mixed.from == on && mixed.to == on + 7 * day)
        #expect(lapse.agedByMs == on - 2 * day && lapse.goneMs == on + 7 * day)
    }

    @Test("a plan that ends before the date, or has ended, goes by its own dates")
    func ends() {
        let (on, day) = (Self.onMs, Self.day)
        let sooner = PlanLapse(kept(.active(untilWallMs: on - day)), ageMs: 2 * day, onMs: on)
        #expect(sooner.goneMs == on + 6 * day && sooner.agedByMs == on - 3 * day)
        for plan in [CloudSubscription.Plan.expired(atWallMs: on - 9 * day), .none] {
            let ended = PlanLapse(kept(plan, gone: .at(wallMs: on - 2 * day)), ageMs: day, onMs: on)
            #expect(ended.goneMs == on - 2 * day && ended.agedByMs == .min, "no age applies without a plan")
        }
    }

    @Test(
        "without an age all goes with the plan; without a subscription nothing does; dates beyond all time are no trap")
    func bounds() throws {
        let plan = PlanLapse(kept(.active(untilWallMs: .max), retentionMs: 0), ageMs: nil, onMs: Self.onMs)
        let gone = try #require(plan.gone(0, .max))
        #expect(gone.from == Self.onMs && gone.to == Self.onMs && plan.agedByMs == .min)
        let none = PlanLapse(nil, ageMs: Self.day, onMs: Self.onMs)
        #expect(none.gone(0, 1) == nil && none.goneMs == nil && none.agedByMs == .min)
        for edge in [Int64.min, .max] {
            let far = PlanLapse(kept(.active(untilWallMs: edge), retentionMs: .max), ageMs: .max, onMs: edge)
            #expect(far.gone(.min, .max) != nil && far.goneMs != nil)
        }
    }

    @Test("the rate is that of the last reads, and none before the first")
    func rate() {
        let rate = DownloadRate()
        #expect(rate.bytesPerSecond == nil)
        rate.add(1_000, in: .zero)
        #expect(rate.bytesPerSecond == 1_000_000)
        for _ in 0..<1_000 { rate.add(500, in: .seconds(5)) }
        #expect(rate.bytesPerSecond == 100, "what was faster once is forgotten")
        rate.add(.max, in: .seconds(1))
        #expect(rate.bytesPerSecond ?? 0 > 100)
    }

    @Test("a camera's clips are told by the days on which they begin, each once, with what reading the lost ones takes")
    func days() throws {
        let root = NSTemporaryDirectory() + "vigil-lapse-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let catalog = try Catalog(root: root)
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        // The end of summer time, a day of 25 hours, and midnight.
        let midnight: Int64 = 1_792_879_200_000
        for (index, start) in [midnight - 1, midnight, midnight + 25 * 3_600_000 - 1, midnight + 25 * 3_600_000]
            .enumerated()
        {
            _ = try catalog.enterRemote(
                NewRemoteClip(
                    key: "clips/yard/2026/10/25/\(index)", store: "s", camera: "yard", startWallMs: start,
                    endWallMs: start + 10_000, cause: .continuous, mediaClass: .continuous, bytes: 100, url: "u",
                    verified: Verification(how: "size", wallMs: 1), description: Data("{}".utf8), events: []))
        }
        let lapse = PlanLapse(
            kept(.active(untilWallMs: .max), retentionMs: Self.day), ageMs: nil, onMs: midnight + 30 * Self.day)
        let told = try lapse.clips(of: "yard", in: catalog, SiteDays(zone: zone), bytesPerSecond: 3)
        #expect(told.days.map(\.day) == ["2026-10-24", "2026-10-25", "2026-10-26"])
        #expect(told.days.map(\.stored.clips) == [1, 2, 1] && told.stored.clips == 4 && told.alone == told.stored)
        #expect(told.fetchSeconds == 134, "400 bytes at 3 a second, begun seconds counted whole")
        #expect(told.days.allSatisfy { $0.goneFrom == told.goneAt && $0.goneTo == told.goneAt })
        try catalog.close()
    }
}
