internal import ArgumentParser
internal import Daemon

/// `vigil run`
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the daemon: watch the cameras and record what the policies ask for.",
        discussion: """
            Runs until SIGTERM or SIGINT. SIGHUP reads the configuration again, and so does a change of its files. All \
            messages go to journald: journalctl VIGIL_CAMERA=NAME shows those of one camera.
            """)

    @Option(
        help: ArgumentHelp("The configuration.", valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Flag(help: "Record the built-in demo camera into ./vigil-demo (or --root); no camera is needed.")
    var demo = false

    @Option(help: ArgumentHelp("The folder of the recordings, in place of the configuration's.", valueName: "dir"))
    var root: String?

    @Option(help: ArgumentHelp("The control socket, in place of the configuration's.", valueName: "path"))
    var socket: String?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("End by itself after this time, such as 60s.", valueName: "time"))
    var duration: TimeLength?

    func validate() throws {
        guard demo != (config != nil) else {
            throw ValidationError("name a configuration with --config FILE, or try --demo")
        }
    }

    func run() async throws {
        let demo = demo
        let source: DaemonOptions.Source = config.map { .file($0) } ?? .demo
        let options = DaemonOptions(source: source, root: root, socket: socket, forMs: duration?.ms) { root, socket in
            guard demo else { return }
            Output.note(
                """
                Vigil records the demo camera into \(root)/clips. In another terminal:
                  vigil state --socket \(socket)
                  vigil clips --socket \(socket)
                  journalctl -f VIGIL_CAMERA=demo
                Its configuration is \(root)/config/vigil.yaml; a change takes effect by itself. Ctrl-C ends it.
                """)
        }
        do { try await VigilDaemon.run(options) } catch let failure as DaemonFailure { throw Failure("\(failure)") }
    }
}
