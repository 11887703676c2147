import Foundation
import KitExamples
import Testing
import VigilKit

@Suite("The library for apps, at the running daemon", .serialized, .timeLimit(.minutes(10)))
struct KitTests {
    @Test("Live frames carry the demo's clock, sound, times of now and what a decoder needs")
    func live() async throws {
        try await KitSite.with { site in
            let decoder = KitDecoder()
            var pictures: [(frame: VigilKit.Frame, clock: Int64)] = []
            var sound: [VigilKit.Frame] = []
            var failure: (any Error)?
            let began = WallTime(ms: Int64(Date().timeIntervalSince1970 * 1_000))
            try await showLive(site.vigil, camera: "front") { frame in
                if !frame.format.codec.isVideo { sound.append(frame) }
                do {
                    if let clock = try decoder.clock(of: frame) { pictures.append((frame, clock)) }
                } catch { failure = error }
                return failure == nil && (pictures.count < 45 || sound.isEmpty)
            }
            #expect(failure == nil)
            let first = try #require(pictures.first).frame
            #expect(first.isSync && first.isDiscontinuous && first.format.width == 640 && first.format.height == 360)
            #expect(sound.first?.format.codec == .aac && sound.first?.format.sampleRate ?? 0 > 0)
            #expect(first.time.ms > began.ms - 30_000)
            // The clock in the picture goes on as the frames' own time does: no frame is missing, doubled or out of order.
            let ahead = pictures.map { picture in
                picture.clock - picture.frame.presentationTime * 1_000 / Int64(picture.frame.format.timescale)
            }
            #expect(ahead.allSatisfy { abs($0 - ahead[0]) <= 2 }, "\(ahead)")
            #expect(pictures.allSatisfy { abs($0.clock - $0.frame.time.ms) < 10_000 })
            #expect(try await site.vigil.sessions().allSatisfy { $0.phase == "ended" })
        }
    }

    @Test("A recording plays, holds, seeks and goes faster; its frames show the moments that they are of")
    func playback() async throws {
        try await KitSite.with { site in
            let clip = try await site.clip(ofMs: 20_000)
            let decoder = KitDecoder()
            try await site.vigil.withSession(camera: "front") { session in
                let day = try #require(try await session.days().last)
                #expect(try await session.clips(of: day).map(\.id).contains(clip.id))
                let at = WallTime(ms: clip.start.ms + 5_000)
                try await session.startPlayback(day: day, clip: clip.id, at: at)
                var frames = session.frames.makeAsyncIterator()
                /// The next picture from a moment on, and by how much its clock is ahead of its time.
                func picture(from ms: Int64) async throws -> (VigilKit.Frame, ahead: Int64) {
                    while let frame = try await frames.next() {
                        guard let clock = try decoder.clock(of: frame), frame.time.ms >= ms else { continue }
                        return (frame, clock - frame.time.ms)
                    }
                    throw CancellationError()
                }
                let (first, ahead) = try await picture(from: at.ms)
                #expect(first.time.ms < at.ms + 200, "\(first.time.ms - at.ms)")
                // Held, nothing comes that was not due before.
                let held = try #require(try await session.pause().position)
                #expect(try await session.info().phase == "paused")
                let next = Task {
                    var frames = session.frames.makeAsyncIterator()
                    while let frame = try await frames.next() {
                        if frame.time.ms > held.ms + 500 { return ContinuousClock.now }
                    }
                    return .now
                }
                _ = try await site.vigil.states()
                let resumed = ContinuousClock.now
                #expect(try await session.resume().phase == "playing")
                #expect(try await next.value > resumed)
                // A jump, at four times the speed.
                let later = WallTime(ms: clip.start.ms + 12_000)
                try await session.startPlayback(day: day, clip: clip.id, at: later)
                #expect(try await session.speed(4).speed == 4)
                let (frame, aheadLater) = try await picture(from: later.ms)
                #expect(frame.time.ms < later.ms + 2_000 && abs(aheadLater - ahead) <= 2)
                // Some second of it lasts half a second at most; a busy machine may hold up others.
                var (fastest, before) = (Duration.seconds(1), ContinuousClock.now)
                for second in 1...6 {
                    _ = try await picture(from: frame.time.ms + Int64(second) * 1_000)
                    let now = ContinuousClock.now
                    (fastest, before) = (min(fastest, now - before), now)
                }
                #expect(fastest < .milliseconds(500))
                try await session.stopPlayback()
                #expect(try await session.info().phase == "idle")
            }
        }
    }

