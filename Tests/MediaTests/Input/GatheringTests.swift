import Foundation
import Glibc
import Machines
import Testing

@testable import Media

/// While nobody looks, a reader is woken now and then for much, not each time for little.
@Suite("Packets that gather", .serialized)
struct GatheringTests {
    /// Both ends of a connection within this machine.
    private struct Pair {
        let transport: TCPTransport
        let peer: Int32

        /// `window`: the most bytes that wait at this end; nil: as the kernel has it.
        init(window: Int32? = nil) throws {
            let (listener, port) = try Loopback.listen()
            defer { close(listener) }
            let deadline = BootClock.nowMs() + 60_000
            transport = try TCPTransport.connect(host: "127.0.0.1", port: port, deadline: deadline, stop: StopSignal())
            peer = accept(listener, nil, nil)
            if var window {
                setsockopt(transport.descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
            }
        }

        /// What one read gives; -1 where nothing came until `deadline`.
        func read(deadline: Int64) throws -> Int {
            var room = [UInt8](repeating: 0, count: 64 << 10)
            return try room.withUnsafeMutableBytes { bytes throws(InputFault) in
                try transport.read(into: bytes, deadline: deadline)
            } ?? -1
        }
    }

    @Test("Who waits for bytes to gather is woken when they are there, and who waits for any by the first one")
    func lowWater() throws {
        let pair = try Pair()
        let peer = pair.peer
        let far = BootClock.nowMs() + 120_000
        Thread.detachNewThread {
            for _ in 0..<10 {
                usleep(5_000)
                _ = ScriptedCamera.send([UInt8](repeating: 1, count: 100), on: peer)
            }
        }
        try pair.transport.gather(bytes: 1_000, deadline: far)
        #expect(BootClock.nowMs() < far)
        #expect(try pair.read(deadline: far) == 1_000)
        #expect(ScriptedCamera.send([2], on: pair.peer))
        #expect(try pair.read(deadline: far) == 1)
        #expect(BootClock.nowMs() < far)
        try pair.transport.gather(bytes: 1_000, deadline: BootClock.nowMs() + 10)
        #expect(try pair.read(deadline: 0) == -1)
        #expect(ScriptedCamera.send([3, 4], on: pair.peer))
        close(pair.peer)
        try pair.transport.gather(bytes: 1_000, deadline: far)
        #expect(BootClock.nowMs() < far, "the end of the connection wakes nobody")
        #expect(try pair.read(deadline: far) == 2)
        #expect(throws: InputFault.self) { try pair.read(deadline: far) }
    }

    @Test(
        "Where more is waited for than the window holds, a full window wakes, and all comes",
        arguments: [16 << 10, 256 << 10] as [Int32])
    func window(bytes: Int32) throws {
        let pair = try Pair(window: bytes)
        let peer = pair.peer
        let far = BootClock.nowMs() + 120_000
        // More than both ends keep: the peer is not through before it is read.
        let (size, count) = (1 << 20, 64)
        Thread.detachNewThread {
            for _ in 0..<count { _ = ScriptedCamera.send([UInt8](repeating: 1, count: size), on: peer) }
            close(peer)
        }
        var read = 0
        while read < size * count {
            try pair.transport.gather(bytes: 32 << 20, deadline: far)
            let bytes = try pair.read(deadline: far)
            try #require(bytes > 0)
            read += bytes
        }
        #expect(BootClock.nowMs() < far)
        #expect(read == size * count)
    }

    @Test("Frames come some at a time where nobody looks, and singly where somebody does", arguments: [false, true])
    func reader(wantsPromptFrames: Bool) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try RTSPInputTests.frames(maker, bFrames: 0)
        var packetizer = Packetizer()
        let parts = frames.map { frame in
            Packetizer.interleaved(
                packetizer.packets(CollectingSink.units(frame), stamp: UInt32(truncatingIfNeeded: frame.pts)))
        }
        let plain = RTSPInputTests.plain([])
        let camera = try ScriptedCamera { request, peer in
            var answer = plain(request, peer)
            if request.method == "PLAY" { answer?.later = parts }
            return answer
        }
        defer { camera.stop() }
        var limits = InputLimits()
        (limits.gatherMs, limits.gatherBytes, limits.gatherAfterMs, limits.restMs) = (60_000, 32 << 20, 0, 1)
        let sink = CollectingSink(wantsPromptFrames: wantsPromptFrames)
        let address = try RTSPAddress("rtsp://127.0.0.1:\(camera.port)/live")
        let source = InputSource.rtsp(address, credential: nil, transport: .tcp)
        Input(name: "test", source: source, limits: limits, pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        let seen = sink.seen.frames
        #expect(CollectingSink.digests(seen) == CollectingSink.digests(frames))
        // Fifty frames within a second: a few reads of a buffer each, or dozens. Where the machine is slow there are fewer of these.
        let reads = Set(seen.map(\.arrival)).count
        #expect(wantsPromptFrames ? reads > 10 : reads <= 10, "\(reads) reads for \(seen.count) frames")
    }
}
