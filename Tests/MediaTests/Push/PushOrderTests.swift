import Foundation
import Hashing
import Machines
import Testing

@testable import Media

/// What is known of pushed fragments, and when their samples count as having come.
@Suite("Pushed fragments: order, time and bounds")
struct PushOrderTests {
    /// Tracks of a movie of ffmpeg's, and fragments that are made up for them.
    private struct Made {
        let video: PushedTrack
        let audio: PushedTrack
        let digest = SHA256.value(of: [7])

        init() throws {
            let rig = try PushRig()
            let movie = try rig.movie(seconds: 1, video: PushRig.video + ["-bf", "0"])
            var body = PushedBody()
            var rest = movie[...]
            guard case .header(let fileType, let header)? = try body.next(&rest) else { throw CancellationError() }
            let tracks = try PushedTrack.tracks(fileType: fileType, movie: header)
            video = try #require(tracks.first { $0.kind == .video })
            audio = try #require(tracks.first { $0.kind == .audio })
        }

        /// A fragment of `count` samples of `sampleMs` that begins at `ms` of its track.
        func fragment(_ track: PushedTrack, at ms: Int64, sampleMs: Int64, count: Int, bytes: Int = 4) -> PushedFragment
        {
            let scale = Int64(track.layout.timescale)
            let ticks = sampleMs * scale / 1_000
            // A NAL unit of a picture that no other one needs, or any sound.
            let sample: [UInt8] = [0, 0, 0, UInt8(1)] + [0x01] + [UInt8](repeating: 0x55, count: max(0, bytes - 5))
            let data = (0..<count).flatMap { _ in sample }
            return PushedFragment(
                decodeTime: UInt64(ms * scale / 1_000), sequence: 1,
                samples: (0..<count).map { _ in
                    SampleMetadata(size: UInt32(sample.count), durationTicks: UInt32(ticks), isSync: false)
                },
                offsets: (0..<count).map { $0 * sample.count }, data: data,
                digest: SHA256.value(of: data + withUnsafeBytes(of: ms) { [UInt8]($0) }), wallClock: nil, isLast: false)
        }

        func item(_ track: PushedTrack, _ fragment: PushedFragment, arrivalMs: Int64, delayMs: Int64)
            -> PublishingPoint.Item
        {
            PublishingPoint.Item(
                session: 1, key: track.kind.rawValue, version: 0, track: track, fragment: fragment, missing: 0,
                arrival: Instant(ms: arrivalMs), delayMs: delayMs)
        }

        func tracks(_ sink: CollectingSink) -> (video: PushTrack, audio: PushTrack) {
            let clocks = [video, audio].map {
                Timeline.Clock(kind: $0.kind, timescale: $0.frameTimescale, bits: 64, isTrusted: true)
            }
            let context = DialContext(sink: sink, pool: SlabPool(), limits: InputLimits(), clocks: clocks)
            return (
                PushTrack(ordinal: 0, key: "video", session: 1, version: 0, video, context),
                PushTrack(ordinal: 1, key: "audio", session: 1, version: 0, audio, context)
            )
        }
    }

