/// Why bytes from outside are not what they should be: a description from the bucket, or the answer of a provider.
public struct Defect: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was read, such as "the description of the clip".
    let subject: String
    /// The key that is wrong, such as `tracks[0].objects[2].name`; empty if it is the whole.
    public let key: String
    /// What is wrong with it, in words, without the foreign text itself.
    public let cause: String
    /// What can be done about it.
    public let remedy: String

    /// A defect.
    init(_ subject: String, key: String, _ cause: String, remedy: String) {
        self.subject = subject
        self.key = key
        self.cause = cause
        self.remedy = remedy
    }

    /// One line: subject, key, cause, remedy.
    public var description: String { "\(subject)\(key.isEmpty ? "" : ": \(key)") \(cause). \(remedy)" }
}
