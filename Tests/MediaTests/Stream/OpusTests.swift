import CLibav
import Foundation
import Machines
import Synchronization
import Testing

@testable import Media

/// A camera that sends sound alone, by hand. Used by one thread.
private struct SoundCamera {
    let stream = CameraStream()
    let configuration: TrackConfiguration
    /// Whether what it sends is said to be silence, because the microphone is off.
    var isSilent = false
    private var builder = FrameBuilder(pool: SlabPool())

    init(_ parameters: TrackParameters, sourceCodec: String = "sound") {
        configuration = TrackConfiguration(id: 0, parameters: parameters)
        stream.show(from: Instant(ms: 0))
        dial()
    }

    func dial() {
        stream.began([
            StreamDescription(
                ordinal: 0, kind: .audio, sourceCodec: "sound", parameters: configuration.parameters, ignored: nil)
        ])
    }

    /// Sends a packet, which arrives when its time says.
    mutating func send(_ bytes: UnsafeRawBufferPointer, pts: Int64) throws {
        let ms = 10_000 + pts * 1_000 / Int64(configuration.parameters.timescale)
        let built = builder.frame(
            track: 0, kind: .audio, dts: pts, isKey: true, arrival: Instant(ms: ms), configuration: configuration,
            bytes: bytes)
        var frame = try #require(built)
        frame.isSilence = isSilent
        stream.frame(frame)
    }

    /// Sends samples as linear PCM in packets of 20 ms; `from` is the time of the first.
    mutating func send(_ samples: [Int16], from: Int64) throws {
        let size = configuration.parameters.sampleRate / 50 * configuration.parameters.channels
        for begin in stride(from: 0, to: samples.count - size + 1, by: size) {
            let bytes = samples[begin..<begin + size].flatMap {
                [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
            }
            try bytes.withUnsafeBytes {
                try send($0, pts: from + Int64(begin / configuration.parameters.channels))
            }
        }
    }
}

/// What a viewer hears.
private struct Heard {
    var samples: [Int16] = []
    let channels: Int
    /// The time of each packet, in ticks of 48 kHz.
    var times: [Int64] = []

    /// Decodes what waits for a viewer, as another end would.
    init(_ viewer: StreamViewer, channels: Int = 1) throws {
        self.channels = channels
        let decoder = try #require(
            LibavCodec(decoder: AV_CODEC_ID_OPUS, sampleRate: 48_000, channels: channels, bitsPerSample: 0))
        for frame in viewer.all().frames {
            #expect(
                frame.configuration.parameters.codec == .opus && frame.configuration.parameters.channels == channels)
            times.append(frame.pts)
            let isDecoded = frame.withBytes { decoder.decode($0, into: &samples) }
            #expect(isDecoded)
        }
        #expect(samples.count == times.count * 960 * channels)
    }

    var loudest: Int { samples.map { abs(Int($0)) }.max() ?? 0 }

    /// The second at which it becomes loud, on the camera's time line.
    var onset: Double? {
        guard let first = times.first, let index = samples.firstIndex(where: { abs(Int($0)) > 3_000 }) else {
            return nil
        }
        return Double(first + Int64(index / channels)) / 48_000
    }

    /// Hertz, of the last half second.
    var frequency: Double {
        let end = Array(samples.suffix(24_000))
        return Double(zip(end, end.dropFirst()).count { $0 < 0 && $1 >= 0 }) * 2
    }
}

@Suite("Opus for viewers")
struct OpusTests {
    /// A tone that begins at a sample; silence before.
    private static func tone(
        _ hertz: Double = 440, rate: Int, seconds: Double, begins: Int = 0, channels: Int = 1
    ) -> [Int16] {
        (0..<Int(Double(rate) * seconds)).flatMap { index -> [Int16] in
            let value = 12_000 * sin(2 * .pi * hertz * Double(index) / Double(rate))
            return [Int16](repeating: index < begins ? 0 : Int16(value), count: channels)
        }
    }

    private static func linear(_ rate: Int, channels: Int = 1) -> TrackParameters {
        TrackParameters(kind: .audio, codec: .l16, sampleRate: rate, channels: channels, timescale: Int32(rate))
    }

