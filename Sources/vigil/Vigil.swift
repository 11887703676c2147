internal import ArgumentParser
internal import Glibc

/// The program's entry.
@main
enum Vigil {
    static func main() async {
        // A reader that went away is told by the write that fails, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try VigilCommand.parseAsRoot(ClipArgument.apart(Array(CommandLine.arguments.dropFirst())))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            Ending.of(error).leave()
        }
    }
}
