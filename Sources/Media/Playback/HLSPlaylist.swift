public import Machines

/// The playlists of HLS (RFC 8216): segments are ranges of bytes of the track files.
public enum HLSPlaylist {
    /// The target duration of a list that grows, in seconds, unless a segment is longer: it must not change.
    static let growingTarget: Int64 = 6

    /// The list of the lists of a time. `first`: what the header of a track that is played first says.
    public static func variants(_ plan: PlaybackPlan, _ traits: PlaybackTraits, _ links: PlaylistLinks) -> [UInt8] {
        var text = PlaylistText(capacity: 1_024)
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:7")
        if traits.allStartWithKey { text.line("#EXT-X-INDEPENDENT-SEGMENTS") }
        let hasVideo = traits.bandwidth[.video] != nil
        let hasAudio = traits.bandwidth[.audio] != nil
        if hasVideo, hasAudio {
            text.add("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\",NAME=\"Sound\",DEFAULT=YES,AUTOSELECT=YES,URI=\"")
            text.add("play/audio.m3u8" + links.listQuery)
            text.line("\"")
        }
        text.add("#EXT-X-STREAM-INF:BANDWIDTH=")
        text.number(traits.bandwidth.values.reduce(0) { $0 + $1.peak })
        text.add(",AVERAGE-BANDWIDTH=")
        text.number(traits.bandwidth.values.reduce(0) { $0 + $1.average })
        text.add(",CODECS=\"" + traits.codecs.joined(separator: ",") + "\"")
        picture(traits, &text)
        if let rate = traits.frameRate {
            text.add(",FRAME-RATE=")
            text.number(rate / 1_000)
            text.add("." + String(rate % 1_000 + 1_000).dropFirst())
        }
        if hasVideo, hasAudio { text.add(",AUDIO=\"sound\"") }
        text.end()
        text.line("play/\(hasVideo ? "video" : "audio").m3u8" + links.listQuery)
        if hasVideo, let video = traits.codecs(.video).first {
            text.add("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=")
            text.number(traits.bandwidth[.video]?.peak ?? 1)
            text.add(",CODECS=\"" + video + "\"")
            picture(traits, &text)
            text.add(",URI=\"play/keys.m3u8" + links.listQuery)
            text.line("\"")
        }
        return text.bytes
    }

    private static func picture(_ traits: PlaybackTraits, _ text: inout PlaylistText) {
        guard let width = traits.width, let height = traits.height else { return }
        text.add(",RESOLUTION=")
        text.number(width)
        text.add("x")
        text.number(height)
    }

    /// The list of one kind of track. Where a stretch has none, its place is kept, so that lists of both kinds have the same
    /// discontinuities.
    public static func media(
        _ plan: PlaybackPlan, _ kind: TrackKind, isFinished: Bool, _ links: PlaylistLinks
    ) -> [UInt8] {
        var text = PlaylistText(capacity: 512 + 140 * plan.segmentCount)
        let longest = plan.stretches.lazy.map { stretch in
            let track = stretch.track(kind) ?? stretch.tracks[0]
            return (ticks: track.segments.reduce(0) { max($0, $1.duration) }, timescale: track.timescale)
        }
        head(&text, version: 8, target: target(longest, isFinished: isFinished), isFinished: isFinished)
        if kind == .audio || (isFinished && plan.startsWithKeys) { text.line("#EXT-X-INDEPENDENT-SEGMENTS") }
        start(plan, kind, isFinished: isFinished, &text)
        for (number, stretch) in plan.stretches.enumerated() {
            // What may still get this kind of track is not told yet.
            guard let track = stretch.track(kind) ?? (stretch.isWhole ? stretch.tracks.first : nil) else { break }
            if number > 0 { text.line("#EXT-X-DISCONTINUITY") }
            segments(of: stretch, track, isGap: track.kind != kind, kind, links, &text)
        }
        if isFinished { text.line("#EXT-X-ENDLIST") }
        return text.bytes
    }

    private static func segments(
        of stretch: PlaybackPlan.Stretch, _ track: PlayedTrack, isGap: Bool, _ kind: TrackKind, _ links: PlaylistLinks,
        _ text: inout PlaylistText
    ) {
        if !isGap { map(stretch, track, links, &text) }
        if let first = track.segments.first {
            text.add("#EXT-X-PROGRAM-DATE-TIME:")
            text.line(links.time(stretch.wallMs(first.start, track)))
        }
        var parts = Parts(stretch.clip, track, as: kind, links)
        for segment in track.segments { parts.add(segment.duration, isGap ? nil : segment.bytes, to: &text) }
    }

    /// The parts of a track with their addresses. The list of a day has twenty thousand of them: what they have in common is
    /// put together once.
    private struct Parts {
        private let timescale: UInt32
        private var address = PlaylistText(capacity: 160)
        private var length = PlaylistText(capacity: 64)
        private var lengthTicks: Int64?

