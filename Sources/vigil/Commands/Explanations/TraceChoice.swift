internal import ArgumentParser
internal import Journal
internal import Server

/// Which part of a trace is read.
struct TraceChoice: ParsableArguments {
    @Option(name: .long, help: "Only this camera.")
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

    @Option(
        name: .long, help: ArgumentHelp("Read the journal files in this folder, not this machine's.", valueName: "dir"),
        completion: .directory)
    var directory: String?

    /// A reader of the file, or of the journal where there is none.
    func reader(_ file: String?, _ clock: DisplayClock) throws -> TraceReader {
        if file != nil, directory != nil { throw ValidationError("--directory and a file exclude each other") }
        let boot = boot == "current" ? try BootID.current().value : boot
        let query = TraceQuery(
            camera: camera, run: run, boot: boot, sinceMs: try since.map { try clock.read($0).ms },
            untilMs: try until.map { try clock.read($0).ms }, directory: directory)
        return if let file { try TraceReader(path: file, only: query) } else { try TraceReader(journal: query) }
    }
}