    @Test(
        "A recording is silent until its viewer asks for sound; a whole day goes on over a hole, and is heard behind it"
    )
    func wholeDay() async throws {
        try await KitSite.with { site in
            let first = try await site.clip(ofMs: 20_000).id
            _ = try await site.vigil.setEnabled(camera: "front", enabled: false)
            func clips() async throws -> [ClipInfo] {
                try await site.vigil.clips(ListFilter(camera: "front")).items.sorted { $0.start < $1.start }
            }
            try await site.until("a hole") {
                let end = try await clips().first { $0.id == first }?.end
                let now = Int64(Date().timeIntervalSince1970 * 1_000)
                return end.map { now > $0.ms + 4_000 } == true ? "a hole" : nil
            }
            _ = try await site.vigil.setEnabled(camera: "front", enabled: true)
            try await site.until("another clip") {
                let next = try await clips().last?.tracks.first { $0.kind == .video }
                return try await clips().count == 2 && next?.durationMs ?? 0 > 3_000 ? "another clip" : nil
            }
            let second = try #require(try await clips().last?.start)
            try await site.vigil.withSession(camera: "front") { session in
                let day = try #require(try await session.days().last)
                _ = try await session.clips(of: day)
                #expect(try await session.startPlayback(day: day, clip: first).sound == false)
                var frames = session.frames.makeAsyncIterator()
                for _ in 0..<30 { #expect(try await frames.next()?.format.codec.isVideo == true) }
                #expect(try await session.mute(false).sound)
                var isHeard = false
                while !isHeard, let frame = try await frames.next() { isHeard = !frame.format.codec.isVideo }
                #expect(isHeard)
                // Another start is silent again, until it is asked for.
                var behind: [VigilKit.Frame] = []
                try await playWholeDay(session, day: day) { frame in
                    if frame.time >= second { behind.append(frame) }
                    // Of a clip that is written the sound may come a segment behind the pictures.
                    let kinds = Set(behind.map(\.format.codec.isVideo))
                    return behind.count < 400 && kinds.count < 2
                }
                #expect(behind.first { $0.format.codec.isVideo }?.isDiscontinuous == true)
                #expect(behind.contains { !$0.format.codec.isVideo })
                let info = try await session.info()
                #expect(info.phase == "playing" && info.overHoles == true && info.sound)
                #expect(try await session.stopPlayback().overHoles == nil)
            }
        }
    }

    @Test("The examples play, press and count; a session that is closed ends its frames and reports")
    func examples() async throws {
        try await KitSite.with { site in
            let clip = try await site.clip(ofMs: 12_000)
            var played = 0
            try await playNewestDay(site.vigil, camera: "front") { _ in
                played += 1
                return played < 40
            }
            #expect(played == 40)
            let to = WallTime(ms: clip.start.ms + 8_000)
            let counted = try await countPictures(site.vigil, camera: "front", from: clip.start, to: to)
            // Up to the end of the segment that holds the moment.
            #expect((60...250).contains(counted), "\(counted)")
            let pictures = try await takePictures(site.vigil, camera: "front", at: to)
            #expect(pictures.allSatisfy { $0.starts(with: [0xff, 0xd8]) })
            #expect(
                try await rename(site.vigil, policy: "all", description: "renamed")?.text.contains("renamed") == true)
            let session = try await site.vigil.openSession(camera: "front")
            try await session.connect()
            let day = try #require(try await session.days().last)
            _ = try await session.clips(of: day)
            try await session.startPlayback(day: day, clip: clip.id)
            try await press(session, day: day, clip: clip, at: to)
            #expect(try await recording(session) {} == true)
            let frames = Task {
                var count = 0
                for try await _ in session.frames { count += 1 }
                return count
            }
            let reports = Task { try await end(of: session) }
            try await session.close()
            _ = try await frames.value
            #expect(try await reports.value == .closed)
        }
    }

    @Test("What happens is followed, and gone on with behind a record")
    func journal() async throws {
        try await KitSite.with { site in
            var kinds: [String] = []
            let last = try await follow(site.vigil, after: "0") { record in
                kinds.append(record.kind)
                return kinds.count < 3
            }
            _ = try await site.vigil.setEnabled(camera: "back", enabled: false)
            var behind: [String] = []
            _ = try await follow(site.vigil, after: last) { record in
                behind.append(record.kind)
                return behind.count < 200 && record.camera != "back"
            }
            #expect(kinds.count == 3 && !behind.isEmpty)
            #expect(try await site.vigil.days(camera: "front", year: 2026, month: 1).isEmpty)
            let now = WallTime(ms: Int64(Date().timeIntervalSince1970 * 1_000))
            let from = WallTime(ms: now.ms - 60_000)
            #expect(try await site.vigil.coverage(camera: "front", from: from, to: now).camera == "front")
            #expect(try await site.vigil.why(camera: "front", at: WallTime(ms: now.ms - 1_000)).camera == "front")
            #expect(try await site.vigil.capabilities(camera: "front").definitions.contains("hd"))
        }
    }
}
