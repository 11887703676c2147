internal import Media

/// The parts of an HLS list of lists (RFC 8216 section 4.3.4).
enum MultivariantList {
    /// A list of pictures, or of sound alone, with what goes with it.
    struct Stream {
        /// Its name, as the list of lists has it.
        let list: String
        /// Its highest and mean rate, with those of the sound, in bits per second.
        let peak, average: UInt64
        /// RFC 6381 codec strings, that of the sound too; nil for one that is not known.
        let codecs: [String?]
        /// Size of the picture in pixels.
        let size: (width: Int, height: Int)?
        /// Pictures in a thousand seconds.
        let ratePerMille: UInt64?
        /// The group of sounds that goes with it.
        let soundGroup: String?
    }

    /// What precedes the lists.
    static func head(_ text: inout PlaylistText) {
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:7")
    }

    /// The list of a sound, alone in its group.
    static func sound(group: String, list: String, _ text: inout PlaylistText) {
        text.add("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\(group)\",NAME=\"Sound\",DEFAULT=YES,AUTOSELECT=YES,URI=\"")
        text.line(list + "\"")
    }

    static func stream(_ stream: Stream, _ text: inout PlaylistText) {
        text.add("#EXT-X-STREAM-INF:BANDWIDTH=")
        text.number(stream.peak)
        text.add(",AVERAGE-BANDWIDTH=")
        text.number(stream.average)
        // The attribute names every codec, or is left out.
        let known = stream.codecs.compactMap(\.self)
        if known.count == stream.codecs.count { text.add(",CODECS=\"" + known.joined(separator: ",") + "\"") }
        if let size = stream.size { text.add(",RESOLUTION=\(size.width)x\(size.height)") }
        if let rate = stream.ratePerMille {
            text.add(",FRAME-RATE=")
            text.number(rate / 1_000)
            text.add("." + String(rate % 1_000 + 1_000).dropFirst())
        }
        if let group = stream.soundGroup { text.add(",AUDIO=\"\(group)\"") }
        text.end()
        text.line(stream.list)
    }
}
