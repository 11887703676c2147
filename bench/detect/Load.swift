import Foundation
import Machines
import Media
import Synchronization

/// Plays a file as many cameras at once, in real time, with a detector for each on one pool, and prints what that costs.
enum Load {
    /// Counts what a camera sends and hands it to its detector.
    private final class Camera: InputSink {
        let detector: MotionDetector
        let frames = Atomic<Int>(0)
        let observed: Atomic<Int>
        let ended = DispatchSemaphore(value: 0)

        init(_ number: Int, pool: MotionPool, configuration: MotionConfiguration) {
            observed = Atomic(0)
            detector = MotionDetector(name: "camera\(number)", configuration: configuration, pool: pool) { _ in }
        }

        func dialed(_ streams: [StreamDescription]) {}
        func frame(_ frame: Frame) {
            guard frame.kind == .video else { return }
            frames.add(1, ordering: .relaxed)
            detector.feed(frame)
        }
        func repaired(_ report: RepairReport) {}
        func ended(_ end: InputEnd, counts: InputCounts) { ended.signal() }
    }

    /// `seconds` of `cameras` cameras that all show `file`, on `threads` threads (nil: one for each processor).
    static func run(file: String, cameras: Int, seconds: Double, threads: Int?, configuration: MotionConfiguration) {
        let pool = MotionPool(threads: threads)
        let slabs = SlabPool()
        let all = (0..<cameras).map { Camera($0, pool: pool, configuration: configuration) }
        let inputs = all.enumerated().map { number, camera in
            Input(name: "camera\(number)", source: .file(path: file), pool: slabs, sink: camera)
        }
        let before = processSeconds()
        for input in inputs {
            input.start()
            // Spread over a second, as cameras are.
            Thread.sleep(forTimeInterval: 1 / Double(cameras))
        }
        Thread.sleep(forTimeInterval: seconds)
        for input in inputs { input.stop() }
        for camera in all { camera.ended.wait() }
        let spent = processSeconds() - before
        let costs = all.map(\.detector.cost)
        for camera in all { camera.detector.stop() }
        pool.stop()
        func sum(_ path: KeyPath<MotionCost, UInt64>) -> UInt64 { costs.reduce(0) { $0 + $1[keyPath: path] } }
        let frames = all.reduce(0) { $0 + $1.frames.load(ordering: .relaxed) }
        print(
            "{\"cameras\":\(cameras),\"seconds\":\(seconds),\"cpu_s\":\(spent),"
                + "\"decoding_s\":\(Double(sum(\.decodingNs)) / 1e9),\"detection_s\":\(Double(sum(\.detectionNs)) / 1e9),"
                + "\"frames\":\(frames),\"fed\":\(sum(\.fed)),\"decoded\":\(sum(\.decoded)),\"observed\":\(sum(\.observed)),"
                + "\"dropped\":\(sum(\.dropped)),\"overloads\":\(sum(\.overloads)),"
                + "\"waiting_max\":\(costs.map(\.waitingMax).max() ?? 0)}")
    }

    private static func processSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
