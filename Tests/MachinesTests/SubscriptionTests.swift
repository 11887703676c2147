import Foundation
import Machines
import Testing

/// A subscription and the clock of its shell.
private struct Cloud {
    var subscription: Subscription
    var now: Instant

    static let hour: Int64 = 3_600_000
    static let day = 24 * hour

    init(_ kept: Subscription.Kept = Subscription.Kept(), stored: Bool = false, now: Instant = Instant(ms: 1_000_000)) {
        self.now = now
        subscription = Subscription(kept, stored: stored, at: now)
    }

    /// One that was told of a plan that ends in `leftMs`.
    static func active(leftMs: Int64, stored: Bool) -> Cloud {
        var cloud = Cloud(stored: stored)
        cloud.send(.tick)
        cloud.answer(.active(until: cloud.now + leftMs, retentionMs: 7 * day))
        return cloud
    }

    @discardableResult
    mutating func send(_ event: Subscription.Event, after ms: Int64 = 0) -> [Subscription.Effect] {
        now = now + ms
        return subscription.step(event, at: now)
    }

    /// Answers the load that is outstanding.
    @discardableResult
    mutating func answer(_ answer: Subscription.Answer) -> [Subscription.Effect] {
        guard case .ask(let number, _) = subscription.load else { return [] }
        return send(.loaded(number, answer))
    }

    /// Lets time pass; every deadline is met on time and no load is answered.
    mutating func pass(_ ms: Int64) -> [Subscription.Effect] {
        let end = now + ms
        var effects: [Subscription.Effect] = []
        while let due = subscription.nextDeadline, due <= end { effects += send(.tick, after: due - now) }
        now = end
        return effects
    }
}

@Suite("Stories of the subscription")
struct SubscriptionTests {
    @Test("A camera that gets a plan may upload, and has data once something is stored")
    func begins() {
        var cloud = Cloud()
        #expect(cloud.subscription.report == .noService)
        #expect(cloud.send(.tick) == [.load(Subscription.LoadNumber(1))])
        let plan = Subscription.Answer.active(until: cloud.now + 30 * Cloud.day, retentionMs: 7 * Cloud.day)
        #expect(cloud.answer(plan) == [.uploads(true), .report(.noData)])
        #expect(cloud.send(.stored(true)) == [.report(.validData)])
        #expect(cloud.subscription.nextDeadline == cloud.now + 6 * Cloud.hour)
    }

