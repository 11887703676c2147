import Foundation
import Machines
import Synchronization
import Testing

@testable import Media

/// Fifteen seconds of 640 by 360 at 12.5 a second, with a little noise: a white square stands still for ten seconds and then moves.
enum MovingSquare {
    static func make(_ maker: MediaMaker, _ name: String, video: [String]) throws -> String {
        let square =
            "color=gray:s=640x360:r=12.5:d=15[b];color=white:s=80x80:r=12.5:d=15[q];"
            + "[b][q]overlay=x='20+if(gte(t,10),(t-10)*100,0)':y=140,noise=alls=3:allf=t"
        try maker.run(
            "ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", square] + video + ["-an", maker.path(name)])
        return maker.path(name)
    }

    static let h264 = [
        "-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-bf", "0", "-sc_threshold", "0", "-pix_fmt", "yuv420p",
    ]
    static let forms: [(name: String, video: [String])] = [
        ("a.mp4", h264),
        ("b.mp4", ["-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-bf", "3", "-pix_fmt", "yuv420p"]),
        (
            "c.mkv",
            [
                "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params",
                "log-level=none:keyint=25",
            ]
        ),
        (
            "d.mkv",
            [
                "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-x265-params",
                "log-level=none:keyint=25",
            ]
        ),
    ]
}

