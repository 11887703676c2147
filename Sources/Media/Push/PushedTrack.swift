import Machines

/// A track whose header was pushed.
struct PushedTrack: Sendable {
    /// How its samples become frames.
    enum Form: Sendable {
        /// `lengthBytes`: how many bytes say the length of a NAL unit.
        case video(TrackCodec, ParameterSetStore, lengthBytes: Int)
        case audio(TrackParameters)
    }

    let layout: TrackLayout
    let form: Form

    var kind: TrackKind { layout.kind }

    /// The codec, in the words of the sample entry.
    var codecName: String {
        switch form {
        case .video(let codec, _, _): codec == .h265 ? "H265" : "H264"
        case .audio: "AAC"
        }
    }

    /// How it is delivered, as far as that is known before the first frame.
    var parameters: TrackParameters? {
        switch form {
        case .video(let codec, let sets, _): VideoTrack.parameters(codec, sets)
        case .audio(let parameters): parameters
        }
    }

    /// Ticks a second of the frames' times.
    var frameTimescale: Int32 {
        switch form {
        case .video: VideoTrack.timescale
        case .audio(let parameters): parameters.timescale
        }
    }

    /// Whether frames of `other` can follow its own in one track of a dial.
    func isFollowed(by other: PushedTrack) -> Bool {
        switch (form, other.form) {
        case (.video(let own, _, let ownBytes), .video(let codec, _, let bytes)): own == codec && ownBytes == bytes
        case (.audio(let own), .audio(let parameters)): own == parameters
        case (.video, .audio), (.audio, .video): false
        }
    }

    /// The tracks of a header. Throws where it cannot be read, or has none that is recorded.
    static func tracks(fileType: [UInt8], movie: [UInt8]) throws(PushRefusal) -> [PushedTrack] {
        let count = Box.list(movie[...])?.count { $0.type == "trak" } ?? 0
        guard count > 0 else { throw .broken("the header has no track") }
        guard count <= PushLimits.tracksMax else {
            throw PushRefusal(
                .tooLarge, "the header has \(count) tracks, and \(PushLimits.tracksMax) is the most",
                "push one video and one audio track")
        }
        var tracks: [PushedTrack] = []
        var refusal: PushRefusal?
        for number in 0..<count {
            guard let layout = TrackLayout(fileType: fileType[...], movie: movie[...], number: number) else {
                refusal =
                    refusal ?? .broken("track \(number + 1) of the header is neither video nor sound, or is broken")
                continue
            }
            do throws(PushRefusal) { tracks.append(PushedTrack(layout: layout, form: try form(layout))) } catch {
                refusal = refusal ?? error
            }
        }
        guard !tracks.isEmpty, Set(tracks.map(\.layout.trackID)).count == tracks.count else {
            throw refusal ?? .broken("two tracks of the header have one number")
        }
        return tracks
    }

    private static func form(_ layout: TrackLayout) throws(PushRefusal) -> Form {
        guard let entry = Box.list(layout.sampleEntry[...])?.first else { throw .broken("the sample entry is broken") }
        guard !layout.hasSamplesInHeader else { throw .broken("the header has samples") }
        switch entry.type {
        case "avc1", "avc3": return try video(entry, .h264, "avcC", isInBand: entry.type == "avc3")
        case "hvc1", "hev1": return try video(entry, .h265, "hvcC", isInBand: entry.type == "hev1")
        case "mp4a": return try audio(layout)
        case "encv", "enca":
            throw PushRefusal(.unsupported, "the track is encrypted (\(entry.type))", "push it without CENC")
        default:
            throw PushRefusal(
                .unsupported, "the codec \(entry.type) is not recorded",
                "push H.264 (avc1, avc3) or H.265 (hvc1, hev1), and AAC (mp4a)")
        }
    }

    private static func video(
        _ entry: Box, _ codec: TrackCodec, _ record: FourCC, isInBand: Bool
    ) throws(PushRefusal) -> Form {
        guard let contents = entry.children(skipping: 78)?.first(record)?.contents, contents.first == 1 else {
            throw .broken("the sample entry \(entry.type) has no \(record)")
        }
        let (units, lengthBytes) = FilePlan.units(Array(contents), codec)
        var sets = ParameterSetStore(codec: codec)
        for unit in units { unit.withUnsafeBytes { _ = sets.take($0) } }
        guard isInBand || sets.configuration != nil else {
            let why = sets.refusals.first.map { "\($0)" } ?? "there are none"
            throw PushRefusal(
                .unsupported, "the parameter sets of \(record) cannot be used: \(why)",
                "push H.264 or H.265 with its parameter sets in the header, or as avc3 or hev1")
        }
        return .video(codec, sets, lengthBytes: lengthBytes ?? 4)
    }

    private static func audio(_ layout: TrackLayout) throws(PushRefusal) -> Form {
        do throws(BitstreamError) {
            let coded = try CodecConfiguration(sampleEntry: layout.sampleEntry)
            guard case .aac(let aac) = coded else { throw BitstreamError("mp4a", .unsupported("other than AAC")) }
            return .audio(
                TrackParameters(
                    kind: .audio, codec: .aac, codecConfiguration: aac.bytes, sampleRate: aac.sampleRate,
                    channels: aac.channels, timescale: Int32(clamping: max(1, aac.sampleRate))))
        } catch {
            throw PushRefusal(.unsupported, "the sound cannot be recorded: \(error)", "push AAC-LC")
        }
    }
}
