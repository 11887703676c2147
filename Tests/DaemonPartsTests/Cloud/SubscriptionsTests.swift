import Catalog
import Foundation
import Machines
import Policies
import Provider
import Testing

@testable import Daemon
@testable import Journal

@Suite("Cloud subscriptions", .serialized)
struct SubscriptionsTests {
    /// The provider does not answer.
    private let away = PlanWorld.Answering.failure(PlanFailure(.unreachable, "nobody is there"))

    @Test("without a service every camera that sends may send, for ever, and nobody is asked")
    func always() throws {
        let house = try PlanHouse("always")
        #expect(house.allowed == ["door on", "yard on"] && house.state == .noData)
        try house.store()
        #expect(house.state == .validData && house.view()?.stored.clips == 1)
        house.reach(400)
        #expect(house.state == .validData && house.subscriptions.isAllowed("yard") && house.world.requests.isEmpty)
        #expect(house.lines("camera=yard cloud plan: plan active, no recordings in the cloud yet").count == 1)
        #expect(
            house.lines("camera=yard cloud plan: ").count == 2, "each load gives another date that nobody wants to know"
        )
        #expect(house.lines("end of the plan").isEmpty)
        #expect(try house.replays() > 3_000)
    }

    @Test("a plan ends at its date though the service is down, what is stored goes seven days later, and not before")
    func ends() throws {
        let house = try PlanHouse()
        #expect(house.state == .loadFailed && house.allowed.isEmpty)
        house.provider(
            "\"plan\": \"active\", \"activeUntil\": \"\(PlanHouse.date(10))\", \"retentionDays\": 7, \"name\": \"Week\""
        )
        house.subscriptions.refresh(camera: "yard")
        house.world.pass(1_000)
        #expect(house.allowed == ["yard on"] && house.state == .noData && !house.subscriptions.isAllowed("door"))
        try house.store(600)
        #expect(house.state == .validData && house.view()?.kept.planName == "Week")
        house.world.answering = away
        house.reach(10 - 0.001)
        #expect(house.state == .loadFailed && house.subscriptions.isAllowed("yard"), "an outage ends nothing")
        house.reach(10)
        #expect(house.allowed == ["yard on", "yard off"] && !house.subscriptions.isAllowed("yard"))
        #expect(try house.kept()?.plan == .expired(atWallMs: PlanHouse.ms(10)))
        #expect(try house.kept()?.gone == .at(wallMs: PlanHouse.ms(17)))
        house.reach(17 - 0.001)
        #expect(try house.stored() == 600 && house.purged.isEmpty)
        house.reach(17.001)
        #expect(try house.stored() == 0 && house.purged == ["yard"] && house.view()?.stored.clips == 0)
        let ledger = try house.catalog.remoteDeletions(limit: 1_000)
        #expect(ledger.count == 600 && ledger.allSatisfy { $0.rule == "planRetention" && $0.camera == "yard" })
        #expect(house.lines("camera=yard recordings go from the cloud: 600 clips, by rule planRetention").count == 1)
        let told = house.lines("camera=yard cloud plan: ")
        try #require(told.count == 4, "\(told)")
        #expect(
            told[2].contains(
                "plan ended, recordings still in the cloud, before: plan active, recordings in the cloud, end of the plan: 2026-12-03T10:00:00.000Z, recordings in the cloud are deleted at: 2026-12-10T10:00:00.000Z"
            ), "\(told[2])")
        #expect(told[3].contains("plan ended, no recordings in the cloud"))
        #expect(try house.replays() > 100)
    }

    @Test("a renewal before the purge leaves everything, one after it only lets new clips be sent")
    func renewal() throws {
        let house = try PlanHouse()
        house.subscribe(days: 1, retentionDays: 7)
        try house.store(3)
        house.reach(7.9)
        #expect(house.state == .expiredData && !house.subscriptions.isAllowed("yard"))
        house.provider("\"plan\": \"active\", \"activeUntil\": \"\(PlanHouse.date(20))\", \"retentionDays\": 1")
        house.subscriptions.refresh(camera: "yard")
        house.world.pass(1_000)
        #expect(house.state == .validData && house.subscriptions.isAllowed("yard"))
        house.reach(20.99)
        #expect(try house.stored() == 3)
        house.reach(21.01)
        #expect(try house.stored() == 0 && house.state == .expiredNoData)
        house.subscribe(days: 40)
        #expect(house.state == .noData && house.subscriptions.isAllowed("yard") && house.purged == ["yard"])
        try house.store()
        #expect(house.state == .validData)
        #expect(try house.replays() > 50)
    }

    @Test("what is verified after the date of deletion is deleted, too")
    func late() throws {
        let house = try PlanHouse()
        house.provider("\"plan\": \"expired\", \"expiredAt\": \"\(PlanHouse.date(-8))\", \"retentionDays\": 7")
        house.subscriptions.refresh(camera: nil)
        house.world.pass(1_000)
        #expect(house.state == .expiredNoData)
        try house.store()
        #expect(try house.stored() == 0 && house.purged == ["yard"] && house.state == .expiredNoData)
    }

    @Test("a service that is down for a month ends nothing, and is told once, and once when it is back")
    func month() throws {
        let house = try PlanHouse()
        house.subscribe(days: 90)
        try house.store()
        house.world.answering = away
        house.reach(31)
        #expect(house.state == .loadFailed && house.subscriptions.isAllowed("yard") && house.allowed == ["yard on"])
        #expect(house.view()?.kept.failure == "nobody is there")
        #expect(house.subscriptions.failing?.words == "nobody is there")
        // Every 5 min, both cameras at once.
        #expect((8_000...9_000).contains(house.world.requests.count))
        let told = house.lines("cloud plans cannot be checked: nobody is there")
        // The first was before the service answered for the first time.
        #expect(told.count == 2 && house.lines("camera=yard cloud plan").count == 2)
        house.provider("\"plan\": \"active\", \"activeUntil\": \"\(PlanHouse.date(90))\"")
        house.reach(31.01)
        #expect(house.state == .validData && house.subscriptions.failing == nil && house.view()?.kept.failure == nil)
        #expect(house.lines("cloud plans can be checked again").count == 2)
        #expect(try house.replays() > 1_000)
    }

    @Test("each state and its dates outlive a restart, in another boot, with the service away")
    func restarts() throws {
        let active =
            "\"plan\": \"active\", \"activeUntil\": \"\(PlanHouse.date(30))\", \"retentionDays\": 7, \"manageUrl\": \"https://m.test/\""
        let expired = "\"plan\": \"expired\", \"expiredAt\": \"\(PlanHouse.date(-2))\", \"retentionDays\": 7"
        for (plan, isStored, state) in [
            ("\"plan\": \"none\"", false, Subscription.Report.noService), ("\"plan\": \"none\"", true, .noService),
            (active, false, .noData), (active, true, .validData), (expired, false, .expiredNoData),
            (expired, true, .expiredData),
        ] {
            let house = try PlanHouse()
            house.provider(plan)
            house.subscriptions.refresh(camera: nil)
            house.world.pass(1_000)
            if isStored { try house.store() }
            #expect(house.state == state)
            let kept = try house.kept()
            house.world.answering = .silence
            try house.restart(afterMs: PlanHouse.day)
            #expect(house.state == state && house.subscriptions.isAllowed("yard") == (plan == active))
            #expect(house.allowed == (plan == active ? ["yard on"] : []))
            #expect(try house.kept() == kept, "\(state)")
            // The service stays away: the answer does not come in time, and the dates stay.
            house.world.pass(31_000)
            #expect(house.state == .loadFailed && house.world.cancelled > 0)
            #expect(try house.kept()?.plan == kept?.plan && house.kept()?.gone == kept?.gone)
            house.reach(5.1)
            #expect(try house.stored() == (isStored && plan != expired ? 1 : 0), "\(state)")
            #expect(try house.replays() > 4)
        }
    }

    @Test("a plan that ended while Vigil was off ended at its date, and what outlived its retention goes at the start")
    func ended() throws {
        let house = try PlanHouse()
        house.subscribe(days: 2, retentionDays: 7)
        try house.store(2)
        house.world.answering = away
        try house.restart(afterMs: 5 * PlanHouse.day)
        #expect(try house.kept()?.plan == .expired(atWallMs: PlanHouse.ms(2)) && house.stored() == 2)
        #expect(house.allowed.isEmpty && house.lines("plan ended, recordings still in the cloud").count == 1)
        try house.restart(afterMs: 5 * PlanHouse.day)
        #expect(try house.stored() == 0 && house.purged == ["yard"])
        #expect(try house.replays() > 4)
    }

    @Test("dates follow a wall clock that is set, forward and back, and uploads do not flap")
    func clock() throws {
        let house = try PlanHouse()
        house.subscribe(days: 10, retentionDays: 7)
        try house.store()
        for step in [2 * PlanHouse.day, -3 * PlanHouse.day, PlanHouse.day] {
            house.world.setWall(by: step)
            house.subscriptions.clockStepped()
            house.world.pass(1_000)
        }
        #expect(house.allowed == ["yard on"] && house.state == .validData)
        house.world.answering = away
        house.world.setWall(by: 6 * PlanHouse.day)
        house.subscriptions.clockStepped()
        house.reach(9.999)
        #expect(house.subscriptions.isAllowed("yard"))
        house.reach(10.001)
        #expect(!house.subscriptions.isAllowed("yard") && house.allowed == ["yard on", "yard off"])
        #expect(try house.kept()?.gone == .at(wallMs: PlanHouse.ms(17)))
        house.world.setWall(by: -4 * PlanHouse.day)
        house.subscriptions.clockStepped()
        house.reach(16.9)
        #expect(try house.stored() == 1)
        house.reach(17.001)
        #expect(try house.stored() == 0)
        #expect(try house.replays() > 50)
    }

    @Test("a clock that leaps ahead ends no plan and takes nothing out of the cloud, before it is believed")
    func leap() throws {
        let house = try PlanHouse()
        house.subscribe(days: 10, retentionDays: 7)
        try house.store()
        house.world.answering = away
        for _ in 0..<2 {
            house.world.setWall(by: 365 * PlanHouse.day)
            house.subscriptions.clockStepped()
            house.world.pass(AgeClock.doubtMs - 1_000)
            #expect(try house.stored() == 1 && house.allowed == ["yard on"])
            house.world.setWall(by: -365 * PlanHouse.day)
            house.subscriptions.clockStepped()
            house.world.pass(1_000)
        }
        #expect(try house.kept()?.plan == .active(untilWallMs: PlanHouse.ms(10)))
        // It stays there.
        house.world.setWall(by: 365 * PlanHouse.day)
        house.subscriptions.clockStepped()
        house.world.pass(AgeClock.doubtMs + Subscriptions.retentionMs)
        #expect(!house.subscriptions.isAllowed("yard"))
        #expect(try house.stored() == 0 && house.purged == ["yard"])
        #expect(try house.replays() > 10)
    }

    @Test("who sends nothing any more has no plan that keeps clips waiting; who comes back is asked for at once")
    func leaves() throws {
        let house = try PlanHouse()
        house.subscribe(days: 10)
        try house.store()
        for (subscription, yard) in [
            ("always", "upload: none"), ("{ url: \"http://plans.test\" }", "upload: none"),
            ("{ url: \"http://plans.test\" }", nil), (nil, "upload: all"),
        ] as [(String?, String?)] {
            try house.configure(subscription, yard: yard)
            #expect(house.view() == nil && !house.subscriptions.isAllowed("yard") && house.last == "yard off")
            #expect(try house.kept()?.plan == CloudSubscription.Plan.none && house.stored() == 1)
            try house.configure()
            house.world.pass(1_000)
            #expect(house.state == .validData && house.subscriptions.isAllowed("yard") && house.last == "yard on")
        }
        // Gone while Vigil was off.
        try house.restart(afterMs: 1_000, yard: "upload: none")
        #expect(try house.kept()?.plan == CloudSubscription.Plan.none && house.view() == nil)
        #expect(try house.replays() > 10)
    }

    @Test("one request answers all who ask; who asks while it is under way is answered by the next")
    func coalesced() throws {
        let house = try PlanHouse()
        house.provider("\"plan\": \"none\"", afterMs: 5_000)
        let before = house.world.requests.count
        house.subscriptions.refresh(camera: nil)
        house.world.pass(1_000)
        #expect(house.world.requests.count == before + 1)
        house.subscriptions.refresh(camera: nil)
        house.world.pass(10_000)
        #expect(house.world.requests.count == before + 1, "who is waiting asks nothing more")
        house.subscriptions.refresh(camera: "yard")
        house.world.pass(1_000)
        house.provider("\"plan\": \"active\", \"activeUntil\": \"\(PlanHouse.date(10))\"", afterMs: 5_000)
        house.subscriptions.refresh(camera: "door")
        house.world.pass(4_500)
        #expect(house.state == .noService)
        house.subscriptions.refresh(camera: "yard")
        house.world.pass(10_500)
        #expect(house.state == .noData && house.world.requests.count == before + 4)
    }

    @Test("another provider is asked at once, and the former one's answer counts no more")
    func otherProvider() throws {
        let house = try PlanHouse()
        house.provider("\"plan\": \"active\", \"activeUntil\": \"\(PlanHouse.date(10))\"", afterMs: 5_000)
        house.subscriptions.refresh(camera: nil)
        house.world.pass(100)
        house.provider("\"plan\": \"none\"")
        try house.configure("{ url: \"http://other.test\" }")
        house.world.pass(20_000)
        #expect(house.world.requests.last?.address == "http://other.test/v1/plans")
        #expect(house.world.cancelled == 1 && house.state == .noService && house.allowed.isEmpty)
    }

    @Test("nothing follows from what cannot be kept; it is tried again, told once, and then done in order")
    func unkept() throws {
        let house = try PlanHouse()
        house.provider("\"plan\": \"active\", \"activeUntil\": \"\(PlanHouse.date(10))\", \"retentionDays\": 0")
        house.world.failures = 3
        house.subscriptions.refresh(camera: "yard")
        house.world.pass(1_000)
        #expect(house.allowed.isEmpty && !house.subscriptions.isAllowed("yard"))
        house.world.pass(20_000)
        #expect(house.allowed == ["yard on"] && house.lines("camera=yard cloud plan cannot be kept yet").count == 1)
        try house.store(2_000)
        house.world.answering = away
        // Of the end: what is kept, then four pages; the third write fails, so two pages are left.
        house.reach(10 - 0.000_01)
        house.world.failsAfter = 2
        house.world.pass(2_000)
        #expect(try house.stored() == 2_000 - 512 && house.purged.isEmpty && house.last == "yard off")
        house.provider("\"plan\": \"active\", \"activeUntil\": \"\(PlanHouse.date(20))\"")
        house.world.pass(60_000)
        #expect(try house.stored() == 0 && house.purged == ["yard"])
        #expect(house.lines("recordings go from the cloud: 2000 clips").count == 1)
        #expect(house.subscriptions.isAllowed("yard"), "the renewal came meanwhile, and took none of its clips along")
        #expect(try house.replays() > 10)
    }

    @Test("who comes back while nothing can be kept is asked for as soon as something can, not after the next wait")
    func comesBackUnkept() throws {
        let house = try PlanHouse()
        house.subscribe(days: 10)
        try house.store()
        try house.configure(yard: nil)
        // Longer than an answer may take.
        house.world.failures = 9
        try house.configure()
        house.world.pass(40_000)
        #expect(!house.subscriptions.isAllowed("yard"))
        house.world.pass(10_000)
        #expect(house.world.failures == 0 && house.subscriptions.isAllowed("yard"))
    }

    @Test(
        "who comes back while the disk does not answer for longer than a service may take is asked for at once",
        arguments: ["always", "{ url: \"http://plans.test\" }"])
    func comesBackWhileDiskHangs(subscription: String) throws {
        let house = try PlanHouse(subscription)
        house.subscribe(days: 10)
        try house.store()
        try house.configure(subscription, yard: nil)
        let told = house.lines("cloud plans cannot be checked").count
        house.world.hangsMs = 44_000
        try house.configure(subscription)
        house.world.pass(2_000)
        #expect(house.world.hangsMs == 0, "the disk was asked for something")
        #expect(house.subscriptions.isAllowed("yard") && house.view()?.kept.failure == nil)
        #expect(house.lines("cloud plans cannot be checked").count == told, "the service was not late")
        guard case .active = try house.kept()?.plan else {
            Issue.record("no plan is kept, so nothing keeps its clips until they are sent")
            return
        }
    }

    @Test("clips older than the policy keeps them in the cloud go there once a minute, while the plan is active")
    func age() throws {
        let house = try PlanHouse("always", yard: "upload: all, retention: 2d")
        try house.store(600, endMs: PlanHouse.ms(0))
        try house.store(5, endMs: PlanHouse.ms(1))
        try house.store(5, camera: "door", endMs: PlanHouse.ms(0))
        house.reach(1.9)
        #expect(try house.stored() == 605)
        house.reach(2.01)
        #expect(try house.stored() == 5 && house.stored("door") == 5 && house.view()?.stored.clips == 5)
        #expect(house.purged == ["yard"])
        #expect(house.lines("camera=yard old recordings go from the cloud: 600 clips, by rule cloudAge").count == 1)
        try house.configure("{ url: \"http://plans.test\" }", yard: "upload: all, retention: 2d")
        house.provider("\"plan\": \"none\"")
        house.subscriptions.refresh(camera: nil)
        house.reach(3.1)
        #expect(try house.stored() == 5, "without a plan only its own retention deletes")
    }

    @Test("what cannot be understood, refused logins and tokens that are not there are failed loads with the reason")
    func failures() throws {
        for (answer, words) in [
            (PlanWorld.Answering.bytes("garbage", afterMs: 1), "the provider's answer is not JSON"),
            (
                .bytes("{ \"account\": { \"plan\": \"gold\" } }", afterMs: 1),
                "account.plan is not none, active or expired"
            ),
            (.failure(PlanFailure(.unauthorized, "the service refuses the token (status 401)")), "refuses the token"),
            (.silence, "the service does not answer within 30 s"),
        ] {
            let house = try PlanHouse()
            house.world.answering = answer
            house.subscriptions.refresh(camera: nil)
            house.world.pass(40_000)
            #expect(house.state == .loadFailed && house.view()?.kept.failure?.contains(words) == true, "\(words)")
            #expect(try house.replays() > 4)
        }
        let house = try PlanHouse("{ url: \"http://plans.test\", credential: missing }")
        house.world.pass(1_000)
        #expect(house.state == .loadFailed && house.world.requests.isEmpty)
        #expect(house.lines("cloud plans cannot be checked: credential missing").count == 1)
    }
}
