internal import Machines
internal import Media

/// What was put of a track.
struct PutTrack: Sendable {
    /// Begin and length of each segment in ticks, in order; its number is its place, from 1.
    var segments: [(start: UInt64, ticks: UInt64)] = []
    /// How many segments have been given a number.
    var numbered = 0
    /// How many chunks have been given a number.
    var sequence: UInt32 = 0
    /// Bytes of the segments.
    var bytes: Int64 = 0
}

/// The lists that go with a session: a manifest of DASH (ISO/IEC 23009-1) or playlists of HLS (RFC 8216).
///
/// The manifest has one period and one template for all tracks, as DASH-IF Live Media Ingest asks for.
struct SessionLists {
    let session: IngestSession
    let puts: [PutTrack]

    static let digits = 4

    static func segment(_ number: Int) -> String { "segment_\(number.padded(to: digits)).m4s" }

    static func header(_ name: String) -> String { "\(name).init" }

    // MARK: DASH

    /// Before the media: what will be there. After it: what is.
    func manifest(isFinished: Bool) -> [UInt8] {
        let began = CivilTime(epochMs: session.beganWallMs)
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\""
        text +=
            " profiles=\"urn:mpeg:dash:profile:isoff-live:2011\" minBufferTime=\"\(Self.duration(session.segmentMs))\""
        if isFinished {
            text += " type=\"static\" mediaPresentationDuration=\"\(Self.duration(lengthMs))\">\n"
            text += "<Period id=\"0\" start=\"PT0S\">\n"
        } else {
            text +=
                " type=\"dynamic\" availabilityStartTime=\"1970-01-01T00:00:00Z\" publishTime=\"\(Self.time(began))\""
            text += " minimumUpdatePeriod=\"\(Self.duration(session.segmentMs))\">\n"
            text += "<Period id=\"0\" start=\"\(Self.duration(session.beganWallMs))\">\n"
        }
        for (index, track) in session.tracks.enumerated() { text += set(index, track, isFinished: isFinished) }
        return Array((text + "</Period>\n</MPD>\n").utf8)
    }

    private func set(_ index: Int, _ track: IngestSession.Track, isFinished: Bool) -> String {
        let (header, coded) = (track.header, track.header.configuration)
        let kind = coded.kind.rawValue
        var text = "<AdaptationSet id=\"\(index + 1)\" contentType=\"\(kind)\" mimeType=\"\(kind)/mp4\""
        text += " segmentAlignment=\"true\" startWithSAP=\"1\">\n"
        text += "<SegmentTemplate timescale=\"\(header.timescale)\" startNumber=\"1\""
        text += " initialization=\"$RepresentationID$/$RepresentationID$.init\""
        text += " media=\"$RepresentationID$/segment_$Number%0\(Self.digits)d$.m4s\""
        if isFinished {
            text += ">\n<SegmentTimeline>\n"
            for segment in puts[index].segments { text += "<S t=\"\(segment.start)\" d=\"\(segment.ticks)\"/>\n" }
            text += "</SegmentTimeline>\n</SegmentTemplate>\n"
        } else {
            let ticks = Ticks.rescale(session.segmentMs, from: 1_000, to: header.timescale)
            text += " duration=\"\(max(1, ticks))\"/>\n"
        }
        text += "<Representation id=\"\(track.name)\" codecs=\"\(coded.codec)\" bandwidth=\"\(bandwidth(index))\""
        if let width = coded.width, let height = coded.height { text += " width=\"\(width)\" height=\"\(height)\"" }
        if let rate = coded.sampleRate { text += " audioSamplingRate=\"\(rate)\"" }
        return text + "/>\n</AdaptationSet>\n"
    }

    // MARK: HLS

    /// The list of the lists of the tracks.
    func variants() -> [UInt8] {
        let sound = session.tracks.filter { $0.header.configuration.kind == .audio }
        let picture = session.tracks.first { $0.header.configuration.kind == .video }
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        if picture != nil {
            for track in sound {
                text += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\",NAME=\"\(track.name)\",DEFAULT=YES,AUTOSELECT=YES"
                text += ",URI=\"\(track.name)/index.m3u8\"\n"
            }
        }
        let rate = session.tracks.indices.reduce(0) { $0 + bandwidth($1) }
        text += "#EXT-X-STREAM-INF:BANDWIDTH=\(rate)"
        text += ",CODECS=\"\(session.tracks.map(\.header.configuration.codec).joined(separator: ","))\""
        if let coded = picture?.header.configuration, let width = coded.width, let height = coded.height {
            text += ",RESOLUTION=\(width)x\(height)"
        }
        if picture != nil, !sound.isEmpty { text += ",AUDIO=\"sound\"" }
        text += "\n\((picture ?? session.tracks.first)?.name ?? "")/index.m3u8\n"
        return Array(text.utf8)
    }

    /// The list of a track: before the media without an end and without a segment, after it with all of them.
    func playlist(_ index: Int, isFinished: Bool) -> [UInt8] {
        let (track, timescale) = (session.tracks[index], session.tracks[index].header.timescale)
        let longest = puts[index].segments.map { Ticks.milliseconds($0.ticks, timescale: timescale) }.max() ?? 0
        let seconds = max(1, ((isFinished ? longest : session.segmentMs) + 999) / 1_000)
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\(seconds)\n#EXT-X-MEDIA-SEQUENCE:1\n"
        if isFinished { text += "#EXT-X-PLAYLIST-TYPE:VOD\n" }
        text += "#EXT-X-MAP:URI=\"\(Self.header(track.name))\"\n"
        if isFinished {
            text += "#EXT-X-PROGRAM-DATE-TIME:\(Self.time(CivilTime(epochMs: session.beganWallMs)))\n"
            for (number, segment) in puts[index].segments.enumerated() {
                text += "#EXTINF:\(Self.seconds(segment.ticks, timescale)),\n\(Self.segment(number + 1))\n"
            }
            text += "#EXT-X-ENDLIST\n"
        }
        return Array(text.utf8)
    }

    // MARK: Numbers

    private var lengthMs: Int64 {
        zip(session.tracks, puts).reduce(0) { longest, pair in
            let end = pair.1.segments.last.map { $0.start &+ $0.ticks } ?? 0
            return max(longest, Ticks.milliseconds(end, timescale: pair.0.header.timescale))
        }
    }

    /// Bits per second of a track: of what was put, else of its first segment.
    private func bandwidth(_ index: Int) -> Int64 {
        let timescale = session.tracks[index].header.timescale
        let ms = puts[index].segments.reduce(Int64(0)) { $0 + Ticks.milliseconds($1.ticks, timescale: timescale) }
        guard ms > 0 else { return Int64(max(1, session.tracks[index].header.bitrate?.max ?? 1)) }
        return max(1, puts[index].bytes.multipliedReportingOverflow(by: 8_000).partialValue / ms)
    }

    /// A length in seconds with six decimals.
    static func seconds(_ ticks: UInt64, _ timescale: UInt32) -> String {
        let us = max(0, Ticks.rescale(Int64(clamping: ticks), from: timescale, to: 1_000_000))
        return "\(us / 1_000_000).\((us % 1_000_000).padded(to: 6))"
    }

    private static func duration(_ ms: Int64) -> String {
        let ms = max(0, ms)
        return "PT\(ms / 1_000).\((ms % 1_000).padded(to: 3))S"
    }

    private static func time(_ time: CivilTime) -> String {
        "\(time.date)T\(time.clock.joined(separator: ":")).\(time.fraction)Z"
    }
}
