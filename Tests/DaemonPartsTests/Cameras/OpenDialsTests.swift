import Foundation
import Journal
import Machines
import Media
import Testing

@testable import Daemon

@Suite("Dials that do not end")
struct OpenDialsTests {
    @Test("The input gives a dial up before the machine does, so that it can say why")
    func bounds() { #expect(InputLimits().dialMs < Timing().dialMs) }

    @Test("A camera is not dialled while the thread of its last dial lives; that is a fault, told and counted (H2)")
    func stuck() async throws {
        let dialler = Dialler()
        let camera = try TestCamera(policy: Policy(mode: .continuous), dialler: dialler)
        _ = await camera.inbox.ask(.tick, by: "test")
        #expect(dialler.dials.count == 1)
        // It does not answer, is hung up, and its thread does not end.
        var refused = 0
        for _ in 0..<40 {
            camera.pass(ms: 4_000)
            _ = await camera.inbox.ask(.tick, by: "test")
            // What the shell refuses comes back as a fact of its own.
            _ = await camera.inbox.ask(.tick, by: "test")
            refused = camera.told(.linkFailed).count { $0[.why] == LinkFailure.stuck.rawValue }
        }
        #expect(dialler.dials.count == 1 && dialler.dials[0].isStopped)
        #expect(refused >= 2)
        #expect(camera.told(.obligationOverdue).map { $0[.obligation] } == ["hang-up"])
        #expect(camera.actor.view.lastFailure == .stuck)
        #expect(camera.dials.overdueCount(at: camera.now) == 1)
        let overdue = try #require(camera.dials.overdueMs(of: "front", at: camera.now))
        #expect(overdue > 100_000)
        dialler.dials[0].end()
        #expect(camera.dials.overdueCount(at: camera.now) == 0)
        for _ in 0..<20 where dialler.dials.count == 1 {
            camera.pass(ms: 4_000)
            _ = await camera.inbox.ask(.tick, by: "test")
        }
        #expect(dialler.dials.count == 2)
    }

    @Test("A stream has one place, whoever asks for it; its hang-up counts from the first time (H1, H2)")
    func places() {
        let dials = OpenDials()
        let begin = Instant(ms: 1_000)
        #expect(dials.take("a", .main, at: begin) == nil && dials.take("a", .sub, at: begin) == nil)
        #expect(dials.take("b", .main, at: begin) == nil)
        // Not stopped yet: refused all the same.
        #expect(dials.take("a", .main, at: begin + 7) == begin + 7)
        dials.stopped("a", .main, at: begin + 10)
        dials.stopped("a", .main, at: begin + 9_000)
        #expect(dials.take("a", .main, at: begin + 20_000) == begin + 10)
        let late = begin + 10 + OpenDials.hangUpMs
        #expect(dials.overdueMs(of: "a", at: late + -1) == nil)
        #expect(dials.overdueMs(of: "a", at: late) == OpenDials.hangUpMs)
        #expect(dials.overdueCount(at: late) == 1 && dials.overdueCount(at: late) { $0 == "b" } == 0)
        dials.ended("a", .main)
        #expect(dials.overdueCount(at: late) == 0 && dials.take("a", .main, at: late) == nil)
        // What was never stopped owes no end.
        #expect(dials.overdueMs(of: "b", at: late + 100_000) == nil)
        dials.stopped("c", .main, at: late)
        #expect(dials.take("c", .main, at: late) == nil)
        #expect(OpenDials.perCameraMax == 2)
    }

    @Test("The watchdog is withheld only where every camera that owes something is late (H1)")
    func watchdog() {
        #expect(Supervisor.vouches(late: 0, owing: 0) && Supervisor.vouches(late: 0, owing: 3))
        #expect(Supervisor.vouches(late: 1, owing: 2) && Supervisor.vouches(late: 40, owing: 43))
        #expect(!Supervisor.vouches(late: 1, owing: 1) && !Supervisor.vouches(late: 43, owing: 43))
    }
}
