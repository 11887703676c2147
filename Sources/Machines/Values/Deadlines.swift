/// The earlier of two moments that may be missing.
func earliest(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a else { return b }
    guard let b else { return a }
    return min(a, b)
}

/// Which of a machine's deadlines at or before `now` comes first, with its instant; of several at one instant the one that stands
/// first in `Due`. nil where none is due.
func firstDue<Due: CaseIterable>(at now: Instant, _ deadline: (Due) -> Instant?) -> (Due, Instant)? {
    var first: (Due, Instant)?
    for due in Due.allCases {
        guard let at = deadline(due), at <= now else { continue }
        if let current = first, current.1 <= at { continue }
        first = (due, at)
    }
    return first
}
