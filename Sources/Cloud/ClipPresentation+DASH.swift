internal import Foundation
internal import Machines
internal import Media

extension ClipPresentation {
    /// The least length of the last segment of a manifest, in milliseconds, where it can be joined with the one before: libavformat
    /// ends a stream at a segment that it has read whole by the time it has opened it.
    private static let tailMs: Int64 = 2_000

    /// The DASH manifest (`manifest.mpd`) of a clip that is over: one period, all segments by their places.
    public func manifest() -> Part {
        let shown = tracks.filter { !$0.segments.isEmpty }
        var text = PlaylistText(capacity: 1_024 + 160 * shown.reduce(0) { $0 + $1.segments.count })
        text.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        text.add("<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" profiles=\"urn:mpeg:dash:profile:isoff-main:2011\"")
        if kid != nil { text.add(" xmlns:cenc=\"urn:mpeg:cenc:2013\"") }
        text.add(" type=\"static\" minBufferTime=\"PT4S\" mediaPresentationDuration=\"PT")
        text.seconds(shown.map { $0.milliseconds($0.segments.last?.end ?? 0) }.max() ?? 0, timescale: 1_000)
        text.line("S\">")
        text.line("<Period id=\"clip\" start=\"PT0S\">")
        for track in shown { Self.set(track, kid, &text) }
        text.line("</Period>")
        text.line("</MPD>")
        return Part(CloudKeys.manifest, contentType: Self.dash, text)
    }

    private static func set(_ track: PresentedTrack, _ kid: String?, _ text: inout PlaylistText) {
        let segments = joined(track)
        let (kind, index) = (track.kind.rawValue, track.index)
        text.add("<AdaptationSet contentType=\"\(kind)\" mimeType=\"\(CloudKeys.mediaType(track.kind))\"")
        if segments.allSatisfy(\.startsWithKey) { text.add(" startWithSAP=\"1\"") }
        text.line(">")
        if let kid {
            text.add("<ContentProtection schemeIdUri=\"urn:mpeg:dash:mp4protection:2011\" value=\"cbcs\"")
            text.line(" cenc:default_KID=\"\(kid)\"/>")
        }
        text.add("<Representation id=\"\(kind)\" bandwidth=\"")
        text.number(track.rates.peak)
        if let codec = track.codec { text.add("\" codecs=\"" + codec) }
        if let size = track.size { text.add("\" width=\"\(size.width)\" height=\"\(size.height)") }
        // Without it ffmpeg 5.1 reads a segment of few pictures to its end to find their rate, and takes that for the end of all.
        if track.kind == .video, let rate = index.ratePerMille, rate > 0 {
            text.add("\" frameRate=\"\(rate % 1_000 == 0 ? "\(rate / 1_000)" : "\(rate)/1000")")
        }
        text.line("\">")
        // The tracks share the clip's time line, on which the period begins at zero.
        text.line("<SegmentList timescale=\"\(index.timescale)\">")
        text.line(
            "<Initialization sourceURL=\"\(track.header ?? "")\" range=\"0-\(index.headerBytes - min(1, index.headerBytes))\"/>"
        )
        text.line("<SegmentTimeline>")
        for segment in segments {
            text.add("<S t=\"")
            text.number(max(0, segment.start))
            text.add("\" d=\"")
            text.number(segment.duration)
            text.line("\"/>")
        }
        text.line("</SegmentTimeline>")
        for segment in segments {
            text.add("<SegmentURL media=\"" + segment.object + "\" mediaRange=\"")
            text.number(segment.bytes.lowerBound)
            text.add("-")
            text.number(segment.bytes.upperBound - 1)
            text.line("\"/>")
        }
        text.line("</SegmentList>")
        text.line("</Representation>")
        text.line("</AdaptationSet>")
    }

    /// The segments; a short one at the end is part of the one before where both lie side by side in one object.
    private static func joined(_ track: PresentedTrack) -> [PresentedTrack.Segment] {
        let segments = track.segments
        guard segments.count > 1, let last = segments.last, track.milliseconds(last.duration) < tailMs else {
            return segments
        }
        let before = segments[segments.count - 2]
        return before.joined(last).map { segments.dropLast(2) + [$0] } ?? segments
    }
}

extension PresentedTrack.Segment {
    /// Both as one; nil where `next` does not follow in the same object without a hole.
    func joined(_ next: Self) -> Self? {
        guard object == next.object, bytes.upperBound == next.bytes.lowerBound, end == next.start else { return nil }
        return Self(
            object: object, bytes: bytes.lowerBound..<next.bytes.upperBound, start: start,
            duration: duration &+ next.duration, startsWithKey: startsWithKey)
    }
}
