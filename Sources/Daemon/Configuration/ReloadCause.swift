internal import Journal
internal import Server

/// Who or what made the daemon read its configuration.
enum ReloadCause: Sendable {
    /// The daemon began.
    case start
    /// A file changed, by whoever may write it.
    case file
    /// SIGHUP.
    case signal
    /// A command over the socket.
    case caller(Caller)

    /// The field of the journal that says it.
    var field: (Field, String) {
        switch self {
        case .start: (.why, "the start")
        case .file: (.why, "a changed file")
        case .signal: (.why, "SIGHUP")
        case .caller(let caller): (.user, "\(caller)")
        }
    }
}
