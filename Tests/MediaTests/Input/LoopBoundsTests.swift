import Foundation
import Glibc
import Machines
import RandomSource
import Testing

@testable import Media

@Suite("Bounds of loops")
struct LoopBoundsTests {
    /// Gives bytes in pieces, as a socket might.
    private final class Pieces: ByteTransport {
        private var rest: ArraySlice<UInt8>
        private let step: Int
        let peer: SocketAddress? = nil
        let mayHaveMore = false

        init(_ bytes: [UInt8], step: Int) {
            rest = bytes[...]
            self.step = step
        }

        func read(into buffer: UnsafeMutableRawBufferPointer, deadline: Int64) throws(InputFault) -> Int? {
            let piece = rest.prefix(min(step, buffer.count))
            rest = rest.dropFirst(piece.count)
            buffer.copyBytes(from: piece)
            return piece.isEmpty ? nil : piece.count
        }

        func gather(bytes: Int32, deadline: Int64) throws(InputFault) {}
        func write(_ bytes: [UInt8], deadline: Int64) throws(InputFault) {}
        func boundUnsent(bytes: Int32, ms: Int32) {}
    }

    /// What a connection makes of bytes that come in pieces: packets as their channel, messages as their status or method.
    private static func items(
        _ bytes: [UInt8], step: Int, stop: StopSignal = StopSignal(), channels: [UInt8] = []
    ) throws -> [String] {
        let connection = RTSPConnection(
            transport: Pieces(bytes, step: step), answerBytesMax: 64 << 10,
            bounds: LoopBounds(stop: stop, limits: InputLimits()))
        for channel in channels { connection.expect(channel: channel) }
        var found: [String] = []
        while true {
            switch try connection.next() {
            case .packet(let channel, let bytes): found.append("packet \(channel) of \(bytes.count)")
            case .message(let message):
                let body = message.body.isEmpty ? "" : " + \(message.body.count)"
                found.append((message.status.map { "\($0)" } ?? message.phrase) + body)
            case nil: if try !connection.fill(deadline: 0) { return found }
            }
        }
    }

    @Test("A bad head is passed over whole, and what follows it is found, in whatever pieces it comes (H2)")
    func badHead() throws {
        let packet: [UInt8] = [UInt8(ascii: "$"), 2, 0, 3, 0x80, 8, 9]
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        let answer = text("RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 4\r\n\r\nbody")
        let lines = String(repeating: "ABC: d\r\n", count: 2_000)
        let cases: [(bytes: [UInt8], wanted: [String])] = [
            // A head of another protocol whose lines begin like heads themselves.
            (text("HTTP/1.1 200 OK\r\n" + lines + "\r\n") + answer, ["200 + 4"]),
            // An answer without a status, and without carriage returns.
            (text("RTSP/1.0 what\nA: b\n\n") + answer, ["200 + 4"]),
            // Stray bytes, some of which begin like a head.
            (
                packet + text("xX") + [0, 200] + packet + text("ABC DEF") + packet + answer,
                ["packet 2 of 3", "packet 2 of 3", "packet 2 of 3", "200 + 4"]
            ),
            (text("OPTIONS * RTSP/1.0\r\n\r\n") + packet, ["OPTIONS", "packet 2 of 3"]),
            // A word that is no method.
            (text(String(repeating: "A", count: 500)) + packet, ["packet 2 of 3"]),
        ]
        for (bytes, wanted) in cases {
            for step in [1, 2, 3, 7, 1_000, 100_000] {
                #expect(try Self.items(bytes, step: step) == wanted, "in pieces of \(step)")
            }
        }
    }

