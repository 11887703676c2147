import Foundation
import Testing

/// What transports of a camera can name before it sends, by the built program and real cameras.
@Suite(
    "Transports of cameras that do not send all", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "needs curl"))
struct TransportStreamTests {
    /// A camera that nobody ever reached, and one without sound.
    private static func start(_ folder: String, _ address: String) throws -> RunningDaemon {
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous",
            """
            cameras:
              never: { main: "rtsp://127.0.0.1:9/none", policy: all, detection: 'off' }
              mute: { main: "\(address)", policy: all, detection: 'off' }
            """)
        return try RunningDaemon(folder: folder, config: config)
    }

    /// The main stream, or its sound, with a name.
    private static func stream(_ name: String) -> [[String: Any]] { [["name": name, "id": 0]] }

    /// Options of a transport by command with streams of these names.
    private static func options(_ rig: TransportRig, video: String? = nil, audio: String? = nil) -> [String: Any] {
        rig.options {
            $0["videoStreams"] = video.map(stream)
            $0["audioStreams"] = audio.map(stream)
            $0["triggerOptions"] = ["triggerType": "command", "maxPreRollLen": 0]
        }
    }

    private static func refuses(_ answer: TransportRig.Answer) -> Bool {
        answer.status == 409 && answer.matter == "INVALID_IN_STATE"
    }

    @Test(
        "PAVST-2.3: a transport names no video and no sound that the camera was never seen to send; what its clips hold was seen"
    )
    func unseen() async throws {
        let folder = try RunningDaemon.freshFolder()
        let cameras = try Rig("still.mp4", in: folder)
        var daemon = try Self.start(folder, cameras.url)
        defer { daemon.discard(cameras) }
        var interval = 0
        try await daemon.wait("the distance of key frames") {
            interval =
                try TransportRig.ask(daemon, "GET", "mute", "/capabilities").object["keyFrameInterval"] as? Int ?? 0
            return interval > 0
        }
        var rig = TransportRig(folder: folder, daemon: daemon, keyFrameMs: interval)
        try never(rig)
        try await daemon.wait("a clip with media") {
            try daemon.clips("camera=mute").contains { clip in
                (clip["tracks"] as? [[String: Any]])?.contains { $0["durationMs"] as? Int ?? 0 > 0 } == true
            }
        }
        let number = try mute(rig)

        // It is known by its clip alone now.
        #expect(daemon.end() == 0)
        cameras.end()
        daemon = try Self.start(folder, cameras.url)
        rig = TransportRig(folder: folder, daemon: daemon, keyFrameMs: interval)
        try await daemon.wait("the daemon") { try rig.all("mute").count == 2 }
        try await daemon.wait("that nobody reaches the camera") {
            try daemon.state("mute").first?["link"] as? String == "waiting"
        }
        let able = try rig.ask("GET", "/capabilities", camera: "mute").object
        #expect(able["videoStreams"] as? [Int] == [0] && able["audioStreams"] as? [Int] == [], "\(able)")
        #expect(able["keyFrameInterval"] == nil)
        #expect(try Self.refuses(rig.ask("POST", "", Self.options(rig, audio: "a"), camera: "mute")))
        #expect(try rig.ask("POST", "", Self.options(rig, video: "v"), camera: "mute").status == 200)
        #expect(try rig.ask("PATCH", "/\(number)", ["expiryTime": 600], camera: "mute").status == 200)
        try never(rig)
        #expect(daemon.end() == 0)
    }

    /// Nothing can be named of a camera that never answered, and nothing is kept.
    private func never(_ rig: TransportRig) throws {
        let able = try rig.ask("GET", "/capabilities", camera: "never").object
        #expect(able["videoStreams"] as? [Int] == [] && able["audioStreams"] as? [Int] == [], "\(able)")
        var automatic = Self.options(rig)
        automatic["videoStreamID"] = NSNull()
        var sound = Self.options(rig)
        sound["audioStreamID"] = NSNull()
        for options in [
            Self.options(rig, video: "v"), Self.options(rig, audio: "a"), Self.options(rig, video: "v", audio: "a"),
            automatic, sound,
        ] {
            let answer = try rig.ask("POST", "", options, camera: "never")
            #expect(Self.refuses(answer), "\(options): \(answer)")
        }
        // What does not depend on the camera is told first.
        #expect(try rig.ask("POST", "", Self.options(rig), camera: "never").matter == "INVALID_COMMAND")
        #expect(try rig.all("never").map { $0["connectionID"] as? Int } == [0])
    }

    /// Sound of a camera without sound is named neither at first nor later. Gives the number of a transport of its video.
    private func mute(_ rig: TransportRig) throws -> Int {
        #expect(try Self.refuses(rig.ask("POST", "", Self.options(rig, audio: "a"), camera: "mute")))
        #expect(try Self.refuses(rig.ask("POST", "", Self.options(rig, video: "v", audio: "a"), camera: "mute")))
        let number = try rig.allocate(Self.options(rig, video: "v"), camera: "mute")
        let before = try rig.ask("GET", "/\(number)", camera: "mute").object
        let sound: [String: Any] = ["audioStreams": Self.stream("a")]
        #expect(try Self.refuses(rig.ask("PATCH", "/\(number)", sound, camera: "mute")))
        let after = try rig.ask("GET", "/\(number)", camera: "mute").object
        #expect(NSDictionary(dictionary: after) == NSDictionary(dictionary: before))
        let renamed: [String: Any] = ["videoStreams": Self.stream("w")]
        #expect(try rig.ask("PATCH", "/\(number)", renamed, camera: "mute").status == 200)
        return number
    }
}
