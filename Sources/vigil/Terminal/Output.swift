internal import FoundationEssentials
internal import Glibc

/// Standard output and standard error, unbuffered, so that a reader that goes away ends a long listing at once.
enum Output {
    /// Writes `text`, whatever it holds, and a line end to standard output.
    static func line(_ text: String) throws { try write(Array((Visible.text(text) + "\n").utf8)) }

    /// Writes `bytes` to standard output.
    static func write(_ bytes: [UInt8]) throws { try write(bytes, to: STDOUT_FILENO, named: "standard output") }

    /// Writes `text`, whatever it holds, and a line end to standard error; a lost note is no reason to fail.
    static func note(_ text: String) {
        try? write(Array((Visible.text(text) + "\n").utf8), to: STDERR_FILENO, named: "standard error")
    }

    /// Writes `value` as JSON, one key a line, keys sorted.
    static func json(_ value: some Encodable) throws { try line(text(of: value)) }

    /// `value` as JSON.
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Writes all of `bytes` to `handle`, which `name` names in the failure.
    static func write(_ bytes: [UInt8], to handle: Int32, named name: String) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(handle, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                throw BrokenPipe()
            } else if errno != EINTR {
                throw Failure("cannot write to \(name): \(String(cString: strerror(errno)))")
            }
        }
    }
}
