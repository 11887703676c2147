internal import Machines
internal import Media
internal import WebRTC

extension VideoForm {
    /// That of a codec; nil where it is not sent.
    init?(_ codec: TrackCodec) {
        switch codec {
        case .h264: self = .h264
        case .h265: self = .h265
        case .aac, .opus, .pcmu, .pcma, .g726, .l16: return nil
        }
    }
}

extension SentMedia.Video {
    /// As what a stream is sent that is coded so; nil where it is not.
    init?(_ coded: CodecConfiguration) {
        switch coded {
        case .h264(let video): self = .h264(profile: video.sps.profile)
        case .h265(let video):
            let level = video.sps.profileTierLevel
            self = .h265(profile: level.profile, isHighTier: level.isHighTier, level: level.level)
        case .aac, .opus: return nil
        }
    }
}

extension CodecConfiguration {
    /// Whether it says that pictures are sent in another order than they are shown in.
    var isReordered: Bool { (reorderDepth ?? 0) > 0 }
}

extension Frame {
    /// The form in which a picture is sent; nil where it cannot be: what the camera sends may change in the middle.
    var sentForm: VideoForm? {
        let parameters = configuration.parameters
        guard kind == .video, parameters.rotation == .none, pts == dts else { return nil }
        return VideoForm(parameters.codec)
    }
}

extension StreamDial {
    /// Whether its video, as far as it is known, can be sent in one of these forms.
    func isSent(in forms: Set<VideoForm>) -> Bool {
        guard let parameters = tracks.first(where: { $0.kind == .video })?.parameters, parameters.rotation == .none,
            let coded = TrackConfiguration(id: 0, parameters: parameters).coded
        else { return false }
        return VideoForm(parameters.codec).map(forms.contains) ?? false && !coded.isReordered
    }
}
