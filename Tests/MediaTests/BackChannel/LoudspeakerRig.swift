import Foundation
import Synchronization
import Testing

@testable import Media

/// A camera with a loudspeaker: Tests/rig/loudspeaker.py, or another program that prints its address likewise.
final class LoudspeakerRig {
    struct DidNotStart: Error {}

    /// What the camera says of its talkers.
    struct Told: Decodable {
        struct Talk: Decodable {
            let payloadType: Int
            let packets: Int
            let wrong: [String]
            let seconds, spoken, holes, tone, widest: Double
        }

        let connections: Int
        let asked, complaints: [String]
        let talks: [Talk]
    }

    let address: RTSPAddress
    private let process = Process()
    private let input = Pipe()
    private var lines: LineReader

    init(_ arguments: String..., program: String = "loudspeaker.py") throws {
        process.executableURL = URL(fileURLWithPath: ConformanceRig.program)
        process.arguments = [ConformanceRig.root.appendingPathComponent("Tests/rig/\(program)").path] + arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        lines = LineReader(handle: output.fileHandleForReading)
        guard let line = lines.next(), line.hasPrefix("camera "), lines.next() == "ready" else { throw DidNotStart() }
        address = try RTSPAddress(String(line.dropFirst(7)))
    }

    func told() throws -> Told {
        try input.fileHandleForWriting.write(contentsOf: Data("told\n".utf8))
        guard let line = lines.next() else { throw DidNotStart() }
        return try JSONDecoder().decode(Told.self, from: Data(line.utf8))
    }

    /// The same, as soon as `holds` holds of it, or after a deadline.
    func told(when holds: (Told) -> Bool) throws -> Told {
        let deadline = BootClock.nowMs() + 60_000
        while true {
            let told = try told()
            if holds(told) || BootClock.nowMs() > deadline { return told }
            usleep(20_000)
        }
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// What a back channel tells, with a wait that has a deadline.
final class BackChannelEvents: Sendable {
    private let events = Mutex<[BackChannel.Event]>([])

    var all: [BackChannel.Event] { events.withLock { $0 } }
    var format: String? { all.compactMap { if case .ready(let format) = $0 { format } else { nil } }.first }
    var end: (end: InputEnd, counts: BackChannel.Counts)? {
        for case .ended(let end, let counts) in all { return (end, counts) }
        return nil
    }

    func take(_ event: BackChannel.Event) { events.withLock { $0.append(event) } }

    func wait(_ holds: (BackChannelEvents) -> Bool) -> Bool {
        let deadline = BootClock.nowMs() + 60_000
        while BootClock.nowMs() < deadline {
            if holds(self) { return true }
            usleep(5_000)
        }
        return holds(self)
    }
}

/// A tone of 440 Hz as a talker would send it, in packets of 20 ms.
enum SpokenTone {
    /// In Opus, made by libopus.
    static func opus(seconds: Int, channels: Int = 1) throws -> [SpokenPacket] {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let file = maker.path("tone.ogg")
        try maker.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=f=440:r=48000", "-t", "\(seconds)", "-ac", "\(channels)",
                "-c:a",
                "libopus", "-frame_duration", "20", file,
            ])
        let payloads = pages(try Data(contentsOf: URL(fileURLWithPath: file)))
        return packets(.opus, payloads.dropFirst(2), ticks: 960)
    }

    /// In G.711.
    static func g711(_ coding: SpokenPacket.Coding, seconds: Int) -> [SpokenPacket] {
        let law: G711.Law = coding == .pcmu ? .mu : .a
        let step: Double = 2 * Double.pi * 440 / 8_000
        var payloads: [[UInt8]] = []
        for packet in 0..<seconds * 50 {
            payloads.append(
                (packet * 160..<packet * 160 + 160).map { (index: Int) -> UInt8 in
                    G711.encode(Int16(8_000 * sin(Double(index) * step)), law)
                })
        }
        return packets(coding, payloads[...], ticks: 160)
    }

    private static func packets(
        _ coding: SpokenPacket.Coding, _ payloads: ArraySlice<[UInt8]>, ticks: Int
    ) -> [SpokenPacket] {
        // Both counters go round on the way.
        payloads.enumerated().map { index, payload in
            SpokenPacket(
                coding, sequence: 65_500 &+ UInt16(truncatingIfNeeded: index),
                stamp: 0xFFFF_8000 &+ UInt32(truncatingIfNeeded: index * ticks), source: 7, payload: payload)
        }
    }

    /// The packets of an Ogg file (RFC 3533, 6).
    private static func pages(_ data: Data) -> [[UInt8]] {
        let bytes = [UInt8](data)
        var (at, packets, part) = (0, [[UInt8]](), [UInt8]())
        while at + 27 <= bytes.count {
            let count = Int(bytes[at + 26])
            var body = at + 27 + count
            for size in bytes[at + 27..<at + 27 + count] {
                part += bytes[body..<body + Int(size)]
                body += Int(size)
                guard size < 255 else { continue }
                packets.append(part)
                part = []
            }
            at = body
        }
        return packets
    }
}
