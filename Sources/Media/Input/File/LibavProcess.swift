import CLibav

/// libav's own log, which it prints to standard error, addresses and passwords included. Nobody needs it: what goes wrong comes
/// back as an error of the call that failed.
enum LibavLog {
    private static let silenced: Void = av_log_set_callback { _, _, _, _ in }

    /// Makes libav print nothing, for the whole process.
    static func silence() { _ = silenced }
}
