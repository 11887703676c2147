import Hashing
import Machines

@testable import Media

/// Bodies that a camera pushes: taken apart in parts of any size, and turned into fragments and frames, or refused.
enum CMAFTarget {
    private static let path = "session_1/video/segment_1.m4s"
    private static let now = Instant(ms: 1_000_000)

    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let path = try? PushPath(path) else { return hold(false, "a short path is one") }
        var session = PushSession(number: 1, name: path.session, at: now)
        let whole = pieces(bytes, inPartsOf: bytes.count)
        hold(whole == pieces(bytes, inPartsOf: 7), "the parts in which a body comes change nothing")
        var body = PushedBody()
        var rest = [UInt8](bytes)[...]
        var clock = PushClock()
        while let piece = try? body.next(&rest) {
            switch piece {
            case .header(let fileType, let movie):
                guard let tracks = try? PushedTrack.tracks(fileType: fileType, movie: movie) else { return }
                try? session.take(path, SHA256.value(of: fileType + movie), tracks, at: now)
            case .chunk(let chunk): take(chunk, &session, &clock, path)
            }
        }
    }

    private static func take(
        _ chunk: PushedBody.Chunk, _ session: inout PushSession, _ clock: inout PushClock, _ path: PushPath
    ) {
        guard let header = session.header(of: path, tracks: PushedFragment.trackIDs(of: chunk)),
            let fragments = try? PushedFragment.fragments(of: chunk, tracks: session.headers[header].tracks)
        else { return }
        for (track, fragment) in fragments {
            hold(fragment.samples.count == fragment.offsets.count, "each sample has a place")
            for (sample, offset) in zip(fragment.samples, fragment.offsets) {
                hold(offset >= 0 && offset + Int(sample.size) <= fragment.data.count, "samples lie in their data")
            }
            guard case .new = session.judge(fragment, header: header, track: track, at: now) else { continue }
            hold(
                session.judge(fragment, header: header, track: track, at: now) == .repeated,
                "what comes again is a repeat")
            let delayMs = session.delayMs(of: fragment, header: header, track: track, at: now)
            frames(fragment, session, header, track, &clock, delayMs)
        }
    }

    private static func frames(
        _ fragment: PushedFragment, _ session: PushSession, _ header: Int, _ track: Int, _ clock: inout PushClock,
        _ delayMs: Int64
    ) {
        let pushed = session.headers[header].tracks[track]
        let item = PublishingPoint.Item(
            session: session.number, key: "a", version: 0, track: pushed, fragment: fragment, missing: 1,
            arrival: now, delayMs: delayMs)
        let context = DialContext(
            sink: FrameChecker(), pool: SlabPool(), limits: InputLimits(),
            clocks: [Timeline.Clock(kind: pushed.kind, timescale: pushed.frameTimescale, bits: 64, isTrusted: true)])
        let made = PushTrack(ordinal: 0, key: "a", session: session.number, version: 0, pushed, context)
        let offset = clock.offsetUs(
            session: session.number, beginUs: item.beginUs, durationUs: item.durationUs, arrival: item.arrival,
            wallMs: fragment.wallClock?.unixMs)
        made.take(item, offsetUs: offset)
        var last = Instant(ms: 0)
        while made.next != nil {
            // Everything was allowed again now: what was taken before came before.
            guard let arrival = made.deliver(notBefore: last, allowedSince: [now]) else { continue }
            hold(arrival >= last && arrival <= now, "arrivals never go back, nor beyond what is allowed")
            last = arrival
        }
        made.flush(at: last)
    }

    /// What is found, in few words.
    private static func pieces(_ bytes: UnsafeRawBufferPointer, inPartsOf size: Int) -> [String] {
        var body = PushedBody()
        var found: [String] = []
        var rest = [UInt8](bytes)[...]
        do throws(PushRefusal) {
            while !rest.isEmpty {
                var part = rest.prefix(max(1, size))
                rest = rest.dropFirst(max(1, size))
                while let piece = try body.next(&part) {
                    switch piece {
                    case .header(let fileType, let movie): found.append("header \(fileType.count) \(movie.count)")
                    case .chunk(let chunk): found.append("chunk \(chunk.header.count) \(chunk.data.count)")
                    }
                }
            }
            try body.end()
        } catch { found.append("\(error)") }
        return found
    }
}
