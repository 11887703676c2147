import CLibav
import Glibc
import Machines

/// The built-in demo camera, read like any other: it draws, encodes and delivers in real time. At each full second of the
/// wall clock the picture flashes and a beep sounds.
final class DemoReader: InputReader {
    private static let audioRate = 16_000
    private static let audioFrame = 1024

    private let options: DemoOptions
    private let sink: any InputSink
    private let pool: SlabPool
    private let limits: InputLimits
    private let stop: StopSignal
    private var context: DialContext?
    private var video: FileVideo?
    private var audio: AudioTrack?
    private var lastMovedMs: Int64 = .min

    var counts: InputCounts { context?.counts ?? InputCounts() }

    init(options: DemoOptions, sink: any InputSink, pool: SlabPool, limits: InputLimits, stop: StopSignal) {
        self.options = options
        self.sink = sink
        self.pool = pool
        self.limits = limits
        self.stop = stop
    }

    func run() throws(InputFault) -> Never {
        guard let encoder = DemoEncoder(options) else {
            throw .failed(.unsupported, "libavcodec has no H.264 encoder for the demo camera")
        }
        let sound = options.hasAudio ? LibavCodec(aacSampleRate: DemoReader.audioRate, channels: 1) : nil
        describe(sound)
        let scene = DemoScene(options)
        let perSecond = Int64(options.framesPerSecond)
        // Pictures are taken on the grid of the wall clock's seconds, so that the flash is at the second.
        let wallBegin = DemoReader.wallMs() / 1000 * 1000
        let begin = BootClock.nowMs() - DemoReader.wallMs() % 1000
        var number = (BootClock.nowMs() - begin) * perSecond / 1000 + 1
        var samples = number * Int64(DemoReader.audioRate) / perSecond
        let first = number
        while true {
            let ms = number * 1000 / perSecond
            if stop.wait(ms: begin + ms - BootClock.nowMs()) { throw .stopped }
            // After a halt of the machine what was missed is left out: time goes on, as with a camera.
            let late = BootClock.nowMs() - begin - ms
            if late > 2_000 {
                number += late * perSecond / 1000
                samples = number * Int64(DemoReader.audioRate) / perSecond
            }
            take(number, first: first, begin: begin, wallMs: wallBegin + number * 1000 / perSecond, scene, encoder)
            if let sound { beep(&samples, until: (number + 1) * Int64(DemoReader.audioRate) / perSecond, sound) }
            context?.tellRepairs(at: BootClock.now())
            number += 1
        }
    }

    func finish() {
        video?.flush()
        context?.tellRepairs(at: BootClock.now(), isEnd: true)
    }

    private func describe(_ sound: LibavCodec?) {
        var clocks = [Timeline.Clock(kind: .video, timescale: VideoTrack.timescale, bits: 64)]
        var streams = [
            StreamDescription(ordinal: 0, kind: .video, sourceCodec: "H264", parameters: nil, ignored: nil)
        ]
        let parameters = sound.map {
            TrackParameters(
                kind: .audio, codec: .aac, codecConfiguration: $0.extradata, sampleRate: DemoReader.audioRate,
                channels: 1,
                timescale: Int32(DemoReader.audioRate), primingSamples: $0.initialPadding)
        }
        if let parameters {
            clocks.append(Timeline.Clock(kind: .audio, timescale: parameters.timescale, bits: 64))
            streams.append(
                StreamDescription(ordinal: 1, kind: .audio, sourceCodec: "AAC", parameters: parameters, ignored: nil))
        }
        let context = DialContext(sink: sink, pool: pool, limits: limits, clocks: clocks)
        for ordinal in clocks.indices { context.timeline.setZero(0, track: ordinal) }
        self.context = context
        let sets = ParameterSetStore(codec: .h264)
        video = FileVideo(ordinal: 0, codec: .h264, sets: sets, lengthBytes: nil, context: context)
        audio = parameters.map { AudioTrack(ordinal: 1, parameters: $0, context: context) }
        sink.dialed(streams)
    }

    private func take(
        _ number: Int64, first: Int64, begin: Int64, wallMs: Int64, _ scene: DemoScene, _ encoder: DemoEncoder
    ) {
        let perSecond = Int64(options.framesPerSecond)
        let sceneMs = (number - first) * 1000 / perSecond
        let now = BootClock.now()
        encoder.encode(number - first) { frame in
            guard let luma = frame.pointee.data.0, let blue = frame.pointee.data.1, let red = frame.pointee.data.2
            else { return }
            scene.draw(
                at: sceneMs, wallMs: wallMs, luma: luma, lumaStride: Int(frame.pointee.linesize.0),
                chroma: (blue, red), chromaStride: Int(frame.pointee.linesize.1))
        } emit: { bytes, pts in
            let ticks = (pts + first) * Int64(VideoTrack.timescale) / perSecond
            let duration = Int64(VideoTrack.timescale) / perSecond
            video?.accept(bytes, PacketContext(stamp: ticks, arrival: now), durationTicks: duration)
        }
        if options.tellsMovement, let figure = DemoScene.figure(at: sceneMs), figure.across >= DemoScene.seenFrom,
            now.ms - 1_000 >= lastMovedMs
        {
            lastMovedMs = now.ms
            sink.moved(level: figure.level, at: now)
        }
    }

    /// A quiet hum, and a beep in the first tenth of each second. `samples` counts from the second that `begin` is in.
    private func beep(_ samples: inout Int64, until end: Int64, _ sound: LibavCodec) {
        let rate = Int64(DemoReader.audioRate)
        while samples + Int64(DemoReader.audioFrame) <= end {
            let begin = samples
            let wave = (0..<Int64(DemoReader.audioFrame)).map { index -> Int16 in
                let sample = begin + index
                let isBeep = sample % rate < rate * DemoScene.flashMs / 1000
                let angle = Double(sample % rate) * 2 * Double.pi / Double(rate)
                return Int16(isBeep ? sin(angle * 880) * 6000 : sin(angle * 100) * 120)
            }
            sound.encode(wave[...], channels: 1, pts: begin)
            samples += Int64(DemoReader.audioFrame)
            let now = BootClock.now()
            sound.receive { bytes, pts in
                audio?.accept(
                    bytes, PacketContext(stamp: pts, arrival: now), durationTicks: Int64(DemoReader.audioFrame))
            }
        }
    }

    private static func wallMs() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
