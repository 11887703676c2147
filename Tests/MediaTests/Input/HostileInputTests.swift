import Foundation
import Glibc
import Machines
import Testing

@testable import Media

@Suite("Hostile sources", .serialized)
struct HostileInputTests {
    /// What is sent without end.
    enum Flood: String, CaseIterable {
        case answers, requests, heads, bytes, letters, lines, packets

        var chunk: [UInt8] {
            switch self {
            case .answers: Self.many("RTSP/1.0 200 OK\r\nCSeq: 987654\r\n\r\n")
            case .requests: Self.many("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n")
            case .heads:
                Array(
                    ("RTSP/1.0 200 OK\r\nCSeq: 9876\r\n" + String(repeating: "X: y\r\n", count: 10_000) + "\r\n").utf8)
            case .bytes: (0..<60_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
            case .letters: Array(String(repeating: "A", count: 60_000).utf8)
            case .lines: Array(String(repeating: "A\n", count: 30_000).utf8)
            case .packets: (0..<1_000).flatMap { _ in [UInt8(ascii: "$"), 7, 0, 4, 1, 2, 3, 4] }
            }
        }

        private static func many(_ text: String) -> [UInt8] {
            Array(String(repeating: text, count: 60_000 / text.utf8.count).utf8)
        }
    }

    private static func input(_ port: UInt16, _ limits: InputLimits) throws -> (Input, CollectingSink) {
        let address = try RTSPAddress("rtsp://127.0.0.1:\(port)/live")
        let sink = CollectingSink()
        return (Input(name: "hostile", source: .rtsp(address), limits: limits, pool: SlabPool(), sink: sink), sink)
    }

    @Test("end by the deadline of the dial, whatever comes instead of an answer (H2)", arguments: Flood.allCases)
    func deadline(flood: Flood) throws {
        let chunk = flood.chunk
        let peer = try HostilePeer { line in while line.send(chunk) {} }
        defer { peer.stop() }
        var limits = InputLimits()
        limits.dialMs = 500
        let (input, sink) = try Self.input(peer.port, limits)
        input.start()
        #expect(sink.wait { !$0.ends.isEmpty })
        input.stop()
        guard case .failed(let failure, _)? = sink.seen.ends.first else {
            Issue.record("it ends by itself: \(sink.seen.ends)")
            return
        }
        #expect([.garbage, .timeout].contains(failure), "\(failure)")
        #expect(sink.seen.dialedCount == 0)
    }

    @Test("end when they are stopped in the middle of a flood, while dialled (H2)", arguments: Flood.allCases)
    func stopped(flood: Flood) throws {
        let chunk = flood.chunk
        let peer = try HostilePeer { line in while line.send(chunk) {} }
        defer { peer.stop() }
        var limits = InputLimits()
        limits.dialMs = 600_000
        let (input, sink) = try Self.input(peer.port, limits)
        input.start()
        let deadline = DispatchTime.now() + 60
        while peer.connections == 0, DispatchTime.now() < deadline { sched_yield() }
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.ends.count == 1)
    }

    @Test("end when they are stopped in the middle of a flood, while they play (H2)", arguments: Flood.allCases)
    func stoppedPlaying(flood: Flood) throws {
        let chunk = flood.chunk
        let peer = try HostilePeer { line in
            guard line.play() else { return }
            while line.send(chunk) {}
        }
        defer { peer.stop() }
        let (input, sink) = try Self.input(peer.port, InputLimits())
        input.start()
        #expect(sink.wait { $0.dialedCount == 1 || !$0.ends.isEmpty })
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.ends.count == 1)
    }

    @Test("A head that does not end is garbage as soon as it is too long, in one chunk or byte by byte (H2)")
    func longHead() throws {
        let head = Array(("RTSP/1.0 200 OK\r\n" + String(repeating: "X: y\r\n", count: 25_000)).utf8)
        for step in [head.count, 7] {
            let peer = try HostilePeer { line in
                var rest = head[...]
                while !rest.isEmpty, line.send(Array(rest.prefix(step))) { rest = rest.dropFirst(step) }
                _ = line.request()
                _ = line.request()
            }
            defer { peer.stop() }
            var limits = InputLimits()
            limits.dialMs = 600_000
            let (input, sink) = try Self.input(peer.port, limits)
            input.start()
            #expect(sink.wait { !$0.ends.isEmpty })
            input.stop()
            guard case .failed(.garbage, _)? = sink.seen.ends.first else {
                Issue.record("a head without end is garbage: \(sink.seen.ends)")
                continue
            }
        }
    }

    @Test("What is no file that can be read to its end is refused, and nobody waits for it (H2)")
    func noFile() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let pipe = maker.path("pipe.mp4")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero", maker.path(".")] {
            let sink = CollectingSink()
            let input = Input(name: "pipe", source: .file(path: path), pool: SlabPool(), sink: sink)
            input.start()
            #expect(sink.wait { !$0.ends.isEmpty })
            input.stop()
            guard case .failed(.unsupported, let detail)? = sink.seen.ends.first else {
                Issue.record("\(path) is no regular file: \(sink.seen.ends)")
                continue
            }
            #expect(detail.contains("no regular file"))
        }
    }
}
