internal import ArgumentParser

/// `vigil`: the list of its subcommands.
struct VigilCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vigil",
        abstract: "A network video recorder that says, for every second of every camera, what it did and why.",
        discussion: """
            Most commands speak to the running daemon over its Unix socket: --socket PATH, else $VIGIL_SOCKET, else \
            /run/vigil/vigil.sock, else ./vigil-demo/vigil.sock if it exists. Root, the daemon's own user and members of \
            the group vigil may.

            Times are RFC 3339 (2026-11-21T10:00:00Z), or in the site's time zone "2026-11-21 10:00", "10:00" (today), \
            "yesterday 10:00", or "now", or as long ago as -10m or -1h30m.

            Exit status: 0 done, 1 refused or failed with the reason on standard error, 2 wrong usage.
            """,
        subcommands: [
            RunCommand.self, CheckCommand.self, DiscoverDevicesCommand.self, ProbeCommand.self, StatusCommand.self,
            CamerasCommand.self,
            StateCommand.self,
            ViewersCommand.self, WatchCommand.self, SnapshotCommand.self, FramesCommand.self, DaysCommand.self,
            ClipsCommand.self,
            EventsCommand.self, CoverageCommand.self, ExportCommand.self,
            RecordNowCommand.self, TriggerSourceCommand.self, PTZTurnCommand.self,
            EnableCameraCommand.self, DisableCameraCommand.self,
            PrivacySwitchCommand.self, CameraGroup.self, PolicyGroup.self, TokenGroup.self, ProtectClipCommand.self,
            DeleteCommand.self,
            CloudGroup.self,
            MessagesCommand.self, NotifyGroup.self, TransportGroup.self, ReloadCommand.self, FsckCommand.self,
            WhyCommand.self, SimulateCommand.self, LadderCommand.self, ReplayCommand.self, TraceGroup.self,
            VersionCommand.self, ManualCommand.self,
        ])
}
