/// Why bytes are no XML that is taken.
package struct XMLDefect: Error, Hashable, Sendable {
    /// What is wrong, in words of our own: nothing of what came is repeated.
    package let what: String
    /// Where, in bytes from the begin.
    package let place: Int

    /// A defect at a place.
    package init(_ what: String, at place: Int) {
        self.what = what
        self.place = place
    }
}
