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
        let root = try read(text, file: file)
        let isCollection = value.hasPrefix("[") || value.hasPrefix("{")
        let wanted =
            isCollection ? try read(value, file: file) : Item(content: .text(value, plain: false), place: .start)
        guard let expected = root.setting(path.steps[...], to: wanted), reaches(path, in: root) else {
            throw .absent(keyPath: keyPath)
        }
        for written in isCollection ? [value] : spellings(value) {
            let edit = Edit(root: root, text: TextLines(text), path: path)
            guard let changed = edit.set(written), let result = try? read(changed, file: file), result == expected
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
        let root = try read(text, file: file)
        guard root.at(path.steps[...]) != nil, let expected = root.setting(path.steps[...], to: nil) else {
            throw .absent(keyPath: keyPath)
        }
        let edit = Edit(root: root, text: TextLines(text), path: path)
        guard let changed = edit.unset(), let result = try? read(changed, file: file), result == expected else {
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

    private static func read(_ text: String, file: String) throws(EditProblem) -> Item {
        do {
            return try YAMLReader.read(Array(text.utf8), file: file)
        } catch {
            throw .refused(error)
        }
    }

    private static func validate(_ text: String, file: String) throws(EditProblem) {
        let outcome = PolicyReader.read(Array(text.utf8), file: file)
        if outcome.document == nil { throw .refused(Refusal(diagnostics: outcome.diagnostics)) }
    }

    /// Ways to write a value, the plainest first. `off` and times of day are quoted at once, because other YAML readers
    /// take them for false and for a number.
    private static func spellings(_ value: String) -> [String] {
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        let quoted = "\"\(escaped)\""
        let confusing = value == "off" || value.contains(":") || value.isEmpty
        return confusing ? [quoted] : [value, quoted]
    }
}

/// One change to a text; the caller proves the result.
private struct Edit {
    let root: Item
    var text: TextLines
    let path: KeyPath

    init(root: Item, text: TextLines, path: KeyPath) {
        self.root = root
        self.text = text
        self.path = path
    }

    func set(_ value: String) -> String? {
        var copy = self
        if let old = root.at(path.steps[...]) { return copy.replace(old, with: value) }
        // The longest part of the path that is there gets the rest, missing sections in brackets.
        var depth = path.steps.count - 1
        while depth > 0, root.at(path.steps[..<depth]) == nil { depth -= 1 }
        guard let section = root.at(path.steps[..<depth]), section.entries != nil else { return nil }
        var names: [String] = []
        for step in path.steps[depth...] {
            guard case .key(let name) = step else { return nil }
            names.append(name)
        }
        guard let last = names.last else { return nil }
        let pair = names.dropLast().reversed().reduce("\(last): \(value)") { "\($1): { \($0) }" }
        return copy.insert(pair, into: section)
    }

    private mutating func replace(_ old: Item, with value: String) -> String? {
        if old.text == nil {
            // What is written in brackets goes from one to the other, on one line; anything else cannot be told apart.
            let bracket = text[old.place]
            guard bracket == "[" || bracket == "{", value.first == "[" || value.first == "{",
                let end = endInFlow(of: old)
            else { return nil }
            return text.replace(old.place, end, with: value) ? text.text : nil
        }
        guard let end = text.endOfValue(at: old.place, inFlow: isInFlow(path.steps.count)) else { return nil }
        var written = value
        // Quotes that are there stay, so that a time of day looks like the others.
        if let quote = text[old.place], quote == "\"" || quote == "'", !value.hasPrefix("\""), !value.contains("'") {
            written = "\(quote)\(value)\(quote)"
        }
        return text.replace(old.place, end, with: written) ? text.text : nil
    }

    private mutating func insert(_ pair: String, into section: Item) -> String? {
        guard let entries = section.entries else { return nil }
        if text[section.place] == "{" {
            guard let close = text.closingBracket(from: section.place) else { return nil }
            var before = Place(line: close.line, column: close.column)
            while before.column > 1, text[Place(line: before.line, column: before.column - 1)] == " " {
                before = Place(line: before.line, column: before.column - 1)
            }
            let comma = text[Place(line: before.line, column: before.column - 1)] == ","
            let new = entries.isEmpty ? " \(pair) " : (comma ? " \(pair)" : ", \(pair)")
            return text.replace(before, entries.isEmpty ? close : before, with: new) ? text.text : nil
        }
        guard let first = entries.first, let last = entries.last, let end = endLine(of: last.value, key: last.place)
        else {
            return nil
        }
        text.insert(String(repeating: " ", count: first.place.column - 1) + pair, afterLine: end)
        return text.text
    }

    func unset() -> String? {
        // A section with this key only goes as a whole.
        var depth = path.steps.count
        while depth > 1, root.at(path.steps[..<(depth - 1)])?.entries?.count == 1, case .key = path.steps[depth - 2] {
            depth -= 1
        }
        guard case .key(let name) = path.steps[depth - 1], let section = root.at(path.steps[..<(depth - 1)]),
            let entries = section.entries, let index = entries.firstIndex(where: { $0.key == name })
        else { return nil }
        var copy = self
        return copy.remove(index, of: entries, in: section, depth: depth)
    }

    private mutating func remove(_ index: Int, of entries: [Item.Entry], in section: Item, depth: Int) -> String? {
        let entry = entries[index]
        if text[section.place] == "{" {
            // From this key to the next, or from the end of the one before to the end of this one.
            if entries.indices.contains(index + 1) {
                return text.replace(entry.place, entries[index + 1].place, with: "") ? text.text : nil
            }
            guard index > 0, let from = endInFlow(of: entries[index - 1].value), let to = endInFlow(of: entry.value)
            else { return nil }
            return text.replace(from, to, with: "") ? text.text : nil
        }
        guard text.isFirst(entry.place), let end = endLine(of: entry.value, key: entry.place) else { return nil }
        return text.remove(entry.place.line...end) ? text.text : nil
    }

    private func endInFlow(of item: Item) -> Place? {
        if item.text != nil { return text.endOfValue(at: item.place, inFlow: true) }
        return text.closingBracket(from: item.place).map { Place(line: $0.line, column: $0.column + 1) }
    }

    /// The last line of a value.
    private func endLine(of item: Item, key: Place) -> Int? {
        if text[item.place] == "{" || text[item.place] == "[" { return text.closingBracket(from: item.place)?.line }
        switch item.content {
        case .text: return max(item.place.line, key.line)
        case .list(let items): return items.last.flatMap { endLine(of: $0, key: $0.place) } ?? item.place.line
        case .section(let entries):
            return entries.last.flatMap { endLine(of: $0.value, key: $0.place) } ?? item.place.line
        }
    }

    /// Whether the item at the first steps of the path lies inside brackets.
    private func isInFlow(_ count: Int) -> Bool {
        (0..<count).contains { depth in
            guard let item = root.at(path.steps[..<depth]), item.text == nil else { return false }
            return text[item.place] == "{" || text[item.place] == "["
        }
    }
}
