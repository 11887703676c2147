internal import Foundation
internal import Hashing
internal import Media
internal import Wire

/// The parts of an HLS list (RFC 8216) of ranges of media objects.
enum MediaList {
    /// What precedes the segments.
    ///
    /// - Parameter type: `EVENT` or `VOD`; nil for a list that is replaced as a whole.
    static func head(target: Int64, type: String?, isIndependent: Bool, _ text: inout PlaylistText) {
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:7")
        text.line("#EXT-X-TARGETDURATION:\(target)")
        if let type { text.line("#EXT-X-PLAYLIST-TYPE:\(type)") }
        text.line("#EXT-X-MEDIA-SEQUENCE:0")
        if isIndependent { text.line("#EXT-X-INDEPENDENT-SEGMENTS") }
    }

    /// The header of a track and its segments; the wall time is told at the first, and again after each hole.
    ///
    /// - Parameter key: the address of the key with which the segments are encrypted; nil where they are not.
    static func segments(
        _ segments: [PresentedTrack.Segment], of track: PresentedTrack, zeroWallMs: Int64, key: String? = nil,
        _ text: inout PlaylistText, address: (_ name: String) -> String
    ) {
        guard let header = track.header else { return }
        text.add("#EXT-X-MAP:URI=\"" + quotable(address(header)))
        text.add("\",BYTERANGE=\"")
        text.number(track.index.headerBytes)
        text.line("@0\"")
        if let key {
            text.add("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"" + quotable(key))
            text.line("\",KEYFORMAT=\"identity\",KEYFORMATVERSIONS=\"1\"")
        }
        var (end, last): (Int64?, (object: String, address: String)?)
        for segment in segments {
            if segment.start != end {
                text.add("#EXT-X-PROGRAM-DATE-TIME:")
                text.line(WallTime(ms: zeroWallMs &+ track.milliseconds(segment.start)).rfc3339)
            }
            end = segment.end
            text.add("#EXTINF:")
            text.seconds(segment.duration, timescale: track.index.timescale)
            text.line(",")
            text.add("#EXT-X-BYTERANGE:")
            text.number(segment.bytes.count)
            text.add("@")
            text.number(segment.bytes.lowerBound)
            text.end()
            // A signature takes longer than all the rest.
            let place = last?.object == segment.object ? last?.address : nil
            let found = place ?? quotable(address(segment.object))
            last = (segment.object, found)
            text.line(found)
        }
    }

    /// An address without what would end a line or an attribute: such characters are percent-encoded.
    static func quotable(_ address: String) -> String {
        let isPlain = { (byte: UInt8) in byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") }
        return address.utf8.allSatisfy(isPlain) ? address : Hex.escaped(address, unless: isPlain)
    }
}
