import Client
import Foundation
import Testing
import VigilKit
import VigilURLSession

@Suite("Live frames of the library, at the running daemon", .serialized, .timeLimit(.minutes(10)))
struct KitLiveTests {
    @Test("Live frames come one by one in one answer, over TCP and over the control socket")
    func singly() async throws {
        try await KitSite.with { site in
            try await look(CountingTransport(site.vigil.transport))
            try await Vigil.with(socket: site.daemon.socket) { try await look(CountingTransport($0.transport)) }
        }
    }

    private func look(_ transport: CountingTransport) async throws {
        try await Vigil(transport).withSession(camera: "front") { session in
            try await session.startPreview()
            let began = WallTime(ms: Int64(Date().timeIntervalSince1970 * 1_000))
            // How many pictures came with each piece of the answer, once those of the group under way are taken. Where the machine
            // is busy several come together; parts of half a second always have seven or eight.
            var pictures: [Int: Int] = [:]
            for try await frame in session.frames where frame.time > began {
                pictures[transport.pieces, default: 0] += 1
                if pictures.values.count(where: { $0 <= 2 }) == 20 || pictures.values.reduce(0, +) == 1_500 { break }
            }
            #expect(pictures.values.count { $0 <= 2 } >= 20, "\(pictures.values.sorted())")
            #expect(transport.paths.count { $0.contains("/live") } == 1, "\(transport.paths)")
        }
    }

    @Test(
        "Frames go on when definition and sound change; they are one by one again, and begin with what can be decoded")
    func changes() async throws {
        try await KitSite.with { site in
            try await site.vigil.withSession(camera: "front") { session in
                try await session.startPreview(.hd)
                var frames = session.frames.makeAsyncIterator()
                let first = try #require(try await frames.next())
                #expect(first.isSync && first.isDiscontinuous && first.format.codec == .h264)
                // The sub-stream of the demo has no sound.
                try await session.mute(false)
                while try #require(try await frames.next()).format.codec != .aac {}
                try await session.definition(.sd)
                while true {
                    let frame = try #require(try await frames.next())
                    if frame.format.codec.isVideo, frame.isDiscontinuous, frame.isSync { break }
                }
            }
        }
    }

    @Test(
        "What the recorder ends is thrown with its reason: the time that is over, privacy, and the recorder's own end")
    func ends() async throws {
        try await KitSite.with(site: "viewers: { duration: 30s }") { site in
            func ending(_ after: (CameraSession) async throws -> Void) async throws -> VigilError? {
                let session = try await site.vigil.openSession(camera: "front")
                try await session.connect()
                try await session.startPreview()
                var frames = session.frames.makeAsyncIterator()
                _ = try await frames.next()
                try await after(session)
                do {
                    while try await frames.next() != nil {}
                    return nil
                } catch let error as VigilError { return error }
            }
            let closed = try await ending { try await $0.close() }
            #expect(closed == nil)
            let expired = try await ending { _ in }
            #expect(expired == .sessionEnded(.expired))
            let hidden = try await ending { _ in
                _ = try await site.vigil.setPrivacy(camera: "front", change: PrivacyCommand(softLive: true))
            }
            #expect(hidden == .sessionEnded(.privacy))
            _ = try await site.vigil.setPrivacy(camera: "front", change: PrivacyCommand(softLive: false))
            // The recorder may be gone before it is asked why.
            let over = try await ending { _ in site.daemon.end(SIGTERM) }
            let isOver =
                switch over {
                case .sessionEnded(.draining), .noDaemon, .cannotConnect, .brokenOff: true
                default: false
                }
            #expect(isOver, "\(String(describing: over))")
        }
    }

    @Test("Zones and masks are read and replaced by revision, and one learns who one is")
    func areas() async throws {
        try await KitSite.with { site in
            let before = try await site.vigil.areas(camera: "front")
            #expect(before.camera == "front" && before.zones.isEmpty && before.masks.isEmpty)
            let door = CameraAreas.Area(name: "door", corners: [[0.25, 0.25], [0.5, 0.25], [0.5, 0.75]])
            let command = AreasCommand(zones: [door], masks: [], expectedRevision: before.revision)
            let after = try await site.vigil.setAreas(camera: "front", command)
            #expect(after.zones.map(\.name) == ["door"] && after.revision != before.revision)
            #expect(try await site.vigil.areas(camera: "front") == after)
            await #expect {
                _ = try await site.vigil.setAreas(camera: "front", command)
            } throws: { error in
                if case VigilError.refused(let error) = error { error.kind == .conflict } else { false }
            }
            let me = try await site.vigil.me()
            #expect(me.name == "app" && me.right == .administer && me.cameras == nil)
        }
    }
}