@Suite("The motion detector", .serialized)
struct MotionDetectorTests {
    @Test("sees in a file when and where something moves", arguments: 0..<4)
    func file(index: Int) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let form = MovingSquare.forms[index]
        let path = try MovingSquare.make(maker, form.name, video: form.video)
        var seen: [MotionObservation] = []
        let cost = try DetectionRun.run(path: path, configuration: MotionConfiguration(depth: .full)) {
            seen.append($0)
        }
        #expect(cost.fed == 188 && cost.undecodable == 0 && cost.dropped == 0)
        #expect((70...80).contains(seen.count) && cost.observed == UInt64(seen.count))
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.pts < $1.pts })
        let offsets = seen.map { $0.arrival.ms - $0.pts / 90 }
        #expect((offsets.max() ?? 0) - (offsets.min() ?? 0) < 1000)
        let noticed = seen.filter { $0.level.map { $0 <= .medium } ?? false }.map { Double($0.pts) / 90_000 }
        let first = try #require(noticed.first)
        #expect(first >= 10 && first <= 11.5)
        #expect(noticed.count >= 15)
        for observation in seen where observation.level != nil {
            let x = (20 + (Double(observation.pts) / 90_000 - 10) * 100) / 640
            let box = try #require(observation.regions.first?.box)
            #expect(box.x < x + 0.15 && box.x + box.width > x - 0.05)
            #expect(box.y < 0.65 && box.y + box.height > 0.35)
            #expect(observation.keyPts.map { $0 <= observation.pts } == true)
        }
        var best = BestPicture()
        for observation in seen { best.take(observation) }
        #expect(try #require(best.keyPts) >= 10 * 90_000)
    }

    @Test("sees a turned picture as people do, who draw zones and masks on it")
    func turned() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let path = try MovingSquare.make(maker, "a.mp4", video: MovingSquare.h264)
        // What moves on the left of the file is seen on the right.
        let right = MotionZones(zones: [PicturePolygon(x: 0.5, y: 0, width: 0.5, height: 1)])
        for rotation in PictureRotation.allCases {
            var zones: Set<Bool> = []
            var seen: [MotionObservation] = []
            _ = try DetectionRun.run(
                path: path, configuration: MotionConfiguration(depth: .full, zones: right), rotation: rotation
            ) { seen.append($0) }
            for observation in seen where observation.level != nil && observation.pts < 12 * 90_000 {
                let box = try #require(observation.regions.first?.box)
                zones.insert(box.x + box.width / 2 > 0.5)
            }
            #expect(zones == [rotation == .half])
        }
    }

    @Test("decodes key frames only when that is asked, and leaves out what nothing refers to")
    func depth() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let path = try MovingSquare.make(maker, "a.mp4", video: MovingSquare.h264)
        let quick = try DetectionRun.run(path: path, configuration: MotionConfiguration(depth: .keyFrames)) { _ in }
        let keys = UInt64(try frames(path).count { $0.isKey })
        #expect(quick.fed == 188 && keys < 12 && quick.sent == keys && quick.observed == keys)
        let fast = try maker.make(
            "b.mp4", seconds: 6, video: ["-c:v", "libx264", "-bf", "1", "-g", "50", "-pix_fmt", "yuv420p"])
        let half = try DetectionRun.run(path: fast, configuration: MotionConfiguration(depth: .full)) { _ in }
        #expect(half.decoded < half.fed * 3 / 4 && half.observed >= 28)
    }

    @Test("rests until the next key frame once all sensitivities notice motion everywhere that counts, and not before")
    func rest() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let path = try MovingSquare.make(maker, "a.mp4", video: MovingSquare.h264)
        var seen: [MotionObservation] = []
        let cost = try DetectionRun.run(path: path) { seen.append($0) }
        #expect(cost.rested > 20 && cost.rested + cost.sent == cost.fed)
        let moving = seen.filter { $0.pts >= 11 * 90_000 && $0.level != nil }.map(\.pts)
        // Never longer than from key frame to key frame, here two seconds.
        #expect(zip(moving, moving.dropFirst()).allSatisfy { $1 - $0 < 2 * 90_000 })
        #expect((moving.last ?? 0) > 14 * 90_000)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $1.pts - $0.pts < 30_000 || $0.level == .low })
        // A zone in which nothing moves must be watched all the time.
        let corner = MotionZones(zones: [PicturePolygon(x: 0, y: 0.8, width: 0.2, height: 0.2)])
        let zoned = try DetectionRun.run(path: path, configuration: MotionConfiguration(zones: corner)) { _ in }
        #expect(zoned.rested == 0)
        // Key frames that are far apart leave too much unseen.
        let sparse = try MovingSquare.make(maker, "b.mp4", video: MovingSquare.h264 + ["-g", "100"])
        #expect(try DetectionRun.run(path: sparse) { _ in }.rested == 0)
    }

    @Test("rests no longer than it may", arguments: [(3_000, true), (1_500, false)] as [(Int64, Bool)])
    func restBounded(_ ms: Int64, _ rests: Bool) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try frames(try MovingSquare.make(maker, "a.mp4", video: MovingSquare.h264))
        let pool = MotionPool(threads: 1)
        defer { pool.stop() }
        let configuration = MotionConfiguration(waitingMax: 1000, waitingBytesMax: 64 << 20, waitingMsMax: 60_000)
        let detector = MotionDetector(name: "a", configuration: configuration, pool: pool) { _ in }
        detector.rest(atMost: ms)
        for frame in frames { detector.feed(frame) }
        let limit = DispatchTime.now() + 30
        while detector.cost.sent + detector.cost.rested < UInt64(frames.count), DispatchTime.now() < limit {
            usleep(1000)
        }
        #expect(detector.cost.sent + detector.cost.rested == UInt64(frames.count))
        #expect((detector.cost.rested > 0) == rests)
        detector.stop()
    }

    @Test("refuses what is no video")
    func refused() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        try Data("no video at all".utf8).write(to: URL(fileURLWithPath: maker.path("x.mp4")))
        #expect(throws: DetectionError.self) { try DetectionRun.run(path: maker.path("x.mp4")) { _ in } }
        #expect(throws: DetectionError.self) { try DetectionRun.run(path: maker.path("missing.mp4")) { _ in } }
        let sound = try maker.make("s.m4a", video: [], audio: ["-c:a", "aac"])
        #expect(throws: DetectionError.self) { try DetectionRun.run(path: sound) { _ in } }
    }

    /// All frames of a file, as fast as they can be read.
    private func frames(_ path: String) throws -> [Frame] {
        let sink = CollectingSink()
        let reader = FileReader(
            path: path, looped: false, isPaced: false, sink: sink, pool: SlabPool(), limits: InputLimits(),
            stop: StopSignal())
        #expect(throws: InputFault.self) { try reader.run() }
        reader.finish()
        return sink.seen.frames
    }

    @Test("on a pool sees the same as in a file, for each of many cameras")
    func pooled() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let path = try MovingSquare.make(maker, "a.mp4", video: MovingSquare.h264)
        var wanted: [MotionObservation] = []
        _ = try DetectionRun.run(path: path) { wanted.append($0) }
        let frames = try frames(path)
        let pool = MotionPool(threads: 2)
        defer { pool.stop() }
        let seen = Mutex<[[MotionObservation]]>(Array(repeating: [], count: 6))
        let done = DispatchSemaphore(value: 0)
        let last = try #require(wanted.last?.pts)
        let detectors = (0..<6).map { number in
            MotionDetector(
                name: "\(number)",
                configuration: MotionConfiguration(waitingMax: 1000, waitingBytesMax: 64 << 20, waitingMsMax: 60_000),
                pool: pool
            ) { observation in
                seen.withLock { $0[number].append(observation) }
                if observation.pts == last { done.signal() }
            }
        }
        for frame in frames { for detector in detectors { detector.feed(frame) } }
        for _ in detectors { #expect(done.wait(timeout: .now() + 60) == .success) }
        for list in seen.withLock({ $0 }) {
            #expect(list.map(\.pts) == wanted.map(\.pts) && list.map(\.score) == wanted.map(\.score))
        }
        for detector in detectors {
            #expect(detector.cost.fed == 188 && detector.cost.dropped == 0)
            detector.stop()
        }
    }

    @Test(
        "drops and counts when it cannot keep up, goes on at a key frame, and holds no more than it may",
        arguments: [
            MotionConfiguration(depth: .full, waitingMax: 40, waitingMsMax: 60_000),
            MotionConfiguration(depth: .full, waitingMax: 1_000, waitingMsMax: 39 * 40),
        ])
    func overloaded(_ configuration: MotionConfiguration) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let path = try MovingSquare.make(maker, "a.mp4", video: MovingSquare.h264)
        let frames = try frames(path)
        let pool = MotionPool(threads: 1)
        defer { pool.stop() }
        // The only thread is held up until all frames have been handed in.
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let seen = Mutex<[Int64]>([])
        let last = try #require(frames.last?.pts)
        let detector = MotionDetector(
            name: "a", configuration: configuration, pool: pool
        ) { observation in
            let isFirst = seen.withLock {
                $0.append(observation.pts)
                return $0.count == 1
            }
            if isFirst { gate.wait() }
            if observation.pts > last - 30_000 { done.signal() }
        }
        detector.feed(frames[0])
        detector.feed(frames[1])
        let limit = DispatchTime.now() + 30
        while seen.withLock({ $0.isEmpty }), DispatchTime.now() < limit { usleep(1000) }
        for frame in frames.dropFirst(2) { detector.feed(frame) }
        let cost = detector.cost
        #expect(cost.fed == UInt64(frames.count) && cost.overloads >= 2 && cost.waitingMax <= 40)
        #expect(cost.dropped > 100)
        gate.signal()
        #expect(done.wait(timeout: .now() + 30) == .success)
        let times = seen.withLock { $0 }
        // After the first one everything up to the last key frames is missing; what follows is whole.
        #expect(times.count > 1 && times.count < 20)
        let key = try #require(frames.last { $0.isKey && $0.pts <= times[1] })
        #expect(times[1] - key.pts < 45_000)
        detector.stop()
        let fed = detector.cost.fed
        detector.feed(frames[0])
        #expect(detector.cost.fed == fed)
    }
}
