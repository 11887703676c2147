/// Breaks of the shell, put in on purpose: what the simulation must notice. Each makes the steps on the disk look as a shell
/// with that mistake would leave them.
public enum ShellBreak: String, CaseIterable, Hashable, Sendable {
    /// Rows are closed before the files are durable.
    case closesUnsynced
    /// Rows of deleted clips go before the removal of their files is durable.
    case removesUnsynced
    /// A row that could not be closed is told as closed.
    case hidesFailures
    /// What a failed write has stored stays at the end of the file.
    case keepsTails
    /// After a failed sync the same data is synced again, and that is believed.
    case syncsAgain
}