    @Test("At expiry uploads stop; what is stored stays seven days more and is then purged by the plan's retention")
    func expires() {
        var cloud = Cloud.active(leftMs: Cloud.hour, stored: true)
        let number = Subscription.LoadNumber(2)
        #expect(
            cloud.send(.tick, after: Cloud.hour) == [.uploads(false), .load(number), .report(.expiredData)])
        cloud.answer(.expired(at: cloud.now, retentionMs: 7 * Cloud.day))
        #expect(!cloud.pass(7 * Cloud.day - 1).contains(.purgeRemote(.planRetention)))
        #expect(cloud.subscription.stored)
        #expect(cloud.pass(1).contains(.purgeRemote(.planRetention)))
        #expect(!cloud.subscription.stored)
    }

    @Test("A renewal within the retention brings back what was stored")
    func renewed() {
        var cloud = Cloud.active(leftMs: Cloud.hour, stored: true)
        cloud.send(.tick, after: Cloud.hour)
        let plan = Subscription.Answer.active(until: cloud.now + Cloud.day, retentionMs: 7 * Cloud.day)
        #expect(cloud.answer(plan) == [.uploads(true), .report(.validData)])
        #expect(cloud.subscription.kept.gone == .unknown)
    }

    @Test("A provider that is out of reach is reported and asked again; uploads go on to the end of the plan")
    func outage() {
        var cloud = Cloud.active(leftMs: Cloud.day, stored: true)
        #expect(cloud.send(.tick, after: 6 * Cloud.hour) == [.load(Subscription.LoadNumber(2))])
        #expect(cloud.send(.loadFailed(Subscription.LoadNumber(2), .unreachable)) == [.report(.loadFailed)])
        #expect(cloud.subscription.uploadsAllowed)
        #expect(cloud.subscription.nextDeadline == cloud.now + 300_000)
        #expect(cloud.pass(18 * Cloud.hour - 1).contains(.uploads(false)) == false)
        #expect(cloud.pass(1).contains(.uploads(false)))
    }

    @Test("A load without an answer is given up after 30 s, and its answer is late")
    func unanswered() {
        var cloud = Cloud()
        let number = Subscription.LoadNumber(1)
        cloud.send(.tick)
        #expect(cloud.send(.tick, after: 29_999) == [])
        #expect(cloud.send(.tick, after: 1) == [.abandon(number), .report(.loadFailed)])
        let before = cloud.subscription
        #expect(cloud.send(.loaded(number, .none)) == [.ignored(.late)])
        #expect(cloud.send(.loaded(Subscription.LoadNumber(7), .none)) == [.ignored(.unknown)])
        #expect(cloud.subscription == before)
    }

    @Test("A provider that knows of no plan does not make video vanish: the retention runs from its answer")
    func forgotten() {
        var cloud = Cloud.active(leftMs: Cloud.day, stored: true)
        cloud.send(.refresh)
        #expect(cloud.answer(.none) == [.uploads(false), .report(.noService)])
        #expect(cloud.subscription.kept.gone == .at(cloud.now + 7 * Cloud.day))
    }

    @Test("An upload that is acknowledged after the end of the retention is purged at once")
    func lateUpload() {
        let kept = Subscription.Kept(plan: .expired, gone: .over)
        var cloud = Cloud(kept)
        cloud.send(.tick)
        #expect(cloud.send(.stored(true)) == [.purgeRemote(.planRetention)])
        #expect(cloud.subscription.report == .expiredNoData)
    }

    @Test("Dates that contradict the clock are read by what they mean now")
    func dates() {
        var cloud = Cloud(stored: true)
        cloud.send(.tick)
        cloud.answer(.active(until: cloud.now, retentionMs: Cloud.day))
        #expect(cloud.subscription.kept.plan == .expired)
        #expect(cloud.subscription.kept.gone == .at(cloud.now + Cloud.day))
        cloud.send(.refresh)
        cloud.answer(.expired(at: cloud.now + Cloud.day, retentionMs: Cloud.day))
        #expect(cloud.subscription.kept.gone == .at(cloud.now + Cloud.day))
        cloud.send(.refresh)
        cloud.answer(.expired(at: cloud.now + -2 * Cloud.day, retentionMs: Cloud.day))
        #expect(cloud.subscription.kept.gone == .over && !cloud.subscription.stored)
    }

    @Test("A plan that ended while the service was down has ended then; the one load is ordered now")
    func restart() {
        let now = Instant(ms: 30 * Cloud.day)
        let kept = Subscription.Kept(plan: .active(until: now + -3 * Cloud.day), retentionMs: 7 * Cloud.day)
        var cloud = Cloud(kept, stored: true, now: now)
        #expect(cloud.subscription.report == .expiredData && !cloud.subscription.uploadsAllowed)
        #expect(cloud.subscription.kept.gone == .at(now + 4 * Cloud.day))
        #expect(cloud.send(.tick) == [.load(Subscription.LoadNumber(1))])
    }

    @Test("A drain gives up the load and ends uploads; what is kept stays what it was")
    func drains() throws {
        var cloud = Cloud.active(leftMs: Cloud.day, stored: true)
        cloud.send(.refresh)
        let kept = cloud.subscription.kept
        #expect(cloud.send(.drain) == [.abandon(Subscription.LoadNumber(2)), .uploads(false), .stopped])
        #expect(cloud.subscription.kept == kept && cloud.subscription.nextDeadline == nil)
        #expect(cloud.send(.refresh) == [.ignored(.stopped)] && cloud.send(.tick) == [])
        let stored = try JSONEncoder().encode(kept)
        #expect(try JSONDecoder().decode(Subscription.Kept.self, from: stored) == kept)
    }
}
