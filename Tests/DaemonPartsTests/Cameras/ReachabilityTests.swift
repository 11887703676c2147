import Foundation
import Journal
import Machines
import Media
import Synchronization
import Testing

@testable import Daemon

/// Tries to reach a camera that nobody records, with dials that do what the test says and time that the test lets pass.
@Suite("Whether a camera can be reached")
struct ReachabilityTests {
    /// A probe and what is around it.
    private final class World: Sendable {
        let dialler = Dialler()
        let dials = OpenDials()
        let timer: ManualTimer
        let queue: ManualQueue
        let probe: ReachabilityProbe
        let told: Told
        private let clock = ManualClock()

        final class Told: Sendable { let kinds = Mutex<[MessageKind]>([]) }

        /// `holds`: what dials say is taken only when the test says so.
        init(holds: Bool = false) {
            let told = Told()
            timer = ManualTimer()
            queue = ManualQueue(timer, holds: holds)
            let journal = Journal { observed in
                if case .record(let kind, _, _) = observed { told.kinds.withLock { $0.append(kind) } }
            }
            self.told = told
            probe = ReachabilityProbe(
                camera: "front", dials: dials, host: TestHost(clock: clock, dialler: dialler), journal: journal,
                queue: queue)
        }

        var kinds: [MessageKind] { told.kinds.withLock { $0 } }

        func follow(_ machine: Camera, _ ways: [Endpoint] = [.lan, .internet]) {
            probe.follow(
                machine, sources: Dictionary(uniqueKeysWithValues: ways.map { ($0, InputSource.file(path: "none")) }))
        }

        /// The timer fires, after as long as it was set for.
        func fire() {
            clock.ms.withLock { $0 += timer.afterMs.withLock { $0 } ?? 0 }
            timer.fire()
        }

        /// A dial ends, answered or not.
        func answer(_ number: Int, _ failure: LinkFailure? = nil) {
            if let failure { return dialler.dials[number].end(.failed(failure, detail: "")) }
            dialler.dials[number].dialed()
            #expect(dialler.dials[number].isStopped)
            dialler.dials[number].end()
        }
    }

    private final class ManualTimer: WakeTimer {
        let afterMs = Mutex<Int64?>(nil)
        private let body = Mutex<@Sendable () -> Void>({})

        func set(afterMs ms: Int64?) { afterMs.withLock { $0 = ms } }
        func does(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }
        func fire() {
            afterMs.withLock { $0 = nil }
            body.withLock { $0 }()
        }
    }

    private final class ManualQueue: WorkQueue {
        private let only: ManualTimer
        private let holds: Bool
        private let held = Mutex<[@Sendable () -> Void]>([])

        init(_ only: ManualTimer, holds: Bool) { (self.only, self.holds) = (only, holds) }

        func run(_ work: @escaping @Sendable () -> Void) {
            if holds { held.withLock { $0.append(work) } } else { work() }
        }
        /// Does what was held, in order.
        func pump() {
            for work in held.withLock({ held in
                defer { held = [] }
                return held
            }) { work() }
        }
        func runAndWait(_ work: () -> Void) { work() }
        func timer(_ fire: @escaping @Sendable () -> Void) -> any WakeTimer {
            only.does(fire)
            return only
        }
        func enqueue(_ job: consuming ExecutorJob) {}
    }

    private func camera(
        enabled: Bool = false, hard: Bool = false, _ connection: ConnectionMode = .always, order: DialOrder = .lanFirst
    ) -> Camera {
        Camera(
            intent: Intent(
                enabled: enabled, policy: Policy(mode: .event, connection: connection), privacy: Privacy(hard: hard),
                connect: order),
            timing: Timing(seed: 1))
    }

    @Test("What answers is reachable until a try finds otherwise; a change is told once, and every way is tried")
    func found() throws {
        let world = World()
        world.follow(camera())
        #expect(world.timer.afterMs.withLock { $0 } == ReachabilityProbe.firstMs && world.probe.finding == nil)
        world.fire()
        #expect(world.timer.afterMs.withLock { $0 } == ReachabilityProbe.tryMs)
        world.answer(0)
        let first = try #require(world.probe.finding)
        #expect(first.endpoint == .lan && first.failure == nil && world.kinds == [.cameraReachable])
        #expect(world.timer.afterMs.withLock { $0 } == ReachabilityProbe.everyMs)
        // Only by the other way: it can be reached all the same.
        world.fire()
        world.answer(1, .refused)
        world.answer(2)
        #expect(world.probe.finding?.endpoint == .internet && world.kinds == [.cameraReachable])
        for turn in 0..<2 {
            world.fire()
            world.answer(3 + 2 * turn, .unreachable)
            world.answer(4 + 2 * turn, .refused)
            #expect(world.probe.finding?.failure == .refused && world.probe.finding?.endpoint == nil)
            #expect(world.kinds == [.cameraReachable, .cameraUnreachable])
        }
        #expect(world.probe.finding?.since == first.since + 2 * ReachabilityProbe.everyMs)
        #expect(world.dialler.dials.count == 7)
    }

    @Test("A camera that says nothing is given up, and its place stays taken until it has ended")
    func silent() {
        let world = World()
        world.follow(camera(order: .internet))
        world.fire()
        world.fire()
        #expect(world.dialler.dials.count == 1 && world.dialler.dials[0].isStopped && world.probe.finding == nil)
        world.dialler.dials[0].end()
        #expect(world.probe.finding?.failure == .timeout && world.kinds == [.cameraUnreachable])
        #expect(world.dials.take("front", .main, at: Instant(ms: 0)) == nil)
    }

