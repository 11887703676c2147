internal import ArgumentParser
internal import Client
internal import Wire

/// `vigil transport allocate CAMERA …`
struct TransportAllocateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocate", abstract: "Allocate a transport, inactive at first; prints its number.",
        discussion: """
            Such as: vigil transport allocate front --trigger motion --zone gate --max 30s. Defaults: motion anywhere of every \
            sensitivity, --initial 10s, --augmentation 5s, --max 60s, --blind 0s, --pre-roll 5s, segments of about 4 s, pictures \
            and sound, as tracks video and audio.
            """)

    @Argument(help: "The camera.")
    var camera: String

    @OptionGroup var said: TransportOptionsGroup

    @Flag(help: "Without sound.")
    var silent = false

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        _ = try said.options()
        if silent, said.audioName != nil {
            throw ValidationError("--audio-name: there is no sound with --silent; leave one of them out")
        }
    }

    func run() async throws {
        let options = try said.options()
        let made = try await socket.ask { client in
            let able = try await client.transportCapabilities(camera: camera)
            return try await client.allocateTransport(camera: camera, options.merged(over: standard(able)))
        }
        if format.json { return try Output.json(made) }
        try Output.line("transport \(made.connectionID) of \(made.camera) is allocated, and inactive")
    }

    /// What holds where nothing is said.
    private func standard(_ able: TransportCapabilities) -> TransportOptions {
        let kind = said.trigger ?? "motion"
        let intervalMs = max(able.keyFrameInterval ?? 4_000, 1)
        return TransportOptions(
            streamUsage: "recording", videoStreams: [TransportStream(name: "video", id: 0)],
            audioStreams: silent || able.audioStreams.isEmpty ? nil : [TransportStream(name: "audio", id: 0)],
            triggerOptions: TransportTriggerOptions(
                triggerType: kind,
                motionTimeControl: kind == "motion"
                    ? TransportTimeControl(
                        initialDuration: 10, augmentationDuration: 5, maxDuration: 60, blindDuration: 0) : nil,
                maxPreRollLen: kind == "continuous" ? nil : max(5_000, intervalMs)),
            ingestMethod: "cmafIngest",
            containerOptions: TransportContainerOptions(
                containerType: "cmaf",
                cmafContainerOptions: TransportContainerOptions.CMAF(
                    cmafInterface: "interface1", segmentDuration: max(4_000 / intervalMs, 1) * intervalMs,
                    chunkDuration: 0)))
    }
}

/// `vigil transport modify CAMERA NUMBER …`
struct TransportModifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modify", abstract: "Change options of a transport; what is not named stays as it is.")

    @OptionGroup var one: TransportArgument
    @OptionGroup var said: TransportOptionsGroup
    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        guard try said.options() != TransportOptions() else {
            throw ValidationError("nothing is to be changed: name an option")
        }
    }

    func run() async throws {
        let options = try said.options()
        let changed = try await socket.ask {
            try await $0.modifyTransport(camera: one.camera, number: one.number, options)
        }
        if format.json { return try Output.json(changed) }
        try Output.line("transport \(changed.connectionID) of \(changed.camera) is modified")
    }
}
