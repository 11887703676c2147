import Foundation
import Ingest
import Machines
import Testing

private let canReceive =
    (try? Tool.run("/usr/bin/python3", ["-c", "import h2, h11"])) != nil
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

/// What is pushed, to a receiver that shares no code with it and takes nothing that breaks a rule.
@Suite(
    "Pushing to a strict receiver", .serialized, .enabled(if: canReceive, "needs python3-h2, python3-h11 and openssl"))
struct PushTests {
    private func compare(_ receiver: Receiver, _ pushing: Pushing) throws {
        for (name, kind) in [("cam", "video"), ("mic", "audio")] {
            let path = try receiver.track(name)
            let reference = try pushing.reference(kind == "video" ? .video : .audio, in: receiver.scratch)
            #expect(try Tool.packetHashes(path) == Tool.packetHashes(reference))
            #expect(try Tool.complaints(path) == "")
        }
    }

    @Test(
        "each segment arrives once, in order and byte for byte, through cuts, lost answers, errors and lost headers",
        arguments: [2, 1])
    func cuts(http: Int) async throws {
        let receiver = try Receiver(["--http", "\(http)", "--tracks", "cam,mic", "--segment-ms", "2000"])
        let pushing = try Pushing.make()
        let running = try RunningPusher(receiver)
        let items = pushing.items(chunkMs: 500)
        let half = items.count / 2
        try receiver.order("cut 1")
        try receiver.order("lose 1")
        Pushing.hand(Array(items[..<half]), to: running.pusher)
        try await running.wait("half") { _ in try! receiver.report().orders == 0 }
        try receiver.order("answer 503 1")
        try receiver.order("redirect 1")
        try receiver.order("forget")
        Pushing.hand(Array(items[half...]), to: running.pusher)
        try await running.wait("the end") { $0.contains(where: \.isFinished) }
        await running.end()
        let report = try receiver.report()
        #expect(report.problems == [])
        #expect(report.repeated > 0)
        #expect(report.versions == [http == 2 ? "2" : "1.1"] && report.clients == ["front-door"])
        let session = try #require(report.sessions["1"])
        #expect(session.complete && session.marked)
        #expect(session.tracks["cam"]?.segments == 4 && session.tracks["cam"]?.fillers == 0)
        #expect(session.tracks["cam"]?.chunks ?? 0 >= 16, "\(session)")
        try compare(receiver, pushing)
        let sums = try #require(running.told.last?.finished)
        #expect(sums.holesMs.isEmpty && sums.segments == session.tracks.values.reduce(0) { $0 + $1.segments })
        let manifest = receiver.scratch.path("kept/session_1/index.mpd")
        let arguments = ["-v", "warning", "-allowed_extensions", "ALL", "-i", manifest, "-f", "null", "-"]
        #expect(try Tool.run("ffmpeg", arguments).err == "")
    }

    @Test("a status that is none is an answer like any other error (H1)")
    func strangeStatus() async throws {
        let receiver = try Receiver(["--http", "2", "--tracks", "cam,mic", "--segment-ms", "2000"])
        let pushing = try Pushing.make(seconds: 4)
        let running = try RunningPusher(receiver)
        try receiver.order("answer 99 2")
        try receiver.order("answer 0 1")
        Pushing.hand(pushing.items(), to: running.pusher)
        try await running.wait("the end") { $0.contains(where: \.isFinished) }
        await running.end()
        let report = try receiver.report()
        #expect(report.problems == [] && report.orders == 0 && report.sessions["1"]?.complete == true, "\(report)")
        #expect(running.told.contains { $0.failing?.contains("by HTTP") == true }, "\(running.told)")
    }