    @Test("Stray bytes beyond as many that are packets are garbage; fewer are passed over for ever (H2)")
    func strays() throws {
        let packet: [UInt8] = [UInt8(ascii: "$"), 2, 0, 16, 0x80] + [UInt8](repeating: 1, count: 15)
        let lineEnd: [UInt8] = [0x0D, 0x0A, 0, 0]
        let few = (0..<9_000).flatMap { _ in lineEnd + packet }
        #expect(try Self.items(few, step: 5_000).count == 9_000)
        let zeros = [UInt8](repeating: 0, count: 30)
        let many = (0..<9_000).flatMap { _ in zeros + packet }
        #expect(throws: InputFault.failed(.garbage, "what answers does not speak RTSP")) {
            try Self.items(many, step: 5_000)
        }
        let head = Array(("RTSP/1.0 200 OK\r\n" + String(repeating: "X: y\r\n", count: 12_000) + "\r\n").utf8)
        for step in [1, 1_000, 100_000] {
            #expect(throws: InputFault.failed(.garbage, "what answers does not speak RTSP")) {
                try Self.items(head, step: step)
            }
        }
    }

    @Test("Packets of random contents are packets, in whatever pieces they come: their camera speaks RTSP (H2)")
    func noise() throws {
        var random = SeededGenerator(seed: 3)
        let packets = (0..<400).map { _ in
            let length = Int.random(in: 1...1_400, using: &random)
            return [0x24, UInt8.random(in: 0...3, using: &random), UInt8(length >> 8), UInt8(length & 0xFF)]
                + (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let bytes = packets.flatMap { $0 }
        for step in [1_404, 7_000, 40_000, 1 << 20] {
            let items = try Self.items(bytes, step: step, channels: [0, 1])
            // What looks like the head of a good packet in one of them may be taken for it.
            #expect(items.count > packets.count * 8 / 10, "in pieces of \(step)")
            #expect(items.allSatisfy { $0.hasPrefix("packet") })
        }
    }

    @Test("A loop that reads RTSP ends when it is stopped, also while something is always there (H2)")
    func stopped() throws {
        let stop = StopSignal()
        stop.raise()
        #expect(throws: InputFault.stopped) { try Self.items([1, 2, 3], step: 1, stop: stop) }
    }

    @Test("A thread may take its share for ever, and more for a while; what is beyond is told (H1)")
    func budget() {
        func exceeds(percent: Int64, burstMs: Int64, _ turns: [(wallMs: Int64, usedMs: Int64)]) -> Bool {
            var budget = ProcessorBudget(percent: percent, burstMs: burstMs)
            var now: (wallUs: Int64, usedUs: Int64) = (5_000_000, 1_000_000)
            var isExceeded = budget.isExceeded(wallUs: now.wallUs, usedUs: now.usedUs)
            for turn in turns {
                now = (now.wallUs + turn.wallMs * 1_000, now.usedUs + turn.usedMs * 1_000)
                isExceeded = budget.isExceeded(wallUs: now.wallUs, usedUs: now.usedUs) || isExceeded
            }
            return isExceeded
        }
        let fair = Array(repeating: (wallMs: Int64(20), usedMs: Int64(5)), count: 100_000)
        #expect(!exceeds(percent: 25, burstMs: 2_500, fair))
        let more = Array(repeating: (wallMs: Int64(20), usedMs: Int64(6)), count: 100_000)
        #expect(exceeds(percent: 25, burstMs: 2_500, more))
        #expect(!exceeds(percent: 0, burstMs: 2_500, more))
        // All of it: after a third more than the burst.
        #expect(!exceeds(percent: 25, burstMs: 2_500, Array(repeating: (wallMs: 10, usedMs: 10), count: 333)))
        #expect(exceeds(percent: 25, burstMs: 2_500, Array(repeating: (wallMs: 10, usedMs: 10), count: 334)))
        // A burst is given back by the time that passes.
        let pulse: [(wallMs: Int64, usedMs: Int64)] = [(2_000, 2_000), (8_000, 0)]
        let bursts = (0..<1_000).flatMap { _ in pulse }
        #expect(!exceeds(percent: 25, burstMs: 2_500, bursts))
    }

    @Test("A camera that keeps the thread busy is hung up as over its budget, while dialled and while it plays (H1)")
    func busy() throws {
        let requests = Array(String(repeating: "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", count: 1_000).utf8)
        for plays in [false, true] {
            let peer = try HostilePeer { line in
                guard !plays || line.play() else { return }
                // Its answers are read, so that nobody waits for room.
                Thread.detachNewThread { while recv(line.descriptor, nil, 1 << 20, Int32(MSG_TRUNC)) > 0 {} }
                while line.send(requests) {}
            }
            defer { peer.stop() }
            var limits = InputLimits()
            limits.dialMs = 600_000
            limits.silenceMs = 600_000
            limits.processorPercentMax = 1
            limits.processorBurstMs = 100
            let sink = CollectingSink()
            let address = try RTSPAddress("rtsp://127.0.0.1:\(peer.port)/live")
            let input = Input(name: "busy", source: .rtsp(address), limits: limits, pool: SlabPool(), sink: sink)
            input.start()
            // As long as it takes to get 1 % of a processor and a tenth of a second.
            #expect(sink.wait(seconds: 600) { !$0.ends.isEmpty })
            input.stop()
            guard case .failed(.budget, let detail)? = sink.seen.ends.first else {
                Issue.record("it ends for its budget: \(sink.seen.ends)")
                continue
            }
            #expect(detail.contains("1 % of a processor"))
            #expect(sink.seen.dialedCount == (plays ? 1 : 0))
        }
    }

    @Test("Who sends datagrams without end gets a bounded number taken at a time; empty ones count (H2)")
    func datagrams() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var target = SocketAddress(storage: sockaddr_storage(), length: socklen_t(MemoryLayout<sockaddr_in>.size))
        withUnsafeMutableBytes(of: &target.storage) { storage in
            withUnsafeBytes(of: address) { storage.copyMemory(from: $0) }
        }
        let pair = try DatagramPair.open(peer: target)
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        for number in 0..<30 {
            let sent = target.with(port: pair.port).withPointer {
                sendto(socket, [UInt8(number)], number % 3 == 0 ? 0 : 1, 0, $0, $1)
            }
            #expect(sent >= 0)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)
        defer { buffer.deallocate() }
        var seen: [UInt8] = []
        let counts = (0..<3).map { _ in pair.receive(pair.packets, into: buffer, atMost: 20) { seen += $0 } }
        #expect(counts == [20, 10, 0])
        #expect(seen == (0..<30).filter { $0 % 3 != 0 })
    }
}