    @Test(
        "linear PCM and G.711 are heard as they were, in frequency and in time",
        arguments: [(8_000, 1), (16_000, 1), (44_100, 1), (48_000, 2)])
    func linear(_ rate: Int, _ channels: Int) throws {
        var camera = SoundCamera(Self.linear(rate, channels: channels))
        let viewer = try camera.stream.subscribe(sound: .opus)
        let begins = rate + 777
        let samples = Self.tone(rate: rate, seconds: 3, begins: begins, channels: channels)
        // Anywhere on the camera's time line.
        try camera.send(samples, from: Int64(rate) * 7)
        let heard = try Heard(viewer, channels: channels)
        #expect(zip(heard.times, heard.times.dropFirst()).allSatisfy { $1 - $0 == 960 })
        #expect(heard.times.count >= 147)
        let onset = try #require(heard.onset)
        #expect(abs(onset - 7 - Double(begins) / Double(rate)) < 0.002, "\(onset)")
        if channels == 1 { #expect(abs(heard.frequency - 440) <= 4, "\(heard.frequency)") }
    }

    @Test("AAC is heard as it was, in frequency and in time", arguments: [8_000, 16_000, 44_100, 48_000])
    func aac(_ rate: Int) throws {
        let codec = try #require(LibavCodec(aacSampleRate: rate, channels: 1))
        let encoder = SampleEncoder(codec, sampleRate: rate, channels: 1, frameSamples: 1_024)
        var camera = SoundCamera(
            TrackParameters(
                kind: .audio, codec: .aac, codecConfiguration: codec.extradata, sampleRate: rate, channels: 1,
                timescale: Int32(rate)))
        let viewer = try camera.stream.subscribe(sound: .opus)
        var packets: [(bytes: [UInt8], pts: Int64)] = []
        let samples = Self.tone(rate: rate, seconds: 3, begins: rate)
        encoder.encode(samples[...], pts: 0) { bytes, pts, _ in packets.append((Array(bytes), pts)) }
        for packet in packets { try packet.bytes.withUnsafeBytes { try camera.send($0, pts: packet.pts) } }
        let heard = try Heard(viewer)
        #expect(zip(heard.times, heard.times.dropFirst()).allSatisfy { $1 - $0 == 960 })
        let onset = try #require(heard.onset)
        #expect(abs(onset - 1) < 0.008, "\(onset)")
        #expect(abs(heard.frequency - 440) <= 4, "\(heard.frequency)")
    }

    @Test("it does not drift, a hole stays a hole in time, and sound that comes too often is cut")
    func time() throws {
        var camera = SoundCamera(Self.linear(16_000))
        let viewer = try camera.stream.subscribe(sound: .opus)
        let second = Self.tone(rate: 16_000, seconds: 1)
        var times: [Int64] = []
        for index in 0..<60 {
            try camera.send(second, from: Int64(index) * 16_000)
            times += viewer.all().frames.map(\.pts)
        }
        #expect(abs((times.last ?? 0) - 60 * 48_000) < 3_000)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 960 })
        try camera.send(second, from: 100 * 16_000)
        var heard = try Heard(viewer)
        // One packet has the end of what was before, by what the encoder delays, and its time; the next one is of the new run alone.
        #expect(heard.times.contains(100 * 48_000 - 312 + 960), "\(heard.times.prefix(3))")
        // Twice as much sound as time passes.
        for index in 0..<100 {
            try camera.send(Array(second.prefix(640)), from: 101 * 16_000 + Int64(index) * 320)
        }
        heard = try Heard(viewer)
        #expect(abs((heard.times.last ?? 0) - 103 * 48_000) < 9_600, "\(heard.times.suffix(2))")
    }

    @Test("there is one coder for all who want Opus, while somebody does")
    func one() throws {
        var camera = SoundCamera(Self.linear(16_000))
        let second = Self.tone(rate: 16_000, seconds: 1)
        let other = try camera.stream.subscribe(sound: .original)
        try camera.send(second, from: 0)
        #expect(!camera.stream.makesOpus && other.all().frames.allSatisfy { $0.configuration.parameters.codec == .l16 })
        var viewers = try (0..<3).map { _ in try camera.stream.subscribe(sound: .opus) }
        try camera.send(second, from: 16_000)
        #expect(camera.stream.makesOpus)
        let frames = viewers.map { $0.all().frames }
        #expect(frames[0].count > 45 && frames.allSatisfy { $0.count == frames[0].count })
        // They are the same bytes, not equal ones.
        for index in frames[0].indices {
            #expect(
                frames.allSatisfy {
                    $0[index].storage === frames[0][index].storage && $0[index].offset == frames[0][index].offset
                })
        }
        viewers.removeLast(2)
        try camera.send(second, from: 32_000)
        #expect(camera.stream.makesOpus && viewers[0].all().frames.count > 45)
        viewers = []
        try camera.send(Array(second.prefix(320)), from: 48_000)
        #expect(!camera.stream.makesOpus)
        withExtendedLifetime(other) {}
    }

