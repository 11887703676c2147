/// What is fixed about a message kind: its words, its priority, and its entry in the message catalog.
struct MessageEntry: Sendable, Hashable {
    /// Default priority.
    let priority: Priority
    /// The constant words, without a camera's name and without a full stop.
    let text: String
    /// What is added where the fields are present, joined by commas.
    let phrases: [Phrase]
    /// Subject line of the catalog, with `@FIELD@`.
    let subject: String
    /// What happened and what it means, with `@FIELD@`.
    let explanation: String
    /// What the operator should do.
    let remedy: String

    init(
        _ priority: Priority, _ text: String, _ phrases: [Phrase] = [], subject: String, explanation: String,
        remedy: String
    ) {
        self.priority = priority
        self.text = text
        self.phrases = phrases
        self.subject = subject
        self.explanation = explanation
        self.remedy = remedy
    }
}
