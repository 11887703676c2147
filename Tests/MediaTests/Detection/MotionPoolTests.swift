import Foundation
import Machines
import Synchronization
import Testing

@testable import Media

@Suite("Cameras that share the detectors' threads (H1)", .serialized)
struct MotionPoolTests {
    /// What each picture of a costly camera takes, in milliseconds.
    private static let costlyMs = 60
    private static let configuration: MotionConfiguration = {
        var parameters = MotionParameters()
        parameters.rate = 25
        return MotionConfiguration(
            depth: .full, parameters: parameters, waitingMax: 1_000, waitingBytesMax: 64 << 20, waitingMsMax: 60_000)
    }()

    /// Takes processor time on this thread.
    private static func spin(ms: Int) {
        let end = CPUClock.threadNs() + UInt64(ms) * 1_000_000
        while CPUClock.threadNs() < end {}
    }

    private func frames(_ maker: MediaMaker) throws -> [Frame] {
        let path = try MovingSquare.make(maker, "a.mp4", video: MovingSquare.h264)
        let sink = CollectingSink()
        let reader = FileReader(
            path: path, looped: false, isPaced: false, sink: sink, pool: SlabPool(), limits: InputLimits(),
            stop: StopSignal())
        #expect(throws: InputFault.self) { try reader.run() }
        reader.finish()
        return sink.seen.frames
    }

    @Test(
        "A camera whose pictures cost little waits for one picture of those whose pictures cost much, not for eight of each"
    )
    func fair() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try frames(maker).prefix(50)
        let pool = MotionPool(threads: 1)
        defer { pool.stop() }
        let (isHeld, gate, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let costly = Mutex<[Int]>([0, 0, 0, 0])
        // The only thread is held up until all have work.
        let first = MotionDetector(name: "first", configuration: Self.configuration, pool: pool) { _ in
            isHeld.signal()
            gate.wait()
        }
        for frame in frames.prefix(2) { first.feed(frame) }
        #expect(isHeld.wait(timeout: .now() + 30) == .success)
        let large = (0..<4).map { number in
            MotionDetector(name: "large\(number)", configuration: Self.configuration, pool: pool) { _ in
                costly.withLock { $0[number] += 1 }
                Self.spin(ms: Self.costlyMs)
            }
        }
        let small = MotionDetector(name: "small", configuration: Self.configuration, pool: pool) { observation in
            if observation.pts >= frames.map(\.pts).max() ?? 0 { done.signal() }
        }
        for frame in frames { for detector in large { detector.feed(frame) } }
        for frame in frames { small.feed(frame) }
        first.stop()
        gate.signal()
        gate.signal()
        #expect(done.wait(timeout: .now() + 60) == .success)
        let seen = costly.withLock { $0 }
        // What it has cost is told behind its turn.
        let limit = DispatchTime.now() + 30
        while small.cost.observed < 49, DispatchTime.now() < limit { usleep(1_000) }
        let cost = small.cost
        for detector in large + [small] { detector.stop() }
        // As much time as the small one, and the pictures that were begun before and behind.
        let smallMs = Int((cost.decodingNs + cost.detectionNs) / 1_000_000)
        for pictures in seen {
            #expect((pictures - 2) * Self.costlyMs <= smallMs + Self.costlyMs, "\(seen), \(smallMs) ms")
        }
        #expect(cost.dropped == 0 && cost.observed >= 49)
    }

    @Test("A camera past its budget of processor time is not looked at for a while, and then again from a key frame on")
    func limited() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try frames(maker)
        let pool = MotionPool(threads: 1)
        defer { pool.stop() }
        let told = Mutex<[Bool]>([])
        let budget = DetectionBudget(processorPercentMax: 3, processorBurstMs: 200) { isPassed in
            told.withLock { $0.append(isPassed) }
        }
        let seen = Mutex<[Int64]>([])
        let detector = MotionDetector(
            name: "large", configuration: Self.configuration, pool: pool, budget: budget
        ) { observation in
            seen.withLock { $0.append(observation.pts) }
            Self.spin(ms: Self.costlyMs)
        }
        for frame in frames.prefix(50) { detector.feed(frame) }
        let limit = DispatchTime.now() + 30
        while told.withLock({ $0.isEmpty }), DispatchTime.now() < limit { usleep(1_000) }
        #expect(told.withLock { $0 } == [true])
        while detector.cost.dropped == 0, DispatchTime.now() < limit { usleep(1_000) }
        let before = seen.withLock { $0.count }
        #expect(before >= 3 && before < 20 && detector.cost.dropped > 30)
        // Fed without end, it goes on when half of what was too much is given back.
        let rest = frames.dropFirst(50).filter(\.isKey)
        while seen.withLock({ $0.count }) == before, DispatchTime.now() < limit {
            for frame in rest { detector.feed(frame) }
            usleep(20_000)
        }
        let later = try #require(seen.withLock { $0.dropFirst(before).first })
        #expect(rest.contains { $0.pts == later })
        detector.stop()
        #expect(told.withLock { $0 } == [true])
    }

    @Test(
        "The budget gives back as time passes, and is told once when it is passed and once when it was kept for a minute"
    )
    func budget() {
        let told = Mutex<[Bool]>([])
        let budget = DetectionBudget { isPassed in told.withLock { $0.append(isPassed) } }
        // Half of a processor for ever.
        for second in 0..<1_000 { #expect(budget.spend(ns: 500_000_000, atMs: Int64(second) * 1_000)) }
        // A whole one: half a second too much in each.
        let passed = (1_000..<1_020).first { !budget.spend(ns: 1_000_000_000, atMs: Int64($0) * 1_000) }
        #expect(passed == 1_009)
        let from = Int64(passed ?? 0) * 1_000
        #expect(!budget.mayLook(atMs: from + 4_000))
        #expect(budget.mayLook(atMs: from + 6_500))
        #expect(told.withLock { $0 } == [true])
        // Passed again within the minute: told no second time.
        #expect(!budget.spend(ns: 9_000_000_000, atMs: from + 10_000))
        #expect(budget.mayLook(atMs: from + 69_000))
        #expect(told.withLock { $0 } == [true])
        #expect(budget.mayLook(atMs: from + 70_000))
        #expect(told.withLock { $0 } == [true, false])
        // Clocks and counts that cannot be.
        #expect(!budget.spend(ns: .max, atMs: 0))
    }
}