    @Test("what was taken while it was forbidden does not come after it, however late it is pushed and handed over")
    func forbidden() throws {
        let made = try Made()
        let sink = CollectingSink()
        let (_, audio) = made.tracks(sink)
        // Two seconds of sound that ended at 10 s by their own time, and come at 14 s; allowed again since 12 s.
        let delayMs: Int64 = 8_000
        let allowed = Instant(ms: 12_000)
        func take() {
            let fragment = made.fragment(made.audio, at: 0, sampleMs: 20, count: 100)
            audio.take(
                made.item(made.audio, fragment, arrivalMs: 14_000, delayMs: delayMs), offsetUs: 0)
        }
        take()
        var last = Instant(ms: 9_000)
        while audio.next != nil { last = audio.deliver(notBefore: last, allowedSince: [allowed]) ?? last }
        #expect(sink.seen.frames.count == 100)
        #expect(sink.seen.frames.allSatisfy { $0.arrival <= allowed })
        // After something that came later they cannot have come before it: they are left out.
        take()
        last = Instant(ms: 13_000)
        while audio.next != nil {
            #expect(audio.deliver(notBefore: last, allowedSince: [allowed]) == nil)
        }
        #expect(sink.seen.frames.count == 100)
        // Nothing was forbidden: they come when they are handed over, in order.
        take()
        while audio.next != nil { last = audio.deliver(notBefore: last) ?? last }
        #expect(sink.seen.frames.count == 200 && sink.seen.frames.suffix(100).allSatisfy { $0.arrival > allowed })
        // What came partly afterwards is taken from there on.
        let next = made.fragment(made.audio, at: 2_000, sampleMs: 20, count: 200)
        audio.take(made.item(made.audio, next, arrivalMs: 15_000, delayMs: delayMs), offsetUs: 0)
        last = Instant(ms: 9_000)
        while audio.next != nil { last = audio.deliver(notBefore: last, allowedSince: [allowed]) ?? last }
        // Its first sample ends at 10,020 ms by its own time, its last at 14,000.
        #expect(sink.seen.frames.suffix(200).count { $0.arrival > allowed } == 100)
    }

    @Test("sound from while the microphone was off is silence, also when it is handed over later")
    func muted() throws {
        let made = try Made()
        let sink = CollectingSink()
        let (_, audio) = made.tracks(sink)
        let fragment = made.fragment(made.audio, at: 0, sampleMs: 20, count: 100)
        audio.take(made.item(made.audio, fragment, arrivalMs: 14_000, delayMs: 8_000), offsetUs: 0)
        var last = Instant(ms: 0)
        while audio.next != nil { last = audio.deliver(notBefore: last, mutedUntil: Instant(ms: 9_000)) ?? last }
        let heard = sink.seen.frames.map { frame in frame.withBytes { [UInt8]($0) } == Array(fragment.data.prefix(5)) }
        // They end at 8,020, 8,040, … 10,000 ms.
        #expect(heard == (1...100).map { $0 > 50 })
    }

    @Test("a track that brings nothing is waited for once, and not as long as the machine waits for the camera")
    func lagging() throws {
        let made = try Made()
        let (video, audio) = made.tracks(CollectingSink())
        func picture(at ms: Int64) {
            let fragment = made.fragment(made.video, at: ms, sampleMs: 40, count: 150)
            video.take(
                made.item(made.video, fragment, arrivalMs: ms + 6_000, delayMs: 0), offsetUs: 0)
        }
        let sound = made.fragment(made.audio, at: 0, sampleMs: 20, count: 300)
        audio.take(made.item(made.audio, sound, arrivalMs: 6_000, delayMs: 0), offsetUs: 0)
        while audio.next != nil { _ = audio.deliver(notBefore: Instant(ms: 0)) }
        picture(at: 6_000)
        func isAwaited(_ ms: Int64) -> Bool {
            audio.isAwaited(before: 11_000_000, by: video, silenceMs: 10_000, at: Instant(ms: ms))
        }
        #expect(isAwaited(12_000) && isAwaited(14_999))
        // The other's fragment took six seconds; four are left before it counts as silent, less one.
        #expect(!isAwaited(15_000))
        #expect(!isAwaited(12_000), "it is waited for once")
        let more = made.fragment(made.audio, at: 6_000, sampleMs: 20, count: 100)
        audio.take(made.item(made.audio, more, arrivalMs: 15_500, delayMs: 0), offsetUs: 0)
        while audio.next != nil { _ = audio.deliver(notBefore: Instant(ms: 0)) }
        #expect(isAwaited(13_000))
    }

