internal import Foundation
internal import Machines
internal import Media

/// What makes the encoded copies of a clip play: HLS lists (RFC 8216) of one rendition each, and lists of these lists.
public struct EncodedPresentation: Sendable {
    /// One rendition, as a list of lists tells it. Its list is `encoded/NAME.m3u8`.
    public struct Rendition: Hashable, Sendable {
        /// Its name, such as `720p`; `audio` for sound.
        public let name: String
        /// RFC 6381 codec string.
        public let codec: String
        /// Size of the picture in pixels; nil for sound.
        public let width, height: Int?
        /// Its highest and mean rate, in bits per second.
        let peak, average: UInt64
        /// Pictures in a thousand seconds, where it is known.
        let ratePerMille: UInt64?

        /// A rendition.
        public init(
            name: String, codec: String, width: Int?, height: Int?, peak: UInt64, average: UInt64, ratePerMille: UInt64?
        ) {
            self.name = name
            self.codec = codec
            self.width = width
            self.height = height
            self.peak = peak
            self.average = average
            self.ratePerMille = ratePerMille
        }
    }

    /// What the encoded sound is called.
    public static let sound = "audio"

    private let clip: ClipPresentation
    private let renditions: [Rendition]
    private let encodedSound: Rendition?

    /// Of the clip's own presentation, and what was made of it: pictures from the highest to the lowest, and sound where that was
    /// encoded. Else the clip's own sound goes with them.
    public init(of clip: ClipPresentation, _ renditions: [Rendition]) {
        self.clip = clip
        self.renditions = renditions.filter { $0.name != Self.sound }
        encodedSound = renditions.first { $0.name == Self.sound }
    }

    /// The list of the encoded copies, `encoded/index.m3u8`, and the clip's own, `index.m3u8`, which then names them, too.
    public func lists() -> [ClipPresentation.Part] {
        [
            ClipPresentation.Part(
                "\(CloudKeys.encoded)/\(CloudKeys.index)", contentType: ClipPresentation.hls,
                variants(in: "", top: "../")),
            ClipPresentation.Part(
                CloudKeys.index, contentType: ClipPresentation.hls, variants(in: "\(CloudKeys.encoded)/", top: "")),
        ]
    }

    /// A list of lists: what was encoded, each with the sound that goes with it, then, in the clip's own, what was recorded.
    private func variants(in folder: String, top: String) -> PlaylistText {
        let ownSound = clip.tracks.first { $0.kind == .audio && !$0.segments.isEmpty }?.asSound(top: top)
        let pictures = clip.tracks.first { $0.kind == .video && !$0.segments.isEmpty }
        let namesOwn = top.isEmpty && pictures != nil
        let encoded = encodedSound.map {
            MultivariantList.Sound(
                group: CloudKeys.encoded, list: "\(folder)\(Self.sound).m3u8", rates: ($0.peak, $0.average),
                codec: $0.codec)
        }
        var text = PlaylistText(capacity: 1_024)
        MultivariantList.head(&text)
        if let encoded { MultivariantList.add(encoded, &text) }
        if let ownSound, namesOwn || encoded == nil { MultivariantList.add(ownSound, &text) }
        for rendition in renditions {
            MultivariantList.add(
                MultivariantList.Stream(
                    list: "\(folder)\(rendition.name).m3u8", rates: (rendition.peak, rendition.average),
                    codec: rendition.codec,
                    size: rendition.width.flatMap { width in rendition.height.map { (width, $0) } },
                    ratePerMille: rendition.ratePerMille), with: encoded ?? ownSound, &text)
        }
        if namesOwn, let pictures { MultivariantList.add(pictures.asStream, with: ownSound, &text) }
        return text
    }
}

/// One encoded track file that lies in the bucket below `encoded/`.
public struct EncodedFileList: Sendable {
    /// How a list of lists tells it.
    public let rendition: EncodedPresentation.Rendition
    /// Its own list.
    public let list: ClipPresentation.Part
    /// The name of the file in the clip's folder.
    public let name: String

    /// Of a track file that was made of a clip.
    ///
    /// - Parameters:
    ///   - name: the rendition's name.
    ///   - track: what is in the file; its objects are not asked for.
    ///   - clip: the presentation of the clip, whose time line it shares.
    /// - Throws: where its index is none.
    public init(_ name: String, _ track: ClipDescription.Track, of clip: ClipPresentation) throws(Defect) {
        let file = "\(name).\(track.kind == .video ? "cmfv" : "cmfa")"
        var own = track
        own.objects = [ClipDescription.Object(name: file, firstByte: 0, bytes: track.bytes, sha256: track.sha256)]
        let shown = try PresentedTrack(own)
        self.name = "\(CloudKeys.encoded)/\(file)"
        rendition = EncodedPresentation.Rendition(
            name: name, codec: track.codec, width: track.width, height: track.height, peak: shown.rates.peak,
            average: shown.rates.average, ratePerMille: track.kind == .video ? shown.index.ratePerMille : nil)
        var text = PlaylistText(capacity: 256 + 100 * shown.segments.count)
        MediaList.head(
            target: PresentedTrack.longestSeconds(shown.segments, timescale: shown.index.timescale), type: "VOD",
            isIndependent: shown.segments.allSatisfy(\.startsWithKey), &text)
        MediaList.segments(shown.segments, of: shown, zeroWallMs: clip.zeroWallMs, &text) { $0 }
        text.line("#EXT-X-ENDLIST")
        list = ClipPresentation.Part("\(CloudKeys.encoded)/\(name).m3u8", contentType: ClipPresentation.hls, text)
    }
}
