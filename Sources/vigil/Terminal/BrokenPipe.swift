/// Whoever read standard output has gone (`vigil clips | head`). Not a failure.
struct BrokenPipe: Error {}
