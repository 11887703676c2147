import Journal
import Machines
import Media
import Synchronization
import Testing

@testable import Daemon

/// A sub-stream whose dials do what the test says, in time that the test lets pass.
@Suite("The sub-stream of a camera")
struct SubstreamTests {
    private final class World: Sendable {
        let dialler = Dialler()
        let substream: Substream
        private let clock = ManualClock()
        private let told: Told

        private final class Told: Sendable { let all = Mutex<[(MessageKind, [Field: String])]>([]) }

        init() {
            let told = Told()
            let journal = Journal { observed in
                guard case .record(let kind, _, let fields) = observed else { return }
                told.all.withLock { $0.append((kind, Dictionary(fields, uniquingKeysWith: { $1 }))) }
            }
            self.told = told
            substream = Substream(
                camera: "front", settings: Substream.Settings(sources: [.lan: .file(path: "none")]), dials: OpenDials(),
                host: TestHost(clock: clock, dialler: dialler), journal: journal)
            substream.watched(true)
            keyframe()
        }

        var now: Instant { clock.now() }
        /// Reasons and waits, in milliseconds, with which it was told as lost.
        var lost: [[Field: String]] { told.all.withLock { $0.filter { $0.0 == .substreamLost }.map(\.1) } }

        /// A key frame of the main stream.
        func keyframe() { substream.mainStreams(.lan, at: now) }

        /// Lets time pass, with a key frame of the main stream each second and at the end; how long it takes until it is dialled, in
        /// milliseconds; nil: it is not.
        func dialled(withinMs: Int64) -> Int64? {
            let (begin, count) = (now, dialler.dials.count)
            while now - begin < withinMs {
                let step = min(1_000, withinMs - (now - begin))
                clock.ms.withLock { $0 += step }
                keyframe()
                if dialler.dials.count > count { return now - begin }
            }
            return nil
        }

        /// The last dial comes to a key frame.
        func stream() throws {
            let dial = try #require(dialler.dials.last)
            dial.dialed([TestFrames.track])
            var frames = TestFrames()
            dial.frame(try frames.next(at: now))
        }
    }

    @Test(
        "Past its budget it waits for 300 s, each time and whatever was before, and after another failure for 5 s (H1)")
    func budget() throws {
        let world = World()
        #expect(world.dialler.dials.count == 1)
        world.dialler.dials.last?.end(.failed(.closed, detail: "the camera has closed the connection"))
        #expect(world.dialled(withinMs: 4_999) == nil)
        #expect(world.dialled(withinMs: 1) == 1)
        try world.stream()
        #expect(world.substream.phase == .streaming)
        for number in 1...2 {
            let bound = "more than 1000 frames a second (frame rate)"
            world.dialler.dials.last?.end(.failed(.budget, detail: bound))
            let view = try #require(world.substream.view)
            #expect(view.link == .waiting && view.failure == "budget: \(bound)")
            #expect(view.retryAt == world.now + 300_000)
            #expect(world.dialled(withinMs: 299_999) == nil)
            #expect(world.dialled(withinMs: 1) == 1)
            // It is told once until it is back, with how long it waits.
            #expect(world.lost.count == 2 && world.lost.last?[.retryMs] == "300000", "time \(number): \(world.lost)")
            #expect(world.lost.last?[.why] == "budget: \(bound)")
        }
        // Once it streams, what was before is forgotten.
        try world.stream()
        world.dialler.dials.last?.end(.failed(.closed, detail: "the camera has closed the connection"))
        #expect(world.dialled(withinMs: 5_000) == 5_000)
    }
}
