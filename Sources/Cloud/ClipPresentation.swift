public import Foundation
internal import Machines
internal import Media

/// What makes a clip in the bucket play: HLS (RFC 8216) and DASH (ISO/IEC 23009-1) over ranges of its media objects. The same
/// bytes each time for the same description.
public struct ClipPresentation: Sendable {
    /// One object that is made from the description.
    public struct Part: Hashable, Sendable {
        /// Its name in the clip's folder.
        public let name: String
        /// Its type of media.
        public let contentType: String
        /// Its bytes.
        public let body: Data

        init(_ name: String, contentType: String, _ text: PlaylistText) {
            self.name = name
            self.contentType = contentType
            body = Data(text.bytes)
        }
    }

    static let hls = "application/vnd.apple.mpegurl"
    static let dash = "application/dash+xml"
    /// The target duration of a list that grows, in seconds, unless a segment is longer. It must not change when the list gets
    /// its end, so it is that of every track in pieces.
    private static let growingTarget: Int64 = 10

    /// The tracks, pictures first.
    let tracks: [PresentedTrack]
    /// The identifier of the key with which its media is encrypted, a UUID; nil where it is not.
    let kid: String?
    /// The wall time at which the time lines of its tracks begin, UTC epoch milliseconds.
    public let zeroWallMs: Int64

    /// Of a description, which is checked as one from outside.
    ///
    /// - Throws: the first key that is wrong.
    public init(_ description: ClipDescription) throws(Defect) {
        try description.check()
        var tracks: [PresentedTrack] = []
        for track in description.tracks { tracks.append(try PresentedTrack(track)) }
        self.tracks = tracks.filter { $0.kind == .video } + tracks.filter { $0.kind != .video }
        kid = description.encryption?.kid
        zeroWallMs = description.zeroWallMs(tracks)
    }

    /// The list of the lists (`index.m3u8`), and one list for each track (`video.m3u8`, `audio.m3u8`), all with relative names.
    ///
    /// - Parameter isOpen: more is to come: the lists have no end, and a track may have nothing yet. Else a track without media
    ///   is left out.
    public func playlists(isOpen: Bool = false) -> [Part] { playlists(isOpen: isOpen) { $0 } }

    /// The same with an address in the place of each media object's name, such as a signed one. The list of the lists names the
    /// others by their names, since a signature of a list does not reach what it names: they are to be put side by side.
    ///
    /// - Parameters:
    ///   - key: the address of the key of an encrypted clip, such as one that holds it.
    ///   - address: the address of the object of this name; asked once for each object in a row. What would end a line or an
    ///     attribute in it is percent-encoded.
    public func playlists(
        isOpen: Bool = false, key: String = CloudKeys.key, address: (_ name: String) -> String
    ) -> [Part] {
        let shown = tracks.filter { isOpen || !$0.segments.isEmpty }
        return [Part(CloudKeys.index, contentType: Self.hls, Self.variants(shown))]
            + shown.map {
                Part(CloudKeys.playlist($0.kind), contentType: Self.hls, list($0, isOpen: isOpen, key, address))
            }
    }

    private func list(
        _ track: PresentedTrack, isOpen: Bool, _ key: String, _ address: (String) -> String
    ) -> PlaylistText {
        var text = PlaylistText(capacity: 256 + 100 * track.segments.count)
        let longest = PresentedTrack.longestSeconds(track.segments, timescale: track.index.timescale)
        MediaList.head(
            target: isOpen || track.isInPieces ? max(longest, Self.growingTarget) : longest,
            type: isOpen ? "EVENT" : "VOD",
            isIndependent: track.kind == .audio || !isOpen && track.segments.allSatisfy(\.startsWithKey), &text)
        MediaList.segments(
            track.segments, of: track, zeroWallMs: zeroWallMs, key: kid.map { _ in key }, &text, address: address)
        if !isOpen { text.line("#EXT-X-ENDLIST") }
        return text
    }

    private static func variants(_ tracks: [PresentedTrack]) -> PlaylistText {
        var text = PlaylistText(capacity: 512)
        MultivariantList.head(&text)
        // Pictures come first; a clip has one track of a kind.
        let sound = tracks.count > 1 ? tracks.last?.asSound() : nil
        if let sound { MultivariantList.add(sound, &text) }
        if let main = tracks.first { MultivariantList.add(main.asStream, with: sound, &text) }
        return text
    }
}

extension PresentedTrack {
    /// As a list of lists in the clip's folder tells it.
    var asStream: MultivariantList.Stream {
        MultivariantList.Stream(
            list: CloudKeys.playlist(kind), rates: rates, codec: codec, size: size,
            ratePerMille: kind == .video ? index.ratePerMille : nil)
    }

    /// The same as the sound of pictures; `top` leads to the clip's folder.
    func asSound(top: String = "") -> MultivariantList.Sound {
        MultivariantList.Sound(group: "sound", list: top + CloudKeys.playlist(kind), rates: rates, codec: codec)
    }
}
