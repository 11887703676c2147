/// What an offer and what is to be sent have in common (RFC 3264, 6).
struct NegotiatedMedia: Hashable, Sendable {
    /// Sound that is sent.
    struct Track: Hashable, Sendable {
        /// Its place among the media of the offer.
        let medium: Int
        /// How it is coded.
        let format: MediaOffer.Format
    }

    /// Sound that is taken.
    struct Heard: Hashable, Sendable {
        /// Its place among the media of the offer.
        let medium: Int
        /// How it may be coded, what is preferred first.
        let formats: [MediaOffer.Format]

        /// The codings by their payload types.
        var codings: [UInt8: HeardPacket.Coding] {
            formats.reduce(into: [:]) { codings, format in
                codings[format.payloadType] = codings[format.payloadType] ?? HeardPacket.Coding(format)
            }
        }
    }

    let video: NegotiatedVideo
    /// nil where there is none to send, or the offer takes none of it.
    let sound: Track?
    /// Whether the sound has two channels.
    let isStereo: Bool
    /// nil where none is to be taken, or the offer has none.
    let heard: Heard?
    /// What the offer says of the transport: that of the first medium that goes over it.
    let transport: MediaOffer

    /// Chooses from an offer; throws where no picture can be sent over it.
    init(_ offer: SessionOffer, _ sent: SentMedia) throws(OfferFault) {
        guard let medium = offer.media.firstIndex(where: { $0.kind == "video" && $0.receives }) else {
            throw .unsupported("it takes no video: it has no medium m=video that is recvonly or sendrecv")
        }
        let taken = offer.media[medium]
        guard taken.protocolName.hasSuffix("RTP/SAVPF") || taken.protocolName.hasSuffix("RTP/SAVP") else {
            throw .unsupported("its video is not protected: the protocol is not UDP/TLS/RTP/SAVPF")
        }
        guard taken.hasMultiplexing else { throw .unsupported("RTP and RTCP do not share a port (a=rtcp-mux)") }
        video = try NegotiatedVideo(taken, at: medium, sent.video)
        let isBundled = !taken.mid.isEmpty && offer.bundle.contains(taken.mid)
        let tagged = isBundled ? offer.media.first { $0.mid == offer.bundle.first } : nil
        transport = taken.user.isEmpty ? tagged ?? taken : taken
        guard !transport.user.isEmpty, !transport.password.isEmpty else {
            throw .malformed("it has no a=ice-ufrag and a=ice-pwd")
        }
        guard !transport.fingerprints.isEmpty else {
            throw .malformed("it has no a=fingerprint of SHA-256 or better")
        }
        guard transport.setup != .passive else {
            throw .unsupported("it waits for the handshake (a=setup:passive), and so does this end")
        }
        func audio(_ holds: (MediaOffer) -> Bool) -> Int? {
            offer.media.indices.first { index in
                let medium = offer.media[index]
                return medium.kind == "audio" && holds(medium) && medium.hasMultiplexing && isBundled
                    && offer.bundle.contains(medium.mid)
            }
        }
        sound = sent.sound.flatMap { sound in
            audio(\.receives).flatMap { index in
                offer.media[index].described.first(where: sound.isCoded).map { Track(medium: index, format: $0) }
            }
        }
        isStereo = sent.isStereo
        heard = sent.hears ? audio(\.sends).flatMap { Heard(offer.media[$0], at: $0) } : nil
    }
}

extension NegotiatedMedia.Heard {
    /// What of a medium can be heard: Opus before G.711, which loses more when a packet is lost. nil where nothing can.
    fileprivate init?(_ medium: MediaOffer, at index: Int) {
        let known = medium.described.compactMap { format in
            HeardPacket.Coding(format).map { (coding: $0, format: format) }
        }
        formats = known.filter { $0.coding == .opus }.map(\.format) + known.filter { $0.coding != .opus }.map(\.format)
        self.medium = index
        if formats.isEmpty { return nil }
    }
}
