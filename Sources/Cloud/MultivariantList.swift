internal import Media

/// The parts of an HLS list of lists (RFC 8216 section 4.3.4).
enum MultivariantList {
    /// A list of pictures, or of sound that goes with none.
    struct Stream {
        /// Its name, as the list of lists has it.
        let list: String
        /// Its highest and mean rate, in bits per second.
        let rates: (peak: UInt64, average: UInt64)
        /// RFC 6381 codec string; nil where it is not known.
        let codec: String?
        /// Size of the picture in pixels.
        var size: (width: Int, height: Int)?
        /// Pictures in a thousand seconds.
        var ratePerMille: UInt64?
    }

    /// A list of sound that goes with pictures, alone in its group.
    struct Sound {
        let group: String
        let list: String
        let rates: (peak: UInt64, average: UInt64)
        let codec: String?
    }

    /// What precedes the lists.
    static func head(_ text: inout PlaylistText) {
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:7")
    }

    static func add(_ sound: Sound, _ text: inout PlaylistText) {
        text.add("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\(sound.group)\"")
        text.line(",NAME=\"Sound\",DEFAULT=YES,AUTOSELECT=YES,URI=\"\(sound.list)\"")
    }

    static func add(_ stream: Stream, with sound: Sound?, _ text: inout PlaylistText) {
        text.add("#EXT-X-STREAM-INF:BANDWIDTH=")
        text.number(stream.rates.peak + (sound?.rates.peak ?? 0))
        text.add(",AVERAGE-BANDWIDTH=")
        text.number(stream.rates.average + (sound?.rates.average ?? 0))
        let codecs = [stream.codec] + (sound.map { [$0.codec] } ?? [])
        // The attribute names every codec, or is left out.
        let known = codecs.compactMap(\.self)
        if known.count == codecs.count { text.add(",CODECS=\"" + known.joined(separator: ",") + "\"") }
        if let size = stream.size { text.add(",RESOLUTION=\(size.width)x\(size.height)") }
        if let rate = stream.ratePerMille {
            text.add(",FRAME-RATE=")
            text.number(rate / 1_000)
            text.add("." + String(rate % 1_000 + 1_000).dropFirst())
        }
        if let sound { text.add(",AUDIO=\"\(sound.group)\"") }
        text.end()
        text.line(stream.list)
    }
}
