/// Which recordings of a transport may be pushed. What is recorded is read later than it is allowed: the end of one recording may still
/// be read when the next has begun.
struct PushPermission: Sendable {
    private var begun = 0
    /// The last recording of which nothing may leave any more; what came before it may not either.
    private var forbidden = 0

    /// A recording begins. Gives its number, from 1.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    /// Nothing of what has begun until now may leave. Gives the number of the last recording that this is about.
    mutating func forbid() -> Int {
        forbidden = begun
        return forbidden
    }

    /// Whether media of a recording may leave.
    func allows(_ recording: Int) -> Bool { recording > forbidden }
}
