internal import ArgumentParser
internal import Wire

/// Which transport.
struct TransportArgument: ParsableArguments {
    @Argument(help: "The camera.")
    var camera: String

    @Argument(help: "The number of the transport; 0 is the camera's own recording.")
    var number: Int
}

/// How long a transport records.
struct TransportTimeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How long it records at least, from 1s on.", valueName: "length"))
    var initial: TimeLength?

    @Option(help: ArgumentHelp("By how much motion prolongs it, once in each window.", valueName: "length"))
    var augmentation: TimeLengthOrZero?

    @Option(name: .customLong("max"), help: ArgumentHelp("How long it records at most.", valueName: "length"))
    var longest: TimeLength?

    /// What is said, in whole seconds; nil where nothing is.
    func control(blind: TimeLengthOrZero? = nil) throws -> TransportTimeControl? {
        let control = TransportTimeControl(
            initialDuration: try Self.seconds(initial?.ms), augmentationDuration: try Self.seconds(augmentation?.ms),
            maxDuration: try Self.seconds(longest?.ms), blindDuration: try Self.seconds(blind?.ms))
        return control == TransportTimeControl() ? nil : control
    }

    /// Milliseconds as whole seconds.
    static func seconds(_ ms: Int64?) throws -> Int64? {
        guard let ms else { return nil }
        guard ms % 1_000 == 0 else { throw ValidationError("\(ms) ms are no whole seconds: give a length like 10s") }
        return ms / 1_000
    }
}

/// What of the options of a transport is said on the command line.
struct TransportOptionsGroup: ParsableArguments {
    @Option(help: ArgumentHelp("What makes it record: command, motion or continuous.", valueName: "kind"))
    var trigger: String?

    @Option(
        help: ArgumentHelp(
            "A zone in which motion counts, or outside for what is in none; may be repeated.", valueName: "name"))
    var zone: [String] = []

    @Option(help: ArgumentHelp("How slight motion counts, 1 to 10, where 10 is the slightest.", valueName: "number"))
    var sensitivity: Int?

    @OptionGroup var times: TransportTimeOptions

    @Option(help: ArgumentHelp("How long motion does not count afterwards.", valueName: "length"))
    var blind: TimeLengthOrZero?

    @Option(help: ArgumentHelp("What is kept of the time before, 0s to 1m.", valueName: "length"))
    var preRoll: TimeLengthOrZero?

    @Option(
        help: ArgumentHelp(
            "The length of a segment, a multiple of the distance between key frames.", valueName: "length"))
    var segment: TimeLength?

    @Option(help: ArgumentHelp("The length of a chunk, at most half of a segment; 0s: none.", valueName: "length"))
    var chunk: TimeLengthOrZero?

    @Option(
        help: ArgumentHelp("The address to which what it records is pushed, https://HOST/…/.", valueName: "address"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The TLS endpoint of the address, from tlsEndpoints of vigil.yaml; 0: the system's authorities.",
            valueName: "number"))
    var tlsEndpoint: Int?

    @Option(
        help: ArgumentHelp(
            "Which lists go with the media: interface1, interface2DASH or interface2HLS.", valueName: "name"))
    var interface: String?

    @Option(help: ArgumentHelp("The name of the video's track, 1 to 16 characters.", valueName: "name"))
    var videoName: String?

    @Option(help: ArgumentHelp("The name of the sound's track, 1 to 16 characters.", valueName: "name"))
    var audioName: String?

    @Option(help: ArgumentHelp("What it is for: recording, which is all that is done.", valueName: "word"))
    var usage: String?

    @Option(
        name: .customLong("expires"),
        help: ArgumentHelp("For how long it is there. Default: for ever.", valueName: "length"))
    var life: TimeLength?

    /// The options that are said and are for motion alone.
    private var ofMotion: [String] {
        let all: [(name: String, isSaid: Bool)] = [
            ("--zone", !zone.isEmpty), ("--sensitivity", sensitivity != nil), ("--initial", times.initial != nil),
            ("--augmentation", times.augmentation != nil), ("--max", times.longest != nil), ("--blind", blind != nil),
        ]
        return all.filter(\.isSaid).map(\.name)
    }

    /// What is said. Throws a `ValidationError` where it contradicts itself.
    func options() throws -> TransportOptions {
        if let trigger, trigger == "command" || trigger == "continuous", !ofMotion.isEmpty {
            let names = ofMotion.joined(separator: ", ")
            let instead = trigger == "command" ? ", and give the lengths to vigil transport trigger" : ""
            throw ValidationError("\(names): for --trigger motion alone, not \(trigger); leave that out\(instead)")
        }
        let zones = zone.map { TransportZone(zone: $0 == "outside" ? nil : $0) }
        let triggerOptions = TransportTriggerOptions(
            triggerType: trigger, motionZones: zones.isEmpty ? nil : zones, motionSensitivity: sensitivity,
            motionTimeControl: try times.control(blind: blind), maxPreRollLen: preRoll?.ms)
        let cmaf = TransportContainerOptions.CMAF(
            cmafInterface: interface, segmentDuration: segment?.ms, chunkDuration: chunk?.ms)
        return TransportOptions(
            streamUsage: usage, videoStreams: videoName.map { [TransportStream(name: $0, id: 0)] },
            audioStreams: audioName.map { [TransportStream(name: $0, id: 0)] }, tlsEndpointID: tlsEndpoint, url: url,
            triggerOptions: triggerOptions == TransportTriggerOptions() ? nil : triggerOptions,
            containerOptions: cmaf == TransportContainerOptions.CMAF()
                ? nil : TransportContainerOptions(cmafContainerOptions: cmaf),
            expiryTime: try TransportTimeOptions.seconds(life?.ms))
    }
}
