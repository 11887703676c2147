internal import Machines
internal import Media
internal import WebRTC

extension SentMedia.Sound {
    /// As what a track with these parameters is sent as it is; nil where that cannot be.
    init?(_ parameters: TrackParameters) {
        switch parameters.codec {
        case .pcmu where parameters.isTelephone: self = .pcmu
        case .pcma where parameters.isTelephone: self = .pcma
        // One stream of one or two channels (RFC 7587, 4): the mapping family, the last byte of the head, is 0.
        case .opus where parameters.codecConfiguration.count == 19 && parameters.codecConfiguration.last == 0:
            self = .opus
        case .h264, .h265, .aac, .opus, .pcmu, .pcma, .g726, .l16: return nil
        }
    }
}

extension TrackParameters {
    fileprivate var isTelephone: Bool { sampleRate == 8_000 && channels == 1 && timescale == 8_000 }
}

extension StreamDial {
    /// The form in which its sound is sent to whoever has made this offer; nil where there is none, or the offer takes none of it.
    /// G.711 as the camera sends it; else Opus, which is made where the camera does not send it.
    func sound(for offer: SessionOffer) -> SoundForm? {
        guard let track = tracks.first(where: { $0.kind == .audio && $0.madeFrom == nil }) else { return nil }
        let own = track.parameters.flatMap(SentMedia.Sound.init)
        if let own, own != .opus, offer.takes(own) { return .original }
        return offer.takes(.opus) ? .opus : nil
    }

    /// The sound that is sent of those tracks that a viewer gets.
    var sentSound: (form: SentMedia.Sound, isStereo: Bool)? {
        let parameters = tracks.first { $0.kind == .audio }?.parameters
        return parameters.flatMap { parameters in
            SentMedia.Sound(parameters).map { ($0, $0 == .opus && parameters.channels == 2) }
        }
    }
}
