internal import ArgumentParser
internal import Glibc

/// The program's entry.
@main
enum Vigil {
    static func main() async {
        // A reader that went away is told by the write that fails, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        do {
            var words = Array(CommandLine.arguments.dropFirst())
            // As everybody asks any program. As an option of the parser's it would stand in the help of each command.
            if words == ["--version"] { words = ["version"] }
            var command = try VigilCommand.parseAsRoot(ClipArgument.apart(words))
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
