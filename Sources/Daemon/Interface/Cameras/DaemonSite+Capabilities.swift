internal import Machines
internal import Media
internal import Policies
internal import Server

extension DaemonSite {
    /// How long whoever asks what a camera can do waits for its loudspeaker, in milliseconds.
    private static let loudspeakerMs: Int64 = 2_000

    func capabilities(camera: String) async throws -> CameraCapabilities {
        let runtime = try known(camera)
        let streams = [(StreamName.main, Session.Definition.hd), (.sub, .sd)].compactMap { name, definition in
            runtime.shell.streams.seen(name).map { (name, definition, $0) }
        }
        var talks = false
        if peers.host != nil,
            case .takes = await loudspeakers.finding(of: runtime, clock: clock, withinMs: Self.loudspeakerMs)
        {
            talks = true
        }
        let assignment = runtime.assignment
        return CameraCapabilities(
            camera: camera,
            streams: streams.map { name, definition, seen in
                CameraCapabilities.Stream(
                    stream: name.rawValue, definition: definition.rawValue, streaming: seen.isOn, video: seen.picture,
                    sound: seen.sound)
            },
            definitions: streams.map(\.1.rawValue), talk: talks,
            speeds: Session.Speed.allCases.map { Double($0.rawValue) / 100 },
            rotation: assignment.rotation.rawValue, viewport: assignment.shownPart)
    }
}

extension CameraRuntime.Assignment {
    /// The part of the picture that is to be shown, in words for clients; nil: the whole picture.
    var shownPart: Viewport? { Viewport.part(settings[.viewport]) }
}

extension StreamMeter.Seen {
    /// The picture, if the stream has one.
    fileprivate var picture: CameraCapabilities.Video? {
        guard let track = tracks.first(where: { $0.kind == .video }) else { return nil }
        return CameraCapabilities.Video(
            sourceCodec: track.sourceCodec, codec: video?.coded?.codec, width: video?.coded?.width,
            height: video?.coded?.height, frameRate: frameRate.map { ($0 * 100).rounded() / 100 })
    }

    /// The sound, if the stream has one: as the camera sends it, and the codec of what is made of it where clips cannot hold it.
    fileprivate var sound: CameraCapabilities.Sound? {
        guard let track = tracks.first(where: { $0.kind == .audio && $0.madeFrom == nil }) else { return nil }
        let made = tracks.first { $0.madeFrom == track.ordinal }
        let stored = made ?? track
        let coded = stored.parameters.flatMap { TrackConfiguration(id: 0, parameters: $0).coded }
        return CameraCapabilities.Sound(
            sourceCodec: track.sourceCodec, codec: coded?.codec, sampleRate: track.parameters?.sampleRate,
            channels: track.parameters?.channels)
    }
}
