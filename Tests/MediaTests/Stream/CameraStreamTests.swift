import Foundation
import Machines
import Synchronization
import Testing

@testable import Media

/// A camera that sends a key frame each second and 25 frames a second, by hand. Used by one thread.
struct SteadyCamera {
    let stream = CameraStream()
    private var maker = FrameMaker()
    private(set) var now: Int64 = 1_000
    private var number = 0

    private let stepMs: Int64

    init(stepMs: Int64 = 40) {
        self.stepMs = stepMs
        stream.show(from: Instant(ms: 0))
    }

    static let tracks = [
        StreamDescription(ordinal: 0, kind: .video, sourceCodec: "H264", parameters: nil, ignored: nil),
        StreamDescription(ordinal: 1, kind: .audio, sourceCodec: "AAC", parameters: nil, ignored: "for a test"),
    ]

    mutating func dial() {
        stream.began(Self.tracks)
        number = 0
    }

    /// Sends so many frames; every 25th is a key frame unless `isKeyed` is false.
    mutating func send(_ count: Int, bytes: Int = 1_000, isKeyed: Bool = true) throws {
        for _ in 0..<count {
            now += stepMs
            let frame = try maker.frame(isKey: isKeyed && number.isMultiple(of: 25), arrivalMs: now, bytes: bytes)
            number += 1
            stream.frame(frame)
        }
    }
}

extension StreamViewer {
    /// All that waits.
    func all() -> [StreamItem] {
        var items: [StreamItem] = []
        while let item = poll() { items.append(item) }
        return items
    }
}

extension [StreamItem] {
    var frames: [Frame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
    var words: [String] {
        map { item in
            switch item {
            case .began(let dial): "began \(dial.number)"
            case .skipped(let count): "skipped \(count)"
            case .frame(let frame): frame.isKey ? "K" : "p"
            case .lost: "lost"
            case .ended(let why): "ended \(why)"
            }
        }
    }
}

@Suite("A camera's stream and its viewers")
struct CameraStreamTests {
    @Test("a viewer that wants to be reminded is told again that there is no connection, and only then")
    func reminded() throws {
        var camera = SteadyCamera()
        let viewer = try camera.stream.subscribe(sound: .none)
        #expect(viewer.all().words == [])
        viewer.remind()
        #expect(viewer.all().words == ["lost"] && viewer.all().words == [])
        camera.dial()
        viewer.remind()
        #expect(viewer.all().words == ["began 1"])
        try camera.send(1)
        viewer.remind()
        #expect(viewer.all().words == ["K"])
        camera.stream.lost()
        #expect(viewer.all().words == ["lost"])
        for _ in 0..<2 { viewer.remind() }
        #expect(viewer.all().words == ["lost"])
        viewer.leave()
        viewer.remind()
        #expect(viewer.all().words == ["ended left"])
    }

    @Test("a viewer gets the group of pictures under way and all that follows, each frame once, whenever it comes")
    func complete() throws {
        // A millisecond between frames, and not more of them than may wait: nobody is slow here.
        var camera = SteadyCamera(stepMs: 1)
        camera.dial()
        let stream = camera.stream
        let isOver = Atomic<Bool>(false)
        let gaps = Mutex<[String]>([])
        let seen = Atomic<Int>(0)
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<3 {
            Thread.detachNewThread {
                while !isOver.load(ordering: .sequentiallyConsistent) {
                    guard let viewer = try? stream.subscribe(sound: .none) else { continue }
                    var arrivals: [Int64] = []
                    while arrivals.count < 60, !isOver.load(ordering: .sequentiallyConsistent) {
                        guard case .frame(let frame)? = viewer.poll() else { continue }
                        if arrivals.isEmpty, !frame.isKey { gaps.withLock { $0.append("begins without a key frame") } }
                        arrivals.append(frame.arrival.ms)
                        seen.add(1, ordering: .sequentiallyConsistent)
                    }
                    if zip(arrivals, arrivals.dropFirst()).contains(where: { $1 - $0 != 1 }) {
                        gaps.withLock { $0.append("\(arrivals)") }
                    }
                }
                ended.signal()
            }
        }
        let deadline = ContinuousClock.now + .seconds(60)
        for stretch in 0..<38 {
            try camera.send(100)
            let wanted = stretch * 30
            while seen.load(ordering: .sequentiallyConsistent) < wanted, ContinuousClock.now < deadline {
                sched_yield()
            }
        }
        isOver.store(true, ordering: .sequentiallyConsistent)
        for _ in 0..<3 { ended.wait() }
        #expect(gaps.withLock { $0 } == [])
        #expect(seen.load(ordering: .sequentiallyConsistent) > 1_000)
        #expect(stream.viewers == 0)
    }

