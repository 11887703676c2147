/// Changes one key of a policy file and leaves every other character as it is: comments, order, formatting.
///
/// The change is made in the text, at the place that the parser names, and then proven: the new text must parse to the
/// old content with exactly this key changed, and must be accepted as a policy. What cannot be proven is refused, so the
/// editor need not understand every way to write YAML.
public enum PolicyEditor {
    /// Largest text that is edited, in bytes; every line is held apart, and no policy of this size is written by hand.
    public static let maxBytes = 128 << 10

    /// The text with one key set, added where it is missing. `value` is text as in the file, without quotes; a list or
    /// section may be given in brackets for a key that is missing. Throws an ``EditProblem``.
    public static func set(
        _ text: String, keyPath: String, value: String, file: String = "policy"
    ) throws(EditProblem) -> String {
        let path = try KeyPath(keyPath, keys: Key.policy)
        guard text.utf8.count <= maxBytes else { throw .tooInvolved(keyPath: keyPath) }
        let root = try YAMLReader.item(text, file: file)
        let isCollection = value.hasPrefix("[") || value.hasPrefix("{")
        let wanted =
            isCollection
            ? try YAMLReader.item(value, file: file) : Item(content: .text(value, plain: false), place: .start)
        guard let expected = root.setting(path.steps[...], to: wanted), reaches(path, in: root) else {
            throw .absent(keyPath: keyPath)
        }
        for written in isCollection ? [value] : spellings(value) {
            let edit = TextEdit(root: root, text: TextLines(text), path: path)
            guard let changed = edit.set(written), let result = try? YAMLReader.item(changed, file: file),
                result == expected
            else {
                continue
            }
            try validate(changed, file: file)
            return changed
        }
        throw .tooInvolved(keyPath: keyPath)
    }

    /// The text without one key, which then has its default. A section that becomes empty goes too. Throws an
    /// ``EditProblem``.
    public static func unset(_ text: String, keyPath: String, file: String = "policy") throws(EditProblem) -> String {
        let path = try KeyPath(keyPath, keys: Key.policy)
        guard text.utf8.count <= maxBytes else { throw .tooInvolved(keyPath: keyPath) }
        let root = try YAMLReader.item(text, file: file)
        guard root.at(path.steps[...]) != nil, let expected = root.setting(path.steps[...], to: nil) else {
            throw .absent(keyPath: keyPath)
        }
        let edit = TextEdit(root: root, text: TextLines(text), path: path)
        guard let changed = edit.unset(), let result = try? YAMLReader.item(changed, file: file), result == expected
        else {
            throw .tooInvolved(keyPath: keyPath)
        }
        try validate(changed, file: file)
        return changed
    }

    /// A list element cannot be added by its number, so every index of the path must be there.
    private static func reaches(_ path: KeyPath, in root: Item) -> Bool {
        path.steps.indices.allSatisfy { index in
            if case .index = path.steps[index] { return root.at(path.steps[...index]) != nil }
            return true
        }
    }

    private static func validate(_ text: String, file: String) throws(EditProblem) {
        let outcome = PolicyReader.read(Array(text.utf8), file: file)
        if outcome.document == nil { throw .refused(Refusal(diagnostics: outcome.diagnostics)) }
    }

    /// Ways to write a value, the plainest first. `off` and times of day are quoted at once, because other YAML readers
    /// take them for false and for a number.
    private static func spellings(_ value: String) -> [String] {
        let quoted = YAMLText.quoted(value)
        let confusing = value == "off" || value.contains(":") || value.isEmpty
        return confusing ? [quoted] : [value, quoted]
    }
}
