/// When a picture that a viewer wants is given: soon, and ever less often while it is wanted again and again. A picture comes with its
/// whole group, which may be just what a full network loses.
struct PictureRequests {
    /// How often one is given, in milliseconds, and how often while it is wanted again and again.
    static let everyMs: (first: Int64, most: Int64) = (500, 4_000)

    private var lastMs: Int64 = .min / 2
    private var waitMs = Self.everyMs.first

    /// Whether one that is wanted now is given.
    mutating func take(_ nowMs: Int64) -> Bool {
        let passed = nowMs &- lastMs
        guard passed >= waitMs else { return false }
        waitMs = passed < 2 * Self.everyMs.most ? min(2 * waitMs, Self.everyMs.most) : Self.everyMs.first
        lastMs = nowMs
        return true
    }
}
