import Catalog
import Foundation
import Journal
import Machines
import Testing

@testable import Daemon

@Suite("What becomes of messages, of their receivers' outages, and of their rows")
struct NotifierTests {
    private let away = #"{ "status": 503 }"#

    @Test("An outage lasts over other settings, and ends with what is taken: the journal tells its begin and its end")
    func changed() async throws {
        try await TestNotifier.with(says: away) { house in
            try await house.beginOutage()
            try house.use("title: another")
            try await house.wait("it lasts") { house.sent.count == 2 }
            try house.server.says("{}")
            try house.use("title: third")
            try await house.wait("its end") { !house.told(.receiverWorking).isEmpty }
            #expect(house.told(.receiverFailing).count == 1 && house.told(.receiverWorking).count == 1)
        }
    }

    @Test("An outage ends with its receiver, and what waits for it is given up")
    func removed() async throws {
        try await TestNotifier.with(says: away) { house in
            try await house.beginOutage()
            try house.use(nil)
            try await house.wait("its end") { !house.told(.notificationGivenUp).isEmpty }
            #expect(house.told(.receiverRemoved).map { $0[.receiver] } == ["phone"])
            #expect(
                house.told(.notificationGivenUp).map { "\($0[.receiver] ?? "") \($0[.count] ?? "")" } == ["phone 1"])
            #expect(MessageKind.receiverRemoved.ends == [.receiverFailing])
            #expect(try house.catalog.notificationsWaiting() == [:])
        }
    }

    @Test("A trial that is taken ends an outage, though nothing waits")
    func trial() async throws {
        try await TestNotifier.with(says: away) { house in
            try await house.beginOutage()
            let waiting = try #require(try house.catalog.nextNotification(of: "phone"))
            try house.catalog.giveUpNotification(waiting.id, why: "for the test", atWallMs: 1)
            try house.server.says("{}")
            #expect(await house.notifier.test("phone") == .some(nil))
            #expect(house.told(.receiverWorking).count == 1)
            #expect(await house.notifier.test("nobody") == nil)
        }
    }

    @Test("A problem in memory has one id, however often it is sent; it begins an outage, and ends it")
    func unkept() async throws {
        try await TestNotifier.with(says: away) { house in
            house.journal.send(.storageLost, fields: [(.path, "/"), (.why, "gone")])
            try house.loseCatalog()
            house.clock.pass(ms: 60_001)
            try house.use("problems: 1m, credential: c")
            try await house.wait("the credential is missed") { !house.told(.receiverFailing).isEmpty }
            #expect(house.told(.receiverFailing).first?[.why]?.contains("c") == true && house.sent.isEmpty)
            try house.use("problems: 1m")
            try await house.wait("a try") { house.sent.count == 1 }
            try await house.wait("it is over") { await house.notifier.receivers["phone"]?.task == nil }
            try house.server.says("{}")
            try house.use("problems: 1m")
            try await house.wait("the end of the outage") { !house.told(.receiverWorking).isEmpty }
            #expect(house.ids.count == 2 && Set(house.ids).count == 1, "\(house.ids)")
            #expect(house.told(.receiverFailing).count == 1)
        }
    }

    @Test("What is given up is told when it is written, once")
    func givenUp() async throws {
        try await TestNotifier.with(says: #"{ "status": 400 }"#) { house in
            try house.database(
                """
                CREATE TRIGGER no BEFORE UPDATE OF state ON notification BEGIN SELECT RAISE(ABORT, 'full'); END
                """)
            try house.use()
            try house.begin()
            try await house.wait("what cannot be written") {
                await house.notifier.receivers["phone"]?.unwritten.count == 1
            }
            #expect(house.told(.notificationGivenUp).isEmpty)
            for _ in 0..<3 {
                house.clock.pass(ms: Notifier.retryMs)
                await house.notifier.goOn()
            }
            #expect(house.told(.notificationGivenUp).isEmpty && house.sent.count == 1)
            try house.database("DROP TRIGGER no")
            house.clock.pass(ms: Notifier.retryMs)
            await house.notifier.goOn()
            #expect(house.told(.notificationGivenUp).count == 1 && house.sent.count == 1)
            #expect(try house.catalog.notificationsWaiting() == [:])
        }
    }

    @Test("What is trimmed does not rest any more")
    func trimmed() async throws {
        try await TestNotifier.with(says: #"{ "status": 500 }"#) { house in
            try house.use()
            try house.begin()
            try await house.wait("it rests") {
                await house.notifier.receivers["phone"]?.gate.resting.isEmpty == false
            }
            house.clock.pass(ms: Notifier.ageMaxMs + 1)
            try await house.wait("it is given up") { !house.told(.notificationGivenUp).isEmpty }
            #expect(await house.notifier.receivers["phone"]?.gate.resting.isEmpty == true)
        }
    }
}
