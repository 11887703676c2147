/// One change to a text; the caller proves the result.
struct TextEdit {
    let root: Item
    var text: TextLines
    let path: KeyPath
    /// Whether a missing section gets lines of its own; else it stands in brackets.
    var isSpread = false

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
        if isSpread, names.count == 2, text[section.place] != "{" {
            return copy.insert(["\(names[0]):", "  \(last): \(value)"], into: section)
        }
        let pair = names.dropLast().reversed().reduce("\(last): \(value)") { "\($1): { \($0) }" }
        return copy.insert([pair], into: section)
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

    private mutating func insert(_ lines: [String], into section: Item) -> String? {
        guard let entries = section.entries else { return nil }
        if text[section.place] == "{", let pair = lines.first {
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
        for (index, line) in lines.enumerated() {
            text.insert(String(repeating: " ", count: first.place.column - 1) + line, afterLine: end + index)
        }
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

extension YAMLReader {
    /// The content of a text that is edited. Throws ``EditProblem/refused(_:)``.
    static func item(_ text: String, file: String) throws(EditProblem) -> Item {
        do {
            return try read(Array(text.utf8), file: file)
        } catch {
            throw .refused(error)
        }
    }
}