        init(_ clip: Int64, _ track: PlayedTrack, as kind: TrackKind, _ links: PlaylistLinks) {
            timescale = track.timescale
            address.media(clip, kind, shift: track.shift, levels: 3, links)
            address.end()
        }

        mutating func add(_ duration: Int64, _ bytes: Range<UInt64>?, to text: inout PlaylistText) {
            if duration != lengthTicks {
                length.clear()
                length.add("#EXTINF:")
                length.seconds(duration, timescale: timescale)
                length.add(",\n")
                lengthTicks = duration
            }
            text.add(length)
            if let bytes {
                range(bytes, &text)
            } else {
                text.add("#EXT-X-GAP\n")
            }
            text.add(address)
        }
    }

    /// The list of key frames alone: each as the range of bytes from its fragment's begin to its own end.
    public static func keys(
        _ plan: PlaybackPlan, _ keys: [[PlayedKey]], isFinished: Bool, _ links: PlaylistLinks
    ) -> [UInt8] {
        var text = PlaylistText(capacity: 512 + 140 * keys.reduce(0) { $0 + $1.count })
        let longest = zip(plan.stretches, keys).lazy.map { stretch, keys in
            (ticks: keys.reduce(0) { max($0, $1.duration) }, timescale: stretch.track(.video)?.timescale ?? 1)
        }
        head(&text, version: 7, target: target(longest, isFinished: isFinished), isFinished: isFinished)
        text.line("#EXT-X-I-FRAMES-ONLY")
        for (number, (stretch, keys)) in zip(plan.stretches, keys).enumerated() {
            if number > 0 { text.line("#EXT-X-DISCONTINUITY") }
            guard let track = stretch.track(.video), let first = keys.first else { continue }
            map(stretch, track, links, &text)
            text.add("#EXT-X-PROGRAM-DATE-TIME:")
            text.line(links.time(stretch.wallMs(first.start, track)))
            var parts = Parts(stretch.clip, track, as: .video, links)
            for key in keys { parts.add(key.duration, key.bytes, to: &text) }
        }
        if isFinished { text.line("#EXT-X-ENDLIST") }
        return text.bytes
    }

    private static func head(_ text: inout PlaylistText, version: Int, target: Int64, isFinished: Bool) {
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:\(version)")
        text.line("#EXT-X-TARGETDURATION:\(target)")
        text.line("#EXT-X-PLAYLIST-TYPE:" + (isFinished ? "VOD" : "EVENT"))
        text.line("#EXT-X-MEDIA-SEQUENCE:0")
    }

    /// Players begin at the wish, not at the key frame before it, and not at the end of a list that grows.
    private static func start(
        _ plan: PlaybackPlan, _ kind: TrackKind, isFinished: Bool, _ text: inout PlaylistText
    ) {
        guard let stretch = plan.stretches.first, let track = stretch.track(kind), let first = track.segments.first
        else { return }
        let before = max(0, plan.fromMs &- stretch.wallMs(first.start, track))
        guard before > 0 || !isFinished else { return }
        text.add("#EXT-X-START:TIME-OFFSET=")
        text.seconds(before, timescale: 1_000)
        text.line(before > 0 ? ",PRECISE=YES" : "")
    }

    private static func map(
        _ stretch: PlaybackPlan.Stretch, _ track: PlayedTrack, _ links: PlaylistLinks, _ text: inout PlaylistText
    ) {
        text.add("#EXT-X-MAP:URI=\"")
        text.media(stretch.clip, track.kind, shift: 0, levels: 3, links)
        text.add("\",BYTERANGE=\"")
        text.number(track.headerBytes)
        text.add("@0\"\n")
    }

    private static func range(_ bytes: Range<UInt64>, _ text: inout PlaylistText) {
        text.add("#EXT-X-BYTERANGE:")
        text.number(bytes.upperBound - bytes.lowerBound)
        text.add("@")
        text.number(bytes.lowerBound)
        text.end()
    }

    /// The longest of the longest durations of all stretches in whole seconds, rounded; at least 1.
    private static func target(
        _ durations: some Sequence<(ticks: Int64, timescale: UInt32)>, isFinished: Bool
    ) -> Int64 {
        let longest = durations.reduce(Int64(1)) { longest, next in
            max(longest, (Ticks.rescale(next.ticks, from: next.timescale, to: 1_000) + 500) / 1_000)
        }
        return isFinished ? longest : max(longest, growingTarget)
    }
}

extension PlaybackPlan {
    /// Whether decoding can begin with each segment of pictures.
    var startsWithKeys: Bool {
        stretches.allSatisfy { $0.track(.video)?.segments.allSatisfy(\.startsWithKey) ?? true }
    }
}