    @Test("a fragment is known when it comes again, for five minutes, however short it is")
    func repeats() throws {
        let made = try Made()
        let path = try PushPath("a/b.mp4")
        let start = Instant(ms: 1_000)
        var session = PushSession(number: 1, name: "", at: start)
        try session.take(path, made.digest, [made.video], at: start)
        let fragments = (0..<4_000).map { made.fragment(made.video, at: $0 * 40, sampleMs: 40, count: 1) }
        for (index, fragment) in fragments.enumerated() {
            let verdict = session.judge(fragment, header: 0, track: 0, at: start + Int64(index * 40))
            #expect(verdict == .new(missing: 0))
        }
        // Its header comes again, as after a reconnect.
        try session.take(path, made.digest, [made.video], at: start + 160_000)
        for fragment in [fragments[0], fragments[1_000], fragments[3_999]] {
            #expect(session.judge(fragment, header: 0, track: 0, at: start + 160_000) == .repeated)
        }
        // One that takes no time is known, too, and what has its time besides is another.
        let flat = made.fragment(made.video, at: 160_000, sampleMs: 0, count: 1)
        #expect(session.judge(flat, header: 0, track: 0, at: start + 160_000) == .new(missing: 0))
        #expect(session.judge(flat, header: 0, track: 0, at: start + 160_000) == .repeated)
        let next = made.fragment(made.video, at: 160_000, sampleMs: 40, count: 1, bytes: 6)
        #expect(session.judge(next, header: 0, track: 0, at: start + 400_000) == .new(missing: 0))
        try session.take(path, made.digest, [made.video], at: start + 400_000)
        // The camera has begun anew: what was known by this time is forgotten.
        #expect(
            session.judge(fragments[0], header: 0, track: 0, at: start + 400_000) == .new(missing: 0))
        #expect(session.number == 2)
    }

    @Test("a name of a session that has ended is taken again when its successor is silent, and not before")
    func names() throws {
        let made = try Made()
        let point = PublishingPoint(name: "/ingest/front/main")
        func header(_ session: String, at ms: Int64) throws(PushRefusal) {
            let now = Instant(ms: ms)
            let generation = try point.begin(PushRig.pusher, at: now)
            defer { point.end(holding: 0) }
            try point.take(
                header: [made.video], digest: made.digest, at: PushPath("\(session)/v.mp4"), of: PushRig.pusher,
                generation: generation, at: now)
        }
        try header("session_1", at: 0)
        try header("session_2", at: 5_000)
        let early = #expect(throws: PushRefusal.self) { try header("session_1", at: 14_999) }
        #expect(early?.kind == .conflict)
        // What is refused keeps nobody out.
        point.heard(PushRig.pusher, at: Instant(ms: 14_999))
        try header("session_1", at: 15_000)
        #expect(point.pushing(at: Instant(ms: 15_000))?.session == "session_1")
    }

    @Test("whoever loses the right to push while a request is under way begins nothing with it")
    func revoked() throws {
        let made = try Made()
        let point = PublishingPoint(name: "/ingest/front/main")
        let now = Instant(ms: 0)
        let generation = try point.begin(PushRig.pusher, at: now)
        point.dismiss()
        let refusal = #expect(throws: PushRefusal.self) {
            try point.take(
                header: [made.video], digest: made.digest, at: PushPath("v.mp4"), of: PushRig.pusher,
                generation: generation, at: now)
        }
        #expect(refusal?.kind == .unauthenticated && point.pushing(at: now) == nil)
        let other = PublishingPoint.Pusher(login: "front", address: "192.0.2.8")
        #expect(throws: Never.self) { try point.begin(other, at: now) }
    }

    @Test("all data of a fragment counts, also what no sample is of; a sample without bytes is refused")
    func memory() throws {
        let made = try Made()
        let point = PublishingPoint(name: "/ingest/front/main")
        let now = Instant(ms: 0)
        let generation = try point.begin(PushRig.pusher, at: now)
        let path = try PushPath("v.mp4")
        try point.take(
            header: [made.video], digest: made.digest, at: path, of: PushRig.pusher, generation: generation, at: now)
        _ = point.attach()
        func offer(_ number: Int64) throws(PushRefusal) -> PublishingPoint.Offer {
            let small = made.fragment(made.video, at: number * 40, sampleMs: 40, count: 1)
            let large = PushedFragment(
                decodeTime: small.decodeTime, sequence: 1, samples: small.samples, offsets: small.offsets,
                data: [UInt8](repeating: 0, count: 15 << 20), digest: small.digest, wallClock: nil, isLast: false)
            let header = try point.header(
                of: path, tracks: [made.video.layout.trackID], of: PushRig.pusher, generation: generation, at: now)
            return try point.offer(
                [(0, large)], header: header, of: PushRig.pusher, generation: generation, since: now, at: now)
        }
        for number in 0..<2 { guard case .done = try offer(Int64(number)) else { return #expect(Bool(false)) } }
        guard case .again = try offer(2) else { return #expect(Bool(false), "a third one does not fit") }
    }

    @Test("what was kept and is pushed at once comes out whole: each frame, its distance, and gaps up to ten seconds")
    func backlog() async throws {
        let rig = try PushRig()
        // More than two minutes, so that what waits for its turn waits longer than a camera may be silent.
        try rig.dash(seconds: 140, video: PushRig.video + ["-bf", "0"], segment: "4")
        let (input, sink) = rig.start()
        for name in try rig.objects() where !name.contains("00004") { try await rig.push(name) }
        let video = try rig.packets("in.mp4", "v")
        let kept = Array(video[..<300]) + Array(video[400...])
        #expect(sink.wait { $0.frames.sums(.video).count >= kept.count || !$0.ends.isEmpty })
        #expect(sink.seen.ends.isEmpty)
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.seen.frames.sums(.video) == kept && sink.seen.repairs.isEmpty)
        #expect(sink.seen.ends == [.stopped])
        let frames = sink.seen.frames.filter { $0.kind == .video }
        let steps = zip(frames, frames.dropFirst()).map { $1.pts - $0.pts }
        #expect(steps.filter { $0 != 3_600 } == [3_600 * 101], "\(steps.filter { $0 != 3_600 })")
    }

    @Test("an input that is stopped amid a fragment gives back the rest, and the next one goes on with it")
    func handedOn() async throws {
        let rig = try PushRig()
        try rig.dash(seconds: 60, video: PushRig.video + ["-bf", "0"], segment: "4")
        let (input, first) = rig.start()
        for name in try rig.objects() { try await rig.push(name) }
        #expect(first.wait { $0.frames.count > 700 })
        input.stop()
        #expect(first.wait { !$0.ends.isEmpty })
        let (next, second) = rig.start()
        let (video, audio) = (try rig.packets("in.mp4", "v"), try rig.packets("in.mp4", "a"))
        #expect(first.seen.frames.sums(.video).count < video.count)
        #expect(
            second.wait {
                first.seen.frames.sums(.video).count + $0.frames.sums(.video).count >= video.count - 1
                    && first.seen.frames.sums(.audio).count + $0.frames.sums(.audio).count >= audio.count
            })
        next.stop()
        #expect(second.wait { !$0.ends.isEmpty })
        #expect(first.seen.frames.sums(.audio) + second.seen.frames.sums(.audio) == audio)
        // A picture that was under way when the first one was stopped went with it.
        let seen = first.seen.frames.sums(.video) + second.seen.frames.sums(.video)
        #expect(seen.count >= video.count - 1 && Set(seen).isSubset(of: Set(video)))
    }

    /// A point to which headers and fragments are pushed at any time.
    private final class Pushed {
        let made: Made
        let point = PublishingPoint(name: "/ingest/front/main")
        let reader: UInt64

        init() throws {
            made = try Made()
            reader = point.attach()
        }

        func header(
            _ path: String, _ tracks: [PushedTrack], at ms: Int64, of pusher: PublishingPoint.Pusher = PushRig.pusher
        ) throws(PushRefusal) {
            let now = Instant(ms: ms)
            let generation = try point.begin(pusher, at: now)
            defer { point.end(holding: 0) }
            try point.take(
                header: tracks, digest: made.digest, at: PushPath(path), of: pusher, generation: generation, at: now)
        }

        func fragment(
            _ path: String, _ track: PushedTrack, from mediaMs: Int64, at ms: Int64,
            of pusher: PublishingPoint.Pusher = PushRig.pusher
        ) throws(PushRefusal) {
            let now = Instant(ms: ms)
            let generation = try point.begin(pusher, at: now)
            defer { point.end(holding: 0) }
            let header = try point.header(
                of: PushPath(path), tracks: [track.layout.trackID], of: pusher, generation: generation, at: now)
            let place = header.tracks.firstIndex { $0.layout.trackID == track.layout.trackID } ?? 0
            _ = try point.offer(
                [(place, made.fragment(track, at: mediaMs, sampleMs: 40, count: 25))], header: header, of: pusher,
                generation: generation, since: now, at: now)
        }

        /// The keys of what is taken now.
        func taken() -> [PublishingPoint.Item] { point.take(reader) ?? [] }
    }

    @Test("what is left of a session comes beside the begin of the next, unless that has the same kind already")
    func overlap() throws {
        let pushed = try Pushed()
        let (video, audio) = (pushed.made.video, pushed.made.audio)
        for session in ["session_1", "session_2"] {
            if session == "session_2" { _ = pushed.taken() }
            try pushed.header("\(session)/v/v.mp4", [video], at: 0)
            try pushed.header("\(session)/a/a.mp4", [audio], at: 0)
            try pushed.fragment("\(session)/v/v.mp4", video, from: 0, at: 1_000)
        }
        try pushed.fragment("session_1/a/a.mp4", audio, from: 0, at: 1_100)
        #expect(pushed.taken().map(\.session) == [2, 1])
        let late = #expect(throws: PushRefusal.self) {
            try pushed.fragment("session_1/v/v.mp4", video, from: 1_000, at: 1_200)
        }
        #expect(late?.kind == .conflict)
        try pushed.fragment("session_2/a/a.mp4", audio, from: 0, at: 1_300)
        #expect(throws: PushRefusal.self) { try pushed.fragment("session_1/a/a.mp4", audio, from: 1_000, at: 1_400) }
        // What came before is no error: it came.
        let repeated = pushed.point.counts.repeated
        try pushed.fragment("session_1/v/v.mp4", video, from: 0, at: 1_500)
        #expect(pushed.point.counts.repeated == repeated + 1 && pushed.taken().map(\.session) == [2])
        #expect(throws: PushRefusal.self) { try pushed.fragment("session_1/a/a.mp4", audio, from: 1_000, at: 20_000) }
    }

    @Test("another address of the same login goes on with the session, and so do other keys: repeats are known")
    func goesOn() throws {
        let pushed = try Pushed()
        let video = pushed.made.video
        try pushed.header("v.mp4", [video], at: 0)
        try pushed.fragment("v.mp4", video, from: 0, at: 1_000)
        #expect(pushed.taken().count == 1)
        let moved = PublishingPoint.Pusher(login: PushRig.pusher.login, address: "2001:db8::7")
        try pushed.header("v.mp4", [video], at: 20_000, of: moved)
        try pushed.fragment("v.mp4", video, from: 0, at: 20_000, of: moved)
        #expect(pushed.taken().isEmpty && pushed.point.counts.repeated == 1)
        pushed.point.dismiss()
        try pushed.header("v.mp4", [video], at: 20_100, of: moved)
        try pushed.fragment("v.mp4", video, from: 0, at: 20_100, of: moved)
        #expect(pushed.taken().isEmpty && pushed.point.counts.repeated == 2)
        let other = PublishingPoint.Pusher(login: "yard", address: "192.0.2.9")
        try pushed.header("v.mp4", [video], at: 40_000, of: other)
        try pushed.fragment("v.mp4", video, from: 0, at: 40_000, of: other)
        #expect(pushed.taken().count == 1)
    }

    @Test("a pusher without sessions that pushes something else later begins anew: no old header is in its way")
    func otherName() async throws {
        let pushed = try Pushed()
        let video = pushed.made.video
        try pushed.header("test.mp4", [video], at: 0)
        try pushed.fragment("test.mp4", video, from: 0, at: 1_000)
        let before = pushed.taken()
        try pushed.header("video.mp4", [video], at: 20_000)
        try pushed.fragment("video.mp4", video, from: 0, at: 20_000)
        let after = pushed.taken()
        #expect(after.count == 1 && after.first?.session != before.first?.session)
        #expect(pushed.point.tracks(of: after.first?.session ?? 0).map(\.key) == ["video.mp4#0"])
        // Within the same session the one that is pushed is the one that is described.
        let rig = try PushRig()
        let movie = try rig.movie(seconds: 2, video: PushRig.video + ["-bf", "0"], audio: [])
        let header = try #require(movie.indices.dropFirst(4).first { movie[$0...].starts(with: [UInt8]("moof".utf8)) })
        try await rig.push(Array(movie[..<(header - 4)]), at: "test.mp4")
        try await rig.push(movie, at: "video.mp4")
        let (input, sink) = rig.start()
        #expect(sink.wait { $0.frames.count >= 49 })
        input.stop()
        #expect(sink.wait { !$0.ends.isEmpty })
    }

    @Test("own times stay right while what was kept is pushed at once, so that none of it counts as taken later")
    func ownTimes() throws {
        let pushed = try Pushed()
        let video = pushed.made.video
        try pushed.header("v.mp4", [video], at: 0)
        for second in 0..<10 {
            try pushed.fragment("v.mp4", video, from: Int64(second) * 1_000, at: Int64(second + 1) * 1_000)
        }
        // Five minutes are kept, and come at once.
        for second in 10..<310 { try pushed.fragment("v.mp4", video, from: Int64(second) * 1_000, at: 310_000) }
        let delays = pushed.taken().map(\.delayMs)
        #expect(delays.count == 310 && delays.prefix(10).allSatisfy { $0 == 0 })
        // What passed in between may have been a clock that is slow, by so much.
        #expect(delays.dropFirst(10).allSatisfy { (0...61).contains($0) }, "\(delays.suffix(1))")
    }

    @Test("a session that another has followed begins nothing anew, and takes the number of none")
    func neverAnew() throws {
        let pushed = try Pushed()
        let (video, audio) = (pushed.made.video, pushed.made.audio)
        try pushed.header("s1/v.mp4", [video], at: 0)
        try pushed.fragment("s1/v.mp4", video, from: 60_000, at: 1_000)
        try pushed.header("s1/v.mp4", [video], at: 1_100)
        try pushed.header("s2/v.mp4", [video], at: 1_200)
        try pushed.header("s2/a.mp4", [audio], at: 1_200)
        let late = #expect(throws: PushRefusal.self) { try pushed.fragment("s1/v.mp4", video, from: 0, at: 1_300) }
        #expect(late?.kind == .conflict)
        try pushed.fragment("s2/a.mp4", audio, from: 0, at: 1_400)
        #expect(pushed.taken().map(\.session) == [1, 2])
    }

    @Test("a track whose times run ahead takes nothing from the other: each has a delay of its own")
    func ownDelays() throws {
        let pushed = try Pushed()
        let (video, audio) = (pushed.made.video, pushed.made.audio)
        try pushed.header("v.mp4", [video], at: 0)
        try pushed.header("a.mp4", [audio], at: 0)
        try pushed.fragment("v.mp4", video, from: 0, at: 1_000)
        try pushed.fragment("a.mp4", audio, from: 0, at: 1_000)
        // Sound jumps by an hour.
        try pushed.fragment("a.mp4", audio, from: 3_600_000, at: 2_000)
        try pushed.fragment("v.mp4", video, from: 1_000, at: 2_000)
        #expect(pushed.taken().map(\.delayMs) == [0, 0, -3_599_000, 0])
    }
}