    @Test("the group under way is bounded in frames and bytes; past a bound a viewer begins at the next key frame")
    func group() throws {
        for (count, bytes) in [(GroupOfPictures.framesMax + 1, 100), (20, 600 << 10)] {
            var camera = SteadyCamera()
            camera.dial()
            try camera.send(10)
            let early = try camera.stream.subscribe(sound: .none)
            #expect(early.all().words == ["began 1", "K"] + repeatElement("p", count: 9))
            try camera.send(count, bytes: bytes, isKeyed: false)
            let late = try camera.stream.subscribe(sound: .none)
            #expect(late.all().words == ["began 1"])
            camera.dial()
            try camera.send(1)
            #expect(late.all().words == ["began 2", "K"])
        }
    }

    @Test("a viewer that does not read loses frames up to a key frame, then is cut off; nobody else notices")
    func slow() throws {
        var camera = SteadyCamera()
        camera.dial()
        let changes = Mutex<[Int]>([])
        camera.stream.onAudience { change in changes.withLock { $0.append(change) } }
        let (slow, good) = (try camera.stream.subscribe(sound: .none), try camera.stream.subscribe(sound: .none))
        var got = 0
        // Just over five seconds.
        for _ in 0..<160 {
            try camera.send(1)
            got += good.all().frames.count
        }
        let words = slow.all().words
        #expect(words.first == "began 1" && words.dropFirst().first == "skipped 150" && words.count == 12, "\(words)")
        // Read again and it is as if nothing had been.
        try camera.send(50)
        got += good.all().frames.count
        #expect(slow.all().frames.count == 50)
        for _ in 0..<1_000 {
            try camera.send(1)
            got += good.all().frames.count
        }
        #expect(slow.all().words == ["ended slow"])
        #expect(got == 1_210 && camera.stream.viewers == 1)
        #expect(changes.withLock { $0 } == [1, 1, -1])
        withExtendedLifetime(good) {}
    }

    @Test("a dial is the same only where it is the same stream's: each counts its own")
    func sameDial() throws {
        let cameras = [SteadyCamera(), SteadyCamera()]
        let dials = try cameras.map { camera in
            var camera = camera
            camera.dial()
            return try #require(camera.stream.dial)
        }
        #expect(dials[0].number == dials[1].number && dials[0].isSame(dials[0]) && !dials[0].isSame(dials[1]))
        #expect(dials[0].isSame(dials[0].without([0])))
    }

    @Test("what waits for a viewer is bounded in bytes and frames")
    func bounds() throws {
        var camera = SteadyCamera()
        camera.dial()
        let queue = FrameQueue(sound: .none)
        let source = ObjectIdentifier(queue)
        queue.follow(source)
        var maker = FrameMaker()
        queue.begin(StreamDial(number: 1, streams: SteadyCamera.tracks), [], of: source)
        for index in 0..<200 {
            // All in one moment, so that time is no bound.
            _ = queue.take(
                try maker.frame(isKey: index.isMultiple(of: 10), arrivalMs: 5, bytes: 500_000), of: source)
            #expect(queue.waiting.bytes <= FrameQueue.bytesMax)
        }
        let small = FrameQueue(sound: .none)
        small.follow(source)
        small.begin(StreamDial(number: 1, streams: SteadyCamera.tracks), [], of: source)
        for index in 0..<10_000 {
            _ = small.take(try maker.frame(isKey: index.isMultiple(of: 10), arrivalMs: 5, bytes: 10), of: source)
            #expect(small.waiting.frames <= FrameQueue.framesMax)
        }
    }

