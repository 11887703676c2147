import CLibav
import Synchronization

/// Where libav's complaints go. libav prints to stderr by itself, addresses included; here its errors are handed to one
/// closure, without anything that looks like a login, at most `perSecondMax` a second, and the rest is dropped.
public enum LibavLog {
    /// More messages than this in one second are dropped.
    public static let perSecondMax = 5

    private struct State {
        var handler: (@Sendable (String) -> Void)?
        var second: Int64 = 0
        var count = 0
    }

    private static let state = Mutex(State())
    private static let installed: Void = av_log_set_callback { object, level, format, arguments in
        guard level <= AV_LOG_ERROR, let format, let arguments else { return }
        LibavLog.take(object, level, format, arguments)
    }

    /// Takes over libav's log. Inputs do so by themselves.
    static func install() { _ = installed }

    /// Sends libav's errors to `handler`, on the thread on which they happen; nil drops them.
    public static func setHandler(_ handler: (@Sendable (String) -> Void)?) {
        install()
        state.withLock { $0.handler = handler }
    }

    private static func take(
        _ object: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer
    ) {
        let handler = state.withLock { state -> (@Sendable (String) -> Void)? in
            let second = BootClock.nowMs() / 1000
            if second != state.second {
                state.second = second
                state.count = 0
            }
            state.count += 1
            return state.count <= perSecondMax ? state.handler : nil
        }
        guard let handler else { return }
        var line = [CChar](repeating: 0, count: 512)
        var prefix: Int32 = 0
        av_log_format_line(object, level, format, arguments, &line, Int32(line.count), &prefix)
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        handler(redacted(text.trimmingBlanks))
    }

    /// `text` without what stands between `://` and `@`.
    static func redacted(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let scheme = word.firstRange(of: "://"), let at = word.lastIndex(of: "@"), at > scheme.upperBound
            else {
                return String(word)
            }
            return word[..<scheme.upperBound] + "***" + word[at...]
        }.joined(separator: " ")
    }
}
