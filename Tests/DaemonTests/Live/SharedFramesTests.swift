import Foundation
import Synchronization
import Testing
import VigilKit

/// Frames in shared memory, and what programs may do to them.
@Suite("Frames in shared memory", .serialized)
struct SharedFramesTests {
    private static let media = "h264-pcmu.mkv"

    /// How many descriptors the daemon has, and how many of them are memory for frames.
    private func descriptors(_ daemon: RunningDaemon) throws -> (all: Int, memory: Int) {
        let folder = "/proc/\(daemon.pid)/fd"
        let all = try FileManager.default.contentsOfDirectory(atPath: folder)
        let targets = all.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
        return (all.count, targets.count { $0.contains("vigil-frames") })
    }

    @Test("are those of the answer, byte for byte, and the reader cannot write them")
    func same() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        let query = "demo/frames?fps=30&width=160"
        let shared = try SharedReader(daemon.socket, query)
        #expect(try shared.answer().hasPrefix("HTTP/1.1 101 "))
        let plain = try SharedReader(daemon.socket, query, fields: "Connection: close\r\n")
        #expect(try plain.answer().hasPrefix("HTTP/1.1 200 "))
        var seen: [Int64: [UInt8]] = [:]
        for index in 1...60 {
            let frame = try #require(try shared.frame())
            #expect(frame.head.width == 160 && frame.head.height == 90 && frame.pixels.count == 160 * 90 * 3 / 2)
            #expect(frame.head.number == UInt64(index) && frame.head.dial == 1)
            #expect(Set(frame.pixels.prefix(160 * 90)).count > 16)
            seen[frame.head.mediaUs] = frame.pixels
            #expect(shared.say([frame.slot]))
            // In turns, so that neither falls behind the other.
            _ = try plain.rest(bytes: index * (FrameHead.length + frame.pixels.count))
        }
        #expect(seen.count == 60 && shared.layout[0] == 4)
        // The other answer is in chunks: its frames are found by their heads.
        let raw = try plain.rest(bytes: 0)
        var same = 0
        for place in raw.indices where raw[place...].starts(with: Array("VGF1".utf8)) {
            guard let head = FrameHead(raw[place...]), head.content == .yuv420p, let pixels = seen[head.mediaUs] else {
                continue
            }
            if raw[(place + FrameHead.length)...].prefix(pixels.count).elementsEqual(pixels) { same += 1 }
        }
        #expect(same >= 10, "\(same) frames of both")
        var byte: UInt8 = 9
        #expect(write(shared.descriptor, &byte, 1) == -1)
        #expect(mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, shared.descriptor, 0) == MAP_FAILED)
        // Privacy takes them away: told, and gone from the memory.
        #expect(try daemon.vigil(["privacy", "demo", "on", "--live"]).status == 0)
        #expect(try shared.lastWord() == #"{"ended":"privacy"}"#)
        try await daemon.wait("the memory to be given back") {
            var pixels = [UInt8](repeating: 1, count: shared.layout[0] * shared.layout[1])
            return pread(shared.descriptor, &pixels, pixels.count, 0) == pixels.count
                && pixels.allSatisfy { $0 == 0 }
        }
        #expect(daemon.end() == 0)
    }

    @Test("A reader that holds every slot is ended as slow; one that gives slots back late gets fewer and the newest")
    func slow() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        let stuck = try SharedReader(daemon.socket, "demo/frames?fps=30&width=64")
        let late = try SharedReader(daemon.socket, "demo/frames?fps=30&width=64")
        for reader in [stuck, late] { #expect(try reader.answer().hasPrefix("HTTP/1.1 101 ")) }
        // Forty pauses are longer than the 10 s after which the other one has to end. On a thread of its own no pause is so long.
        let (numbers, times) = try await RunningDaemon.aside { [late] in
            try (1...40).reduce(into: ([UInt64](), [Int64]())) { seen, _ in
                let frame = try #require(try late.frame())
                seen.0.append(frame.head.number)
                seen.1.append(frame.head.mediaUs)
                Thread.sleep(forTimeInterval: 0.3)
                #expect(late.say([frame.slot]))
            }
        }
        let word = try #require(try stuck.lastWord())
        #expect(word.contains(#""ended":"slow""#) && word.contains("10 s"), "\(word)")
        try await daemon.wait("the end of its session") { try daemon.viewers() == 1 }
        // Numbers are those of frames that were given; their times go on with the camera's.
        #expect(numbers == Array(1...UInt64(numbers.count)))
        // One after the other they would be 1.3 s of pictures; those of forty pauses are about 12 s.
        let span = try #require(times.last) - times[0]
        #expect(span > 4_000_000, "\(span) µs")
        #expect(daemon.end() == 0)
    }

    @Test("Hostile readers are ended by name and leave nothing behind; recording misses no frame")
    func hostile() async throws {
        let folder = try RunningDaemon.freshFolder()
        let rig = try Rig(media: [Self.media], cameras: ["front": Self.media], in: folder)
        let file = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous",
            "viewers: { limit: 32 }\ncameras: { front: { main: \"\(rig.urls["front"] ?? "")\", policy: all, detection: 'off' } }"
        )
        let daemon = try RunningDaemon(folder: folder, config: file)
        defer { daemon.discard(rig) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let query = "front/frames?fps=30&width=320"
        func reader() throws -> SharedReader {
            let reader = try SharedReader(daemon.socket, query)
            let answer = try reader.answer()
            #expect(answer.hasPrefix("HTTP/1.1 101 "), "\(answer)")
            return reader
        }
        /// What a reader is told that says `bytes` when it has two frames.
        func end(_ bytes: (UInt8, UInt8) -> [UInt8]) throws -> String {
            let reader = try reader()
            let (one, other) = (try #require(try reader.frame()), try #require(try reader.frame()))
            reader.say(bytes(one.slot, other.slot))
            return try reader.lastWord() ?? "nothing"
        }
        _ = try end { one, _ in [one, one] }
        try await daemon.wait("rest") { try daemon.viewers() == 0 && descriptors(daemon).memory == 0 }
        let before = try descriptors(daemon).all

        for bytes in [
            { _, _ in [255] }, { one, _ in [one, one] }, { one, other in [other, one, 128] },
            { _, _ in [UInt8](repeating: 77, count: 100_000) }, { _, _ in Array("GET / HTTP/1.1\r\n\r\n".utf8) },
        ] as [(UInt8, UInt8) -> [UInt8]] {
            let word = try end(bytes)
            #expect(word.contains(#""ended":"misused""#), "\(word)")
        }
        // Before the first frame, and with the request.
        let early = try SharedReader(daemon.socket, query)
        early.say([0])
        _ = try early.answer()
        // It may have the first ones by now, and never the last.
        early.say([0, 1, 200])
        let misused = try #require(try early.lastWord())
        #expect(misused.contains(#""ended":"misused""#), "\(misused)")
        // Gone in the middle, or for one direction.
        for how in [SHUT_RD, SHUT_WR, SHUT_RDWR] {
            let gone = try reader()
            _ = try gone.frame()
            shutdown(gone.socket, Int32(how))
            _ = try? gone.lastWord()
        }
        try await daemon.wait("rest") { try daemon.viewers() == 0 && descriptors(daemon).memory == 0 }
        // Again and again, as often as one caller may ask in one go, gone at each stage; who is one too many is refused.
        var given = 0
        for turn in 0..<240 {
            let reader = try SharedReader(daemon.socket, query)
            guard turn % 4 > 0 else { continue }
            let answer = try reader.answer()
            guard answer.hasPrefix("HTTP/1.1 101 ") else {
                #expect(answer.contains(" 503 "), "\(answer)")
                continue
            }
            given += 1
            guard turn % 4 > 1, turn % 20 < 4 else { continue }
            let frame = try reader.frame()
            if turn % 4 == 3, let frame { reader.say([frame.slot]) }
        }
        // Of the twelve places nine at least, three being for those that ask and go; fewer where some of before are not free yet.
        #expect(given > 5, "\(given) of 180")
        try await daemon.wait("what they had to be free again") {
            try daemon.viewers() == 0 && descriptors(daemon).memory == 0 && descriptors(daemon).all <= before + 2
        }
        // Every place and the memory are there: as many as one user may. Each gives its slots back, so that none is ended as slow.
        let served = Mutex<Set<Int>>([])
        for number in 0..<12 {
            Thread.detachNewThread { [socket = daemon.socket] in
                guard let reader = try? SharedReader(socket, query), let answer = try? reader.answer(),
                    answer.hasPrefix("HTTP/1.1 101 ")
                else { return }
                while let frame = try? reader.frame(), reader.say([frame.slot]) {
                    served.withLock { _ = $0.insert(number) }
                }
            }
        }
        try await daemon.wait("frames for twelve readers at once") {
            try served.withLock { $0.count } == 12 && descriptors(daemon).memory == 12
        }
        let many = try SharedReader(daemon.socket, query)
        #expect(try many.answer().contains(" 503 "))
        #expect(daemon.end() == 0)
        let video = try FileManager.default.subpathsOfDirectory(atPath: daemon.root + "/clips")
            .filter { $0.contains("front") && $0.hasSuffix(".cmfv") }.sorted().map { daemon.root + "/clips/" + $0 }
        let compared = try RunningDaemon.run(
            "/usr/bin/python3", [Rig.folder + "/compare.py", rig.log, "--camera", "front", "--whole"] + video)
        #expect(!video.isEmpty && compared.status == 0, "\(compared.output)\(compared.errors)")
    }

    @Test("What cannot be shared is refused with what to do instead")
    func refused() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        for (query, fields, word) in [
            ("demo/frames?format=jpeg", "Connection: Upgrade\r\nUpgrade: vigil-frames\r\n", "yuv420p alone"),
            ("demo/frames", "Upgrade: vigil-frames\r\n", "without Connection"),
            ("demo/frames", "Connection: xupgrade\r\nUpgrade: Vigil-Frames\r\n", "without Connection"),
            ("nobody/frames", "Connection: Upgrade\r\nUpgrade: vigil-frames\r\n", "nobody"),
        ] {
            let reader = try SharedReader(daemon.socket, query, fields: fields + "Accept: */*\r\n")
            let head = try reader.answer()
            let body = String(decoding: try reader.rest(bytes: 10), as: UTF8.self)
            #expect(head.contains(" 400 ") || head.contains(" 404 "), "\(head)")
            #expect(body.contains(word), "\(body)")
        }
        // Who asks for another protocol gets frames in the answer.
        let other = try SharedReader(
            daemon.socket, "demo/frames?width=64", fields: "Connection: Upgrade\r\nUpgrade: h2c\r\n")
        #expect(try other.answer().hasPrefix("HTTP/1.1 200 "))
        #expect(daemon.end() == 0)
    }
}