    @Test("playlists of HLS go before and after the media, and play")
    func playlists() async throws {
        let receiver = try Receiver(["--interface", "hls", "--login", "front:pass word"])
        let pushing = try Pushing.make()
        let running = try RunningPusher(receiver, login: "front:pass%20word@")
        Pushing.hand(pushing.items(), to: running.pusher, .interface2HLS)
        try await running.wait("the end") { $0.contains(where: \.isFinished) }
        await running.end()
        let report = try receiver.report()
        #expect(
            report.problems == [] && report.sessions["1"]?.complete == true && report.puts == report.repeated + 15,
            "\(report)")
        try compare(receiver, pushing)
        let list = receiver.scratch.path("kept/session_1/index.m3u8")
        let arguments = ["-v", "warning", "-allowed_extensions", "ALL", "-i", list, "-f", "null", "-"]
        #expect(try Tool.run("ffmpeg", arguments).err == "")
    }

    @Test("a receiver that lacks a header gets it, and then the same segment")
    func lacking() async throws {
        let receiver = try Receiver(["--tracks", "cam,mic", "--segment-ms", "2000"])
        let pushing = try Pushing.make()
        let running = try RunningPusher(receiver, stepsMs: [10])
        try receiver.order("lack 1")
        Pushing.hand(pushing.items(), to: running.pusher)
        try await running.wait("the end") { $0.contains(where: \.isFinished) }
        await running.end()
        let report = try receiver.report()
        let session = try #require(report.sessions["1"])
        #expect(report.problems == [] && report.orders == 0 && session.complete, "\(report)")
        // Two manifests, two headers and the segments, and one of the headers once more.
        let segments = session.tracks.values.reduce(0) { $0 + $1.segments }
        #expect(report.repeated == 1 && report.puts == 4 + segments + 1, "\(report)")
        try compare(receiver, pushing)
    }

    @Test("a receiver that takes each header and lacks it for ever is asked five times; the next session is put")
    func lackingForEver() async throws {
        let receiver = try Receiver(["--tracks", "cam,mic", "--segment-ms", "2000"])
        let pushing = try Pushing.make(seconds: 4)
        let running = try RunningPusher(receiver, stepsMs: [10])
        try receiver.order("lack 1000")
        Pushing.hand(pushing.items(), to: running.pusher)
        try await running.wait("who gives up") { $0.contains { $0.gaveUp != nil } }
        var report = try receiver.report()
        // The manifest, two headers, and that of the picture after four of the five answers.
        #expect(report.orders == 1_000 - 5 && report.puts == 3 + 4 && report.repeated == 4, "\(report)")
        #expect(running.told.compactMap(\.gaveUp) == [1] && !running.told.contains(where: \.isFinished))
        try receiver.order("lack 0")
        Pushing.hand(pushing.items(), to: running.pusher, session: 2)
        try await running.wait("the end") { $0.contains(where: \.isFinished) }
        await running.end()
        report = try receiver.report()
        #expect(report.problems == [] && report.sessions["2"]?.complete == true, "\(report)")
        #expect(report.sessions["1"]?.tracks.values.allSatisfy { $0.segments == 0 } == true, "\(report)")
    }

    @Test("what waits for a receiver that is away stands still beyond the bound, and the time line stays whole")
    func fillers() async throws {
        let receiver = try Receiver()
        let pushing = try Pushing.make(seconds: 20)
        let running = try RunningPusher(receiver)
        running.pusher.bound(bytes: 200_000)
        try receiver.order("down 1500")
        Pushing.hand(pushing.items(), to: running.pusher)
        try await running.wait("the end") { $0.contains(where: \.isFinished) }
        await running.end()
        let report = try receiver.report()
        #expect(report.problems == [])
        let track = try #require(report.sessions["1"]?.tracks["cam"])
        #expect(track.segments == 10 && (1...9).contains(track.fillers) && track.ms == 20_000, "\(track)")
        #expect(running.told.first?.failing != nil)
        let sums = try #require(running.told.last?.finished)
        #expect(sums.holesMs == ["receiver": Int64(track.fillers) * 2_000])
        #expect(try Tool.complaints(receiver.track("cam")) == "")
    }

    @Test("who cannot be trusted, or is not trusted, is put nothing")
    func untrusted() async throws {
        let receiver = try Receiver()
        let pushing = try Pushing.make(seconds: 2)
        var (stranger, nobody) = (receiver.tls, receiver.tls)
        stranger.authorityFile = receiver.tls.certificateFile
        (nobody.certificateFile, nobody.keyFile) = (nil, nil)
        var missing = receiver.tls
        missing.keyFile = receiver.scratch.path("nowhere.pem")
        for tls in [stranger, nobody, missing] {
            let running = try RunningPusher(receiver, tls: tls)
            Pushing.hand(pushing.items(), to: running.pusher)
            try await running.wait("refused") { $0.contains { $0.failing != nil } }
            await running.end()
            // Who shows no certificate is hung up on by TLS 1.3 only after the handshake.
            let words = try #require(running.told.first?.failing)
            #expect(words.contains("certificate") || tls == nobody && words.contains("cut"), "\(running.told)")
        }
        #expect(try receiver.report().puts == 0)
    }

    @Test("what is dropped is put no more, and the session is closed with what came before")
    func dropped() async throws {
        let receiver = try Receiver()
        let pushing = try Pushing.make()
        let running = try RunningPusher(receiver)
        var items = pushing.items()
        items.removeLast()
        try receiver.order("answer 503 0")
        Pushing.hand(Array(items[..<5]), to: running.pusher)
        try await running.wait("some") { _ in running.pusher.state.segments == 4 }
        try receiver.order("stall 1")
        Pushing.hand(Array(items[5...]), to: running.pusher)
        try await running.wait("stalled") { _ in try! receiver.report().orders == 0 }
        running.pusher.drop("privacy")
        running.pusher.end(1)
        try await running.wait("the end") { $0.contains(where: \.isFinished) }
        await running.end()
        let report = try receiver.report()
        #expect(report.problems == [] && report.sessions["1"]?.complete == true)
        #expect(report.sessions["1"]?.tracks.values.reduce(0) { $0 + $1.segments } == 4)
        let sums = try #require(running.told.last?.finished)
        #expect(sums.holesMs["privacy"] == 4_000, "\(sums)")
    }
}
