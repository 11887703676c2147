import Glibc

/// Says why on the error stream and ends with 1.
func fail(_ why: String) -> Never {
    let line = Array((why + "\n").utf8)
    if !why.isEmpty { _ = write(STDERR_FILENO, line, line.count) }
    exit(1)
}
