internal import Glibc

/// A line on standard error that tells how far a long work is; nothing where standard error is no terminal.
struct Progress {
    private let total: Int64
    private let verb: String
    private let visible: Bool
    private var done: Int64 = 0
    private var told: ContinuousClock.Instant?

    /// Work on about `total` bytes; `verb` names it.
    init(_ verb: String, total: Int64) {
        self.verb = verb
        self.total = total
        visible = isatty(STDERR_FILENO) == 1
    }

    /// Bytes done so far.
    var bytes: Int64 { done }

    /// `count` more bytes are done; the line is renewed five times a second.
    mutating func advance(_ count: Int, now: ContinuousClock.Instant = .now) {
        done += Int64(count)
        guard visible, told.map({ now - $0 >= .milliseconds(200) }) ?? true else { return }
        told = now
        show(line)
    }

    /// Clears the line.
    func end() {
        if visible { show("") }
    }

    /// `exporting 12.3 MB of 40 MB, 31 %`. The total is an estimate, so never more than 99 %.
    var line: String {
        guard total > 0 else { return "\(verb) \(Words.size(done))" }
        let percent = min(99, Int(Double(done) / Double(total) * 100))
        return "\(verb) \(Words.size(done)) of about \(Words.size(total)), \(percent) %"
    }

    private func show(_ text: String) {
        try? Output.write(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO, named: "standard error")
    }
}
