/// A piece of a message that appears where its field is present: words, the field's value, words.
struct Phrase: Sendable, Hashable {
    let before: String
    let field: Field
    let after: String
    /// The words for the codes that the field may hold; a code that is not among them is shown as it is.
    let vocabulary: Vocabulary

    init(_ before: String = "", _ field: Field, _ after: String = "", in vocabulary: Vocabulary = .none) {
        self.before = before
        self.field = field
        self.after = after
        self.vocabulary = vocabulary
    }

    /// The phrase with the value, escaped and bounded.
    func text(_ value: String) -> String {
        before + (vocabulary.words(for: value) ?? Escaping.visible(value)) + after
    }

    /// The phrase as the reference shows it.
    var pattern: String { before + "@" + field.rawValue + "@" + after }
}
