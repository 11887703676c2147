import Foundation
import Testing

/// Transports of a live camera whose scene moves when it is told to, by the built program and its own detector.
@Suite(
    "Transports of what a camera notices", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "needs curl"))
struct TransportMotionTests {
    private static func motion(_ rig: TransportRig, _ zones: [[String: Any]]) -> [String: Any] {
        rig.options {
            $0["triggerOptions"] = TransportRig.motion {
                $0["motionZones"] = zones
                $0["motionTimeControl"] = ["initialDuration": 2, "augmentationDuration": 3, "maxDuration": 4]
            }
        }
    }

    @Test(
        "A transport records what moves in its own zones and nothing else, ends at its own longest length, and goes on with another"
    )
    func zones() async throws {
        let folder = try RunningDaemon.freshFolder()
        let cameras = try Rig(media: Scene.media, cameras: ["front": "still.mp4"], in: folder)
        // The square moves between a third and four fifths of the height.
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: event, preRoll: 0s",
            """
            cameras:
              front:
                main: "\(cameras.url)"
                policy: all
                zones:
                  sky: [ [0, 0], [1, 0], [1, 0.15], [0, 0.15] ]
                  path: [ [0, 0.15], [1, 0.15], [1, 0.95], [0, 0.95] ]
            """)
        let daemon = try RunningDaemon(folder: folder, config: config)
        defer { daemon.discard(cameras) }
        var interval = 0
        try await daemon.wait("key frames, and a detector that knows the scene") {
            interval =
                try TransportRig.ask(daemon, "GET", "front", "/capabilities").object["keyFrameInterval"] as? Int ?? 0
            let detection = try daemon.state("front").first?["detection"] as? [String: Any]
            return interval > 0 && detection?["looked"] as? Int ?? 0 >= 10
        }
        let rig = TransportRig(folder: folder, daemon: daemon, keyFrameMs: interval)
        let path = try rig.allocate(Self.motion(rig, [["zone": "path"]]))
        let sky = try rig.allocate(Self.motion(rig, [["zone": "sky"]]))
        let outside = try rig.allocate(Self.motion(rig, [["zone": NSNull()]]))
        let either = try rig.allocate(Self.motion(rig, [["zone": "sky"], ["zone": "path"]]))
        for number in [path, sky, outside, either] { #expect(try rig.set(number, "active").status == 200) }

        try cameras.scene("front").move()
        for number in [path, either] {
            try await daemon.wait("two ends by the longest length") {
                try rig.recordings(number).count { $0["why"] as? String == "limit" } >= 2
            }
        }
        try cameras.scene("front").rest()
        for number in [path, either] {
            try await daemon.wait("its last end") {
                try rig.ask("GET", "/\(number)").object["recording"] as? Bool == false
            }
            let recordings = try rig.recordings(number)
            #expect(recordings.allSatisfy { $0["triggerType"] as? String == "motion" }, "\(recordings)")
            // One may have begun again meanwhile: a square that is back at its place has moved.
            let ends = Set(recordings.compactMap { $0["why"] as? String })
            #expect(ends.isSubset(of: ["limit", "quiet"]), "\(recordings)")
        }
        // What moved beside their zones is none of theirs.
        for number in [sky, outside] {
            let recordings = try rig.recordings(number)
            #expect(recordings.isEmpty, "\(recordings)")
        }
        #expect(daemon.end() == 0)
        let replayed = try rig.replayed()
        #expect(replayed.map(\.number) == [path, sky, outside, either].sorted(), "\(replayed)")
        #expect(replayed.allSatisfy { $0.isOver }, "\(replayed)")
    }
}
