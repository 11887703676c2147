/// The formats in which the video of a camera can be sent over a medium of an offer.
struct NegotiatedVideo: Hashable, Sendable {
    /// A format that is offered.
    struct Choice: Hashable, Sendable {
        /// Which form it is for.
        let form: VideoForm
        let format: MediaOffer.Format
    }

    /// Its place among the media of the offer.
    let medium: Int
    /// One for each form that is offered, the stream's own first: a camera may change its form, and another stream may follow.
    let choices: [Choice]

    /// The payload types.
    var types: [VideoForm: UInt8] {
        choices.reduce(into: [:]) { types, choice in types[choice.form] = choice.format.payloadType }
    }

    /// Chooses for video of this form; nil: for any. Throws where the medium takes none of it.
    init(_ offered: MediaOffer, at medium: Int, _ video: SentMedia.Video?) throws(OfferFault) {
        func choice(_ form: VideoForm) -> Choice? {
            let format =
                switch form {
                case .h264: Self.h264(offered, video)
                case .h265: Self.h265(offered, video)
                }
            return format.map { Choice(form: form, format: $0) }
        }
        let own = video?.form
        let choices = VideoForm.allCases.sorted { a, b in a == own && b != own }.compactMap(choice)
        guard let first = choices.first, own == nil || first.form == own else {
            throw .unsupported(Self.lacking(video))
        }
        (self.medium, self.choices) = (medium, choices)
    }

    private static func lacking(_ video: SentMedia.Video?) -> String {
        switch video {
        case nil: "it takes no video in H.264 with packetization-mode=1, nor in H.265"
        case .h264: "it takes no video in H.264 with packetization-mode=1"
        case .h265(let profile, let isHighTier, _):
            "it takes no video in H.265 of profile \(profile)\(isHighTier ? " in the high tier" : ""), "
                + "as the camera codes it"
        }
    }

    /// H.264 of the same profile where there is one. Decoders take more than they offer, so another one serves.
    private static func h264(_ medium: MediaOffer, _ video: SentMedia.Video?) -> MediaOffer.Format? {
        let formats = medium.described.filter {
            $0.name == "H264" && $0.clockRate == 90_000 && $0.parameter("packetization-mode") == "1"
        }
        let same = formats.first { format in
            guard case .h264(let profile)? = video else { return false }
            // RFC 6184, 8.1: what is not said is Baseline.
            let text = format.parameter("profile-level-id")?.prefix(2) ?? "42"
            return UInt8(text, radix: 16) == profile
        }
        return same ?? formats.first
    }

    /// H.265 of the same profile and tier, and of a level that is high enough where there is one: cameras state higher levels than
    /// their pictures need. Another profile has samples that a decoder cannot show.
    private static func h265(_ medium: MediaOffer, _ video: SentMedia.Video?) -> MediaOffer.Format? {
        // RFC 7798, 7.1: what is not said is Main, the main tier, level 3.1, and one stream.
        let formats = medium.described.filter {
            $0.name == "H265" && $0.clockRate == 90_000 && ($0.parameter("tx-mode") ?? "SRST") == "SRST"
        }
        guard case .h265(let profile, let isHighTier, let level)? = video else { return formats.first }
        let same = formats.filter { format in
            number(format, "profile-id", else: "1") == profile
                && (!isHighTier || format.parameter("tier-flag") == "1")
        }
        return same.first { number($0, "level-id", else: "93") ?? 0 >= level } ?? same.first
    }

    private static func number(_ format: MediaOffer.Format, _ name: String, else text: Substring) -> UInt8? {
        let text = format.parameter(name) ?? text
        return UInt8(text, radix: 10)
    }
}
