internal import ArgumentParser
internal import Daemon
internal import Foundation
internal import Policies

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
        help: ArgumentHelp(
            "Where the web page and HTTP are served, in place of the configuration's, such as 127.0.0.1:8081, or none.",
            valueName: "address"))
    var listen: String?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("End by itself after this time, such as 60s.", valueName: "time"))
    var duration: TimeLength?

    func validate() throws {
        guard demo != (config != nil) else {
            throw ValidationError("name a configuration with --config FILE, or try --demo")
        }
    }

    func run() async throws {
        let source: DaemonOptions.Source = config.map { .file($0) } ?? .demo
        let listening = try listening()
        let options = DaemonOptions(
            source: source, root: root, socket: socket, listen: listening, forMs: duration?.ms
        ) { [demo] ready in
            if demo { Self.introduce(ready) }
            // A journal is read by others than whoever starts a daemon in a terminal.
            guard ProcessInfo.processInfo.environment["JOURNAL_STREAM"] == nil else { return }
            Task {
                guard let link = await ready.link() else { return }
                Output.note(
                    "Look at it, within ten minutes and once (\"vigil token link\" makes another one):\n  \(link)")
                ready.certificate()?.note()
            }
        }
        do { try await VigilDaemon.run(options) } catch let failure as DaemonFailure { throw Failure("\(failure)") }
    }

    private func listening() throws -> DaemonOptions.Listen {
        guard let listen else { return .configured }
        do throws(Fault) { return .at(try ListenAddress.parse(listen)) } catch {
            throw Failure("--listen: \(error.reason); \(error.remedy)", status: 2)
        }
    }

    private static func introduce(_ ready: DaemonOptions.Ready) {
        Output.note(
            """
            Vigil records the demo camera into \(ready.root)/clips. In another terminal:
              vigil state --socket \(ready.socket)
              vigil clips --socket \(ready.socket)
              journalctl -f VIGIL_CAMERA=demo
            Its configuration is \(ready.root)/config/vigil.yaml; a change takes effect by itself. Ctrl-C ends it.
            """)
    }
}
