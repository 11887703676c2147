internal import ArgumentParser
internal import Foundation
internal import MemorySite
internal import Server
internal import Testing

@testable import vigil

@Suite("vigil transport")
struct TransportCommandTests {
    @Test("names of tracks and the usage are said to a transport that is allocated, and to one that is modified")
    func tracks() throws {
        let words = ["--video-name", "cam.1", "--audio-name", "mic", "--usage", "recording"]
        let all = TransportOptions(
            streamUsage: "recording", videoStreams: [TransportStream(name: "cam.1", id: 0)],
            audioStreams: [TransportStream(name: "mic", id: 0)])
        #expect(try TransportAllocateCommand.parse(["front"] + words).said.options() == all)
        #expect(try TransportModifyCommand.parse(["front", "1"] + words).said.options() == all)
        // What is not said stays.
        #expect(
            try TransportModifyCommand.parse(["front", "1", "--video-name", "door"]).said.options()
                == TransportOptions(videoStreams: [TransportStream(name: "door", id: 0)]))
        #expect(throws: (any Error).self) { try TransportModifyCommand.parse(["front", "1"]) }
        #expect(throws: Never.self) { try TransportAllocateCommand.parse(["front", "--silent"]) }
        do {
            _ = try TransportAllocateCommand.parse(["front", "--silent", "--audio-name", "mic"])
            Issue.record("a name of sound beside --silent was taken")
        } catch { #expect(TransportAllocateCommand.message(for: error).contains("--audio-name: there is no sound")) }
    }

    @Test("what is said of tracks and usage reaches the daemon, and the rest of a transport stays")
    func told() async throws {
        try await RunningSocket.with(MemorySite(), path: RunningSocket.freshPath()) { path in
            @Sendable func options(_ words: String...) async throws -> TransportOptions {
                let result = try await Program.run(["transport"] + words + ["--json", "--socket", path])
                #expect(result.status == 0, "\(result.errors)")
                return try JSONDecoder().decode(TransportInfo.self, from: Data(result.output.utf8)).transportOptions
            }
            let made = try await options(
                "allocate", "front", "--trigger", "continuous", "--video-name", "cam.1", "--audio-name", "mic",
                "--usage", "analysis")
            #expect(made.videoStreams == [TransportStream(name: "cam.1", id: 0)])
            #expect(made.audioStreams == [TransportStream(name: "mic", id: 0)])
            #expect(made.streamUsage == "analysis")
            let plain = try await options("allocate", "front", "--trigger", "continuous")
            #expect(plain.videoStreams?.first?.name == "video" && plain.audioStreams?.first?.name == "audio")
            #expect(plain.streamUsage == "recording")
            let changed = try await options("modify", "front", "1", "--video-name", "door")
            #expect(changed.videoStreams == [TransportStream(name: "door", id: 0)])
            #expect(changed.streamUsage == "recording" && changed.triggerOptions?.triggerType == "continuous")
            // A refusal says what Matter calls it.
            let refused = try await Program.run(["transport", "trigger", "front", "2", "--socket", path])
            #expect(refused.status == 1 && refused.errors.contains("[InvalidTransportStatus]"), "\(refused)")
        }
        let both = try await Program.run(["transport", "allocate", "front", "--silent", "--audio-name", "mic"])
        #expect(both.status == 2 && both.errors.contains("--audio-name"), "\(both)")
    }
}