    @Test(
        "no sound of before comes out once it was hidden, unwanted, dialled anew, or the microphone is off (S7)",
        arguments: ["hidden", "unwanted", "silent", "dialled"])
    func anew(_ how: String) throws {
        // 44.1 kHz: some of a packet always waits for the next one.
        var camera = SoundCamera(Self.linear(44_100))
        var viewer = try camera.stream.subscribe(sound: .opus)
        let loud = Self.tone(rate: 44_100, seconds: 1)
        try camera.send(loud, from: 0)
        #expect(try Heard(viewer).loudest > 10_000)
        switch how {
        case "hidden":
            camera.stream.hide(.privacy)
            camera.stream.show(from: Instant(ms: 11_000))
            viewer = try camera.stream.subscribe(sound: .opus)
        case "unwanted":
            try viewer.move(to: camera.stream, sound: .none)
            try viewer.move(to: camera.stream, sound: .opus)
        case "silent": camera.isSilent = true
        default: camera.dial()
        }
        // It follows at once, so that nothing but this tells it from what goes on.
        try camera.send([Int16](repeating: 0, count: 44_100), from: 44_100 + 882)
        let heard = try Heard(viewer)
        #expect(heard.times.count > 40 && heard.loudest < 10, "\(heard.loudest)")
    }

    @Test("Opus that the camera sends is copied, and G.711 is not Opus to whoever wants it as it comes")
    func copied() throws {
        let parameters = TrackParameters(
            kind: .audio, codec: .opus, codecConfiguration: OpusPacket.head(channels: 1), sampleRate: 48_000,
            channels: 1,
            timescale: 48_000)
        var camera = SoundCamera(parameters)
        let viewer = try camera.stream.subscribe(sound: .opus)
        let bytes: [UInt8] = [0xFC, 0xFF, 0xFE]
        try bytes.withUnsafeBytes { try camera.send($0, pts: 960) }
        let frames = viewer.all().frames
        #expect(frames.map(\.pts) == [960] && frames.first?.withBytes { Array($0) } == bytes)
        #expect(!camera.stream.makesOpus)
        // What clips hold is not what is made for viewers.
        let stored = try SoundCamera(Self.linear(8_000)).stream.subscribe(sound: .stored)
        guard case .began(let dial)? = stored.all().first else { throw TestFailure() }
        #expect(dial.tracks.isEmpty)
    }

    @Test("where Opus cannot be made the reason is told, once a dial, and everything else goes on")
    func unmade() throws {
        let told = Mutex<[String]>([])
        // An access unit that ends before it has begun holds no sound.
        let none: [UInt8] = [0xE0]
        var camera = SoundCamera(
            TrackParameters(
                kind: .audio, codec: .aac, codecConfiguration: [0x14, 0x08], sampleRate: 16_000, channels: 1,
                timescale: 16_000))
        camera.stream.onUnmade { why in told.withLock { $0.append(why) } }
        let viewer = try camera.stream.subscribe(sound: .opus)
        let original = try camera.stream.subscribe(sound: .original)
        for dial in 1...2 {
            var count = 0
            for index in 0..<200 {
                try none.withUnsafeBytes { try camera.send($0, pts: Int64(index) * 1_024) }
                count += original.all().frames.count
                #expect(viewer.all().frames.isEmpty)
                // Whoever comes then wants what cannot be made, too.
                if index == 100 {
                    try viewer.move(to: camera.stream, sound: .none)
                    try viewer.move(to: camera.stream, sound: .opus)
                }
            }
            #expect(count == 200)
            #expect(told.withLock { $0.count } == dial)
            camera.dial()
        }
        var parameters = Self.linear(8_000)
        parameters.sampleRate = 0
        var broken = SoundCamera(parameters)
        broken.stream.onUnmade { why in told.withLock { $0.append(why) } }
        let other = try broken.stream.subscribe(sound: .opus)
        for index in 0..<3 { try none.withUnsafeBytes { try broken.send($0, pts: Int64(index)) } }
        #expect(
            told.withLock { $0.suffix(2) } == [
                "50 packets of it in a row could not be turned into Opus", "Opus cannot be made of this l16",
            ])
        withExtendedLifetime(other) {}
    }

    private struct TestFailure: Error {}
}