    @Test("hidden, it ends and refuses viewers, drops what waits, and never shows what arrived meanwhile")
    func hidden() throws {
        var camera = SteadyCamera()
        camera.dial()
        try camera.send(30)
        let viewer = try camera.stream.subscribe(sound: .none)
        camera.stream.hide(.privacy)
        #expect(viewer.all().words == ["ended privacy"])
        #expect(viewer.all().isEmpty)
        #expect(throws: StreamRefusal.hidden(.privacy)) { try camera.stream.subscribe(sound: .none) }
        try camera.send(30)
        // It is shown from two frames in the future on: they arrived before and are handed over after.
        camera.stream.show(from: Instant(ms: camera.now + 80))
        let next = try camera.stream.subscribe(sound: .none)
        #expect(next.all().words == ["began 1"])
        camera.dial()
        try camera.send(27)
        let words = next.all().words
        // The key frame of the new dial arrived while it was hidden, so the next one is the first.
        #expect(words == ["began 2", "K", "p"], "\(words)")
        #expect(camera.stream.viewers == 1)
    }

    @Test("a new dial is a new begin; what waits of the one before is gone, and a lost link is told")
    func redial() throws {
        var camera = SteadyCamera()
        let viewer = try camera.stream.subscribe(sound: .none)
        #expect(viewer.all().isEmpty)
        camera.dial()
        try camera.send(3)
        camera.stream.lost()
        camera.stream.lost()
        try camera.send(2)
        #expect(viewer.all().words == ["began 1", "K", "p", "p", "lost"])
        let between = try camera.stream.subscribe(sound: .none)
        #expect(between.all().isEmpty)
        camera.dial()
        try camera.send(2)
        camera.stream.lost()
        camera.dial()
        try camera.send(1)
        #expect(viewer.all().words == ["began 3", "K"])
        #expect(between.all().words == ["began 3", "K"])
    }

    @Test("who lets go of a viewer has left; there are 200 at most")
    func leaving() throws {
        let camera = SteadyCamera()
        var viewers = try (0..<CameraStream.viewersMax).map { _ in try camera.stream.subscribe(sound: .stored) }
        #expect(throws: StreamRefusal.full) { try camera.stream.subscribe(sound: .none) }
        #expect(camera.stream.wantsStoredSound)
        viewers[0].leave()
        #expect(viewers[0].all().words == ["ended left"])
        #expect(camera.stream.viewers == CameraStream.viewersMax - 1)
        viewers = []
        #expect(camera.stream.viewers == 0 && !camera.stream.wantsStoredSound)
    }

    @Test("a viewer that waits is woken by what comes, by the end, and by being cancelled")
    func waiting() async throws {
        var camera = SteadyCamera()
        camera.dial()
        let viewer = try camera.stream.subscribe(sound: .none)
        let reading = Task {
            var words: [String] = []
            for await item in viewer { words += [item].words }
            return words
        }
        try camera.send(3)
        while !viewer.isRead { await Task.yield() }
        camera.stream.endViewers(.removed)
        #expect(await reading.value == ["began 1", "K", "p", "p", "ended removed"])
        let other = try camera.stream.subscribe(sound: .none)
        let waiting = Task { () -> Int in
            var count = 0
            for await _ in other { count += 1 }
            return count
        }
        while !other.isRead { await Task.yield() }
        waiting.cancel()
        #expect(await waiting.value == 4)
    }

    @Test("a viewer gets the form of sound that it wants")
    func sound() throws {
        let stream = CameraStream()
        stream.show(from: Instant(ms: 0))
        func parameters(_ codec: TrackCodec) -> TrackParameters {
            TrackParameters(kind: .audio, codec: codec, sampleRate: 8_000, channels: 1, timescale: 8_000)
        }
        stream.began([
            StreamDescription(
                ordinal: 0, kind: .audio, sourceCodec: "PCMU", parameters: parameters(.pcmu), ignored: nil),
            StreamDescription(
                ordinal: 1, kind: .audio, sourceCodec: "PCMU", parameters: parameters(.aac), ignored: nil, madeFrom: 0),
        ])
        let viewers = try SoundForm.allCases.map { try stream.subscribe(sound: $0) }
        var builder = FrameBuilder(pool: SlabPool())
        for (track, codec) in [(0, TrackCodec.pcmu), (1, .aac)] {
            let frame = [UInt8](repeating: 1, count: 160).withUnsafeBytes {
                builder.frame(
                    track: track, kind: .audio, dts: 0, isKey: true, arrival: Instant(ms: 1),
                    configuration: TrackConfiguration(id: 0, parameters: parameters(codec)), bytes: $0)
            }
            stream.frame(try #require(frame))
        }
        let codecs = viewers.map { $0.all().frames.map(\.configuration.parameters.codec) }
        // A packet of 20 ms is not yet one of Opus: the resampler holds some of it.
        #expect(codecs == [[], [.pcmu], [.aac], []])
    }
}
