internal import Glibc

/// A question with the answers yes and no.
enum Question {
    /// Asks on standard error and reads standard input; without an answer it is no. A failure where nobody can answer.
    static func ask(_ text: String) throws(Failure) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure("\(text) nobody can answer here; use a terminal, or --yes where the command has it")
        }
        try? Output.write(Array("\(Visible.text(text)) [y/N] ".utf8), to: STDERR_FILENO, named: "standard error")
        return ["y", "yes"].contains((readLine() ?? "").lowercased())
    }
}
