internal import Machines
internal import Media
internal import Server

/// The playlists of low-latency HLS (RFC 8216bis) in words.
struct LivePlaylist {
    let segments: LiveSegments
    /// What stands behind each address of the lists.
    let query: String
    /// The wall time at an instant, in milliseconds since 1970.
    let wall: (Instant) -> Int64

    /// What there is: a picture with its sound.
    func main(bitsPerSecond: Int) -> String {
        let tracks = segments.runs.max { $0.key < $1.key }?.value ?? []
        let (video, audio) = (tracks.first { $0.kind == .video }, tracks.first { $0.kind == .audio })
        var lines = ["#EXTM3U", "#EXT-X-VERSION:9"]
        var stream = "#EXT-X-STREAM-INF:BANDWIDTH=\(bitsPerSecond)"
        stream += ",CODECS=\"\(tracks.map(\.header.configuration.codec).joined(separator: ","))\""
        if let coded = video?.header.configuration, let width = coded.width, let height = coded.height {
            stream += ",RESOLUTION=\(width)x\(height)"
        }
        if let audio, video != nil {
            let channels = audio.header.configuration.channels ?? 1
            lines.append(
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\",NAME=\"sound\",DEFAULT=YES,AUTOSELECT=YES,"
                    + "CHANNELS=\"\(channels)\",URI=\"\(address(.playlist(.audio)))\"")
            stream += ",AUDIO=\"sound\""
        }
        lines += [stream, address(.playlist(video == nil ? .audio : .video))]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The segments and parts of a track.
    func list(_ track: LiveFile.Track) -> String {
        let (listed, discontinuities) = segments.listed
        let part = seconds(segments.partMs * 1_000)
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:9", "#EXT-X-TARGETDURATION:\(LiveSegments.segmentMsMax / 1_000)",
            "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=\(seconds(segments.partMs * 3_000))",
            "#EXT-X-PART-INF:PART-TARGET=\(part)", "#EXT-X-MEDIA-SEQUENCE:\(listed.first?.number ?? 0)",
            "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuities)",
        ]
        var run: Int?
        for segment in listed {
            // Before the first segment too: the number of its stretch is that of the sequence and this (RFC 8216, 4.3.3.3).
            if segment.isDiscontinuous { lines.append("#EXT-X-DISCONTINUITY") }
            if segment.run != run {
                lines.append("#EXT-X-MAP:URI=\"\(address(.header(track, run: segment.run)))\"")
                run = segment.run
            }
            lines.append("#EXT-X-PROGRAM-DATE-TIME:\(WallTime(ms: wall(segment.arrival)).rfc3339)")
            lines += self.lines(of: segment, track, withParts: segment.number + 3 > listed.last?.number ?? 0)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(of segment: LiveSegments.Segment, _ track: LiveFile.Track, withParts: Bool) -> [String] {
        let place = segments.track(track == .video ? .video : .audio, in: segment.run)
        var lines: [String] = []
        if let place, withParts {
            for (index, part) in segment.tracks[place].prefix(segment.wholeParts[place]).enumerated() {
                let uri = address(.part(track, number: segment.number, part: index))
                lines.append(
                    "#EXT-X-PART:DURATION=\(seconds(part.durationUs)),URI=\"\(uri)\""
                        + (part.isStart && track == .video || track == .audio ? ",INDEPENDENT=YES" : ""))
            }
        }
        guard segment.isWhole else {
            let following = place.map { segment.wholeParts[$0] } ?? 0
            let hint = address(.part(track, number: segment.number, part: following))
            return lines + ["#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(hint)\""]
        }
        let durationUs = place.map { segment.durationUs($0) } ?? 0
        // A track may be silent for a whole segment; then nothing can be fetched of it.
        if durationUs == 0 { lines.append("#EXT-X-GAP") }
        let length = durationUs > 0 ? durationUs : segment.durationUs(segments.track(.video, in: segment.run) ?? 0)
        return lines + ["#EXTINF:\(seconds(length)),", address(.segment(track, number: segment.number))]
    }

    private func address(_ file: LiveFile) -> String { "\(file.name)?\(query)" }

    private func seconds(_ us: Int64) -> String {
        let ms = (us + 500) / 1_000
        let rest = "\(ms % 1_000)"
        return "\(ms / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
