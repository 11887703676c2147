import Machines

/// The manifest of DASH (ISO/IEC 23009-1). Stretches with the same headers are one period, with holes in its time line; its
/// segments are ranges of bytes of the track files.
public enum DASHManifest {
    /// Stretches that are one period.
    private struct Period {
        let stretches: ArraySlice<PlaybackPlan.Stretch>

        var startMs: Int64 { stretches.first?.playedStartMs ?? 0 }
        var endMs: Int64 { stretches.last?.playedEndMs ?? 0 }
        var kinds: [TrackKind] { stretches.first?.tracks.map(\.kind) ?? [] }
        func tracks(_ kind: TrackKind) -> [(stretch: PlaybackPlan.Stretch, track: PlayedTrack)] {
            stretches.compactMap { stretch in stretch.track(kind).map { (stretch, $0) } }
        }
    }

    /// The manifest of a time. `continues`: for each stretch, whether its headers are those of the one before. `nowMs`: the wall
    /// time.
    public static func manifest(
        _ plan: PlaybackPlan, _ traits: PlaybackTraits, continues: [Bool], isFinished: Bool, nowMs: Int64,
        _ links: PlaylistLinks
    ) -> [UInt8] {
        var text = PlaylistText(capacity: 1_024 + 200 * plan.segmentCount)
        let begins = plan.stretches.indices.filter { $0 == 0 || !(continues.indices.contains($0) && continues[$0]) }
        let periods = zip(begins, begins.dropFirst() + [plan.stretches.count]).map {
            Period(stretches: plan.stretches[$0..<$1])
        }
        let zero = periods.first?.startMs ?? 0
        text.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        text.add("<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" profiles=\"urn:mpeg:dash:profile:isoff-main:2011\"")
        text.add(" minBufferTime=\"PT4S\"")
        if isFinished {
            text.add(" type=\"static\" mediaPresentationDuration=\"")
            duration((periods.last?.endMs ?? 0) &- zero, &text)
        } else {
            let begin = plan.stretches.first?.wallMs.lowerBound ?? plan.fromMs
            text.add(" type=\"dynamic\" minimumUpdatePeriod=\"PT4S\" availabilityStartTime=\"")
            text.add(links.time(begin) + "\" publishTime=\"" + links.time(nowMs))
        }
        text.line("\">")
        for (number, period) in periods.enumerated() {
            text.add("<Period id=\"p\(number)\" start=\"")
            duration(period.startMs &- zero, &text)
            if isFinished || number + 1 < periods.count {
                text.add("\" duration=\"")
                duration(period.endMs &- period.startMs, &text)
            }
            text.line("\">")
            for kind in period.kinds { set(kind, of: period, traits, isFinished: isFinished, links, &text) }
            text.line("</Period>")
        }
        text.line("</MPD>")
        return text.bytes
    }

    private static func set(
        _ kind: TrackKind, of period: Period, _ traits: PlaybackTraits, isFinished: Bool, _ links: PlaylistLinks,
        _ text: inout PlaylistText
    ) {
        let tracks = period.tracks(kind)
        guard let (first, track) = tracks.first else { return }
        text.add("<AdaptationSet contentType=\"\(kind.rawValue)\" mimeType=\"\(kind.rawValue)/mp4\"")
        if tracks.allSatisfy({ $0.track.segments.allSatisfy(\.startsWithKey) }) { text.add(" startWithSAP=\"1\"") }
        text.line(">")
        text.add("<Representation id=\"\(kind.rawValue)\" codecs=\"\(track.codec)\" bandwidth=\"")
        text.number(traits.bandwidth[kind]?.peak ?? 1)
        // Without it ffmpeg 5.1 reads a segment of few pictures to its end to find their rate, and takes that for the end of all.
        if kind == .video, let rate = traits.frameRate, rate > 0 {
            text.add("\" frameRate=\"")
            text.number(rate % 1_000 == 0 ? rate / 1_000 : rate)
            if rate % 1_000 != 0 { text.add("/1000") }
        }
        text.line("\">")
        // All tracks of a period begin at the same moment.
        let offset = max(0, Ticks.rescale(period.startMs, from: 1_000, to: track.timescale))
        text.line("<SegmentList timescale=\"\(track.timescale)\" presentationTimeOffset=\"\(offset)\">")
        text.add("<Initialization sourceURL=\"")
        text.media(first.clip, kind, shift: 0, levels: 2, links, and: "&amp;")
        text.line("\" range=\"0-\(track.headerBytes - min(1, track.headerBytes))\"/>")
        text.line("<SegmentTimeline>")
        for (_, track) in tracks {
            for segment in track.joined(isFinished) {
                text.add("<S t=\"")
                text.number(max(0, track.playedStart(segment)))
                text.add("\" d=\"")
                text.number(segment.duration)
                text.add("\"/>\n")
            }
        }
        text.line("</SegmentTimeline>")
        for (stretch, track) in tracks {
            for segment in track.joined(isFinished) {
                text.add("<SegmentURL media=\"")
                text.media(stretch.clip, kind, shift: track.shift, levels: 2, links, and: "&amp;")
                text.add("\" mediaRange=\"")
                text.number(segment.bytes.lowerBound)
                text.add("-")
                text.number(segment.bytes.upperBound - 1)
                text.add("\"/>\n")
            }
        }
        text.line("</SegmentList>")
        text.line("</Representation>")
        text.line("</AdaptationSet>")
    }

    private static func duration(_ ms: Int64, _ text: inout PlaylistText) {
        text.add("PT")
        text.seconds(ms, timescale: 1_000)
        text.add("S")
    }
}

extension PlayedTrack {
    /// The least duration of a segment at the end of a finished stretch, in milliseconds.
    private static let tailMs: Int64 = 2_000

    /// The segments; where nothing follows any more, a short one at the end is part of the one before. libavformat ends a stream
    /// at a segment that it has read whole by the time it has opened it.
    fileprivate func joined(_ isFinished: Bool) -> [Segment] {
        guard isFinished, segments.count > 1, let last = segments.last,
            Ticks.rescale(last.duration, from: timescale, to: 1_000) < Self.tailMs
        else { return segments }
        let before = segments[segments.count - 2]
        let whole = Segment(
            bytes: before.bytes.lowerBound..<last.bytes.upperBound, start: before.start,
            duration: before.duration &+ last.duration, startsWithKey: before.startsWithKey,
            fragments: before.fragments.lowerBound..<last.fragments.upperBound)
        return segments.dropLast(2) + [whole]
    }
}
