/// Changes one value in the text of a configuration, proven by parsing: the result is what was to come of it, and nothing else is
/// changed.
enum ConfigurationEdit {
    /// Largest text that is edited, in bytes.
    static let maxBytes = 256 << 10

    /// The text with one value set, or removed where it is nil. Blocking, for as long as parsing takes. Throws an ``EditProblem``.
    static func change(
        _ text: String, _ steps: [KeyPath.Step], to value: String?, _ file: String
    ) throws(EditProblem) -> String {
        let root = try YAMLReader.item(text, file: file)
        let path = KeyPath(steps)
        var wanted: Item?
        if let value { wanted = try YAMLReader.item(value, file: file) }
        let expected = root.setting(steps[...], to: wanted)
        let edit = TextEdit(root: root, text: TextLines(text), path: path, isSpread: true)
        let changed = value.map { edit.set($0) } ?? edit.unset()
        if let changed, let result = try? YAMLReader.item(changed, file: file), result == expected { return changed }
        // What is written over several lines is taken out and added anew.
        guard value != nil, root.at(steps[...]) != nil else { throw .tooInvolved(keyPath: path.description) }
        return try change(try change(text, steps, to: nil, file), steps, to: value, file)
    }
}
