public import Machines

/// What a program recognised during an event, such as a person: the first time that it said so.
public struct EventLabel: Hashable, Sendable {
    /// What it is, 1…32 letters, digits, `-` and `_`.
    public var name: String
    /// When it was told.
    public var at: Moment
    /// Where it was; nil where nobody said.
    public var box: LabelBox?

    /// A label, told at `at`, with where it was.
    public init(name: String, at: Moment, box: LabelBox? = nil) {
        self.name = name
        self.at = at
        self.box = box
    }
}