    @Test("A link that is wanted ends a try; nothing is known then, and the next try waits for the end of that one")
    func wanted() {
        let world = World()
        world.follow(camera())
        world.fire()
        world.answer(0)
        world.fire()
        world.follow(camera(enabled: true))
        #expect(world.dialler.dials[1].isStopped && world.probe.finding == nil)
        #expect(world.timer.afterMs.withLock { $0 } == nil)
        world.follow(camera())
        world.fire()
        // The second has not ended.
        #expect(world.dialler.dials.count == 2)
        world.dialler.dials[1].end()
        #expect(world.probe.finding == nil && world.kinds == [.cameraReachable])
        world.fire()
        world.answer(2)
        #expect(world.probe.finding?.endpoint == .lan)
    }

    @Test("Who wants the link gives a try up, and is told when it has ended, however the two cross")
    func givenUp() {
        for crosses in [false, true] {
            let world = World(holds: true)
            let told = Mutex(0)
            world.probe.onGivenUp = { told.withLock { $0 += 1 } }
            #expect(!world.probe.giveUp())
            world.follow(camera())
            world.fire()
            // The dial ends by itself; that is taken only after the link is wanted.
            if crosses { world.dialler.dials[0].end(.failed(.refused, detail: "")) }
            #expect(world.probe.giveUp() && world.dialler.dials[0].isStopped)
            world.follow(camera(enabled: true))
            #expect(world.probe.giveUp() && told.withLock { $0 } == 0)
            if !crosses { world.dialler.dials[0].end() }
            world.queue.pump()
            #expect(told.withLock { $0 } == 1 && !world.probe.giveUp())
            #expect(world.probe.finding == nil && world.kinds.isEmpty)
            #expect(world.dials.take("front", .main, at: Instant(ms: 0)) == nil)
            world.dials.ended("front", .main)
            // And it is tried again as before.
            world.follow(camera())
            world.fire()
            world.dialler.dials[1].dialed()
            world.queue.pump()
            #expect(world.dialler.dials[1].isStopped)
            world.dialler.dials[1].end()
            world.queue.pump()
            #expect(world.probe.finding?.endpoint == .lan && world.kinds == [.cameraReachable])
        }
    }

    @Test("A try that ought to have ended is waited for no longer, is shown as that, and no other is made beside it")
    func hangs() {
        let world = World()
        world.follow(camera())
        world.fire()
        world.fire()
        #expect(world.dialler.dials[0].isStopped && world.probe.finding == nil)
        world.fire()
        #expect(world.probe.finding?.failure == .stuck && world.kinds == [.cameraUnreachable])
        #expect(!world.probe.giveUp())
        world.follow(camera(enabled: true))
        world.follow(camera())
        world.fire()
        #expect(world.dialler.dials.count == 1)
    }

    @Test("A dial that waits for the end of a try is made then; one that is hung up meanwhile is not, and says so")
    func delayed() async throws {
        let dialler = Dialler()
        let camera = try TestCamera(dialler: dialler)
        func enable(_ isOn: Bool) async { _ = await camera.inbox.ask(.enabled(isOn), by: "test") }
        await enable(false)
        try #require(dialler.dials.count == 1 && dialler.dials[0].isStopped)
        dialler.dials[0].end()
        await enable(false)
        func try_() { camera.inbox.queue.runAndWait { camera.shell.probe.due() } }
        try_()
        try #require(dialler.dials.count == 2)
        await enable(true)
        #expect(dialler.dials.count == 2 && dialler.dials[1].isStopped && !camera.shell.hasDial)
        await enable(false)
        dialler.dials[1].end()
        await enable(false)
        // The hang-up was answered, so nothing is overdue, and nothing was dialled.
        #expect(dialler.dials.count == 2 && !camera.shell.hasDial && camera.told(.obligationOverdue).isEmpty)
        await enable(true)
        #expect(dialler.dials.count == 3 && camera.shell.hasDial)
        await enable(false)
        dialler.dials[2].end()
        await enable(false)
        try_()
        try #require(dialler.dials.count == 4)
        await enable(true)
        dialler.dials[3].end()
        camera.inbox.queue.runAndWait {}
        #expect(dialler.dials.count == 5 && camera.shell.hasDial)
    }

    @Test("Where a try hangs the camera is not dialled, and the journal says that it is stuck")
    func stuck() async throws {
        let dialler = Dialler()
        let camera = try TestCamera(dialler: dialler)
        func enable(_ isOn: Bool) async { _ = await camera.inbox.ask(.enabled(isOn), by: "test") }
        await enable(false)
        dialler.dials[0].end()
        await enable(false)
        camera.inbox.queue.runAndWait { camera.shell.probe.due() }
        try #require(dialler.dials.count == 2)
        await enable(true)
        for _ in 0..<40 where camera.told(.linkFailed).last?[.why] != "stuck" {
            camera.pass(ms: 5_000)
            camera.inbox.tell(.tick)
            await enable(true)
        }
        #expect(camera.told(.linkFailed).last?[.why] == "stuck" && dialler.dials.count == 2)
    }

    @Test(
        "No try under hard privacy, of a camera that is connected on demand, of one that is recorded, or of one without an address"
    )
    func none() {
        for machine in [
            camera(hard: true), camera(.onDemand), camera(enabled: true), camera(enabled: true, hard: true),
        ] {
            let world = World()
            world.follow(machine)
            #expect(world.timer.afterMs.withLock { $0 } == nil)
            world.fire()
            #expect(world.dialler.dials.isEmpty)
        }
        let world = World()
        world.follow(camera(), [])
        world.fire()
        #expect(world.dialler.dials.isEmpty && world.timer.afterMs.withLock { $0 } == ReachabilityProbe.everyMs)
    }
}
