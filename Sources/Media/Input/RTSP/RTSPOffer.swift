import Machines

/// What a camera's description offers, and what is made of it: one video and one audio track.
struct RTSPOffer {
    struct Entry {
        let medium: SDP.Media
        /// How it is read; nil where it is left out.
        var plan: RTSPTrackPlan?
        /// Why it is left out.
        var why: String?
    }

    private static let encrypted =
        "the camera encrypts it (SRTP), which Vigil cannot read: switch SRTP off in the camera, or use an address without it"

    private(set) var entries: [Entry] = []

    /// Reads `sdp`, with G.726 in the order `g726`; fails where nothing in it can be recorded, or its video is encrypted.
    init(_ sdp: SDP, g726: G726Order) throws(InputFault) {
        var kinds: Set<TrackKind> = []
        for medium in sdp.media {
            if medium.isEncrypted {
                entries.append(Entry(medium: medium, plan: nil, why: RTSPOffer.encrypted))
                continue
            }
            if sdp.isBackChannel(medium) {
                entries.append(Entry(medium: medium, plan: nil, why: "it leads to the camera's loudspeaker"))
                continue
            }
            do throws(RTSPTrackPlan.Unsupported) {
                let plan = try RTSPTrackPlan.plan(medium, g726: g726)
                // One video and one audio track make a clip.
                let isFirst = kinds.insert(medium.kind).inserted
                let why = isFirst ? nil : "the camera offers more than one such track"
                entries.append(Entry(medium: medium, plan: isFirst ? plan : nil, why: why))
            } catch {
                entries.append(Entry(medium: medium, plan: nil, why: error.reason))
            }
        }
        let isBlind = !kinds.contains(.video) && entries.contains { $0.medium.isEncrypted && $0.medium.kind == .video }
        if isBlind || kinds.isEmpty && entries.contains(where: { $0.medium.isEncrypted }) {
            throw .failed(.unsupported, "the camera's media: " + RTSPOffer.encrypted)
        }
        guard kinds.isEmpty else { return }
        let names = sdp.media.map { RTSPClient.printable($0.encoding) }.joined(separator: ", ")
        throw .failed(
            .unsupported, names.isEmpty ? "the camera offers no media" : "the camera offers only \(names)")
    }

    /// The clocks of the media, one for each.
    var clocks: [Timeline.Clock] {
        entries.map { $0.plan?.clock($0.medium) ?? Timeline.Clock(kind: $0.medium.kind, timescale: 90_000) }
    }

    /// In which order the media are set up: video first.
    var order: [Int] {
        entries.indices.filter { entries[$0].medium.kind == .video }
            + entries.indices.filter { entries[$0].medium.kind != .video }
    }

    /// Leaves a medium out.
    mutating func leaveOut(_ ordinal: Int, _ why: String) {
        entries[ordinal].plan = nil
        entries[ordinal].why = why
    }

    /// The tracks; what is made of the sound has `madeOrdinal`.
    func described(madeOrdinal: Int) -> [StreamDescription] {
        let described = entries.enumerated().map { ordinal, entry -> [StreamDescription] in
            let name = RTSPClient.printable(entry.medium.encoding)
            if case .transcoded(let transcoder) = entry.plan {
                return transcoder.described(ordinal: ordinal, madeOrdinal: madeOrdinal, sourceCodec: name)
            }
            return [
                StreamDescription(
                    ordinal: ordinal, kind: entry.medium.kind, sourceCodec: name, parameters: entry.plan?.parameters,
                    ignored: entry.why)
            ]
        }
        return described.flatMap { $0 }.sorted { $0.ordinal < $1.ordinal }
    }
}
