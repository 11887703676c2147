internal import ArgumentParser
internal import Journal
internal import Trace
internal import Wire

/// Which part of a trace is read.
struct TraceChoice: ParsableArguments {
    @Option(name: .long, help: "Only this camera, its sessions, uploads and transports.")
    var camera: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only what was recorded at or after this time.", valueName: "time"))
    var since: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only what was recorded at or before this time.", valueName: "time"))
    var until: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Only this boot: the first digits of VIGIL_BOOT, or \"current\".", valueName: "id"))
    var boot: String?

    @Option(
        name: .long, help: ArgumentHelp("Only this run of the daemon: the first digits of VIGIL_RUN.", valueName: "id"))
    var run: String?

    /// What is asked for.
    func query(_ clock: DisplayClock, of kinds: Set<MachineKind> = [.camera]) throws -> TraceQuery {
        let boot = boot == "current" ? try BootID.current().value : boot
        return TraceQuery(
            kinds: kinds, camera: camera, run: run, boot: boot, sinceMs: try since.map { try clock.read($0).ms },
            untilMs: try until.map { try clock.read($0).ms })
    }
}
