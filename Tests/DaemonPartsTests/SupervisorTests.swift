import Server
import Testing

@testable import Daemon

@Suite("The health of the daemon")
struct SupervisorTests {
    @Test(
        "A camera that is late is told and makes the daemon no worse; where all that owe something are late, it does not work"
    )
    func late() {
        #expect(Supervisor.health(late: 0, owing: 0) == Health(ok: true, reason: "ok"))
        #expect(Supervisor.health(late: 0, owing: 3) == Health(ok: true, reason: "ok"))
        #expect(Supervisor.health(late: 1, owing: 3) == Health(ok: true, reason: "ok, but 1 camera is late"))
        #expect(Supervisor.health(late: 2, owing: 3) == Health(ok: true, reason: "ok, but 2 cameras are late"))
        #expect(!Supervisor.health(late: 3, owing: 3).ok)
        #expect(!Supervisor.health(late: 1, owing: 1).ok)
    }
}
