/// A path to one key of a file, such as `recording.preRoll` or `schedule[0].mode`.
struct KeyPath: Equatable, CustomStringConvertible {
    /// One step.
    enum Step: Equatable {
        case key(String)
        case index(Int)
    }

    let steps: [Step]

    /// A path of these steps, whatever keys there are.
    init(_ steps: [Step]) { self.steps = steps }

    /// Reads a path and checks it against the key table. Throws ``EditProblem/unknownKey(keyPath:remedy:)``.
    init(_ text: String, keys: [Key]) throws(EditProblem) {
        var steps: [Step] = []
        var keys = keys
        var known: [String] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let name = String(part.prefix { $0 != "[" })
            known = keys.map(\.name)
            guard let key = keys.first(where: { $0.name == name }) else {
                let remedy =
                    Spelling.nearest(to: name, among: known).map { "did you mean \($0)?" }
                    ?? (known.isEmpty
                        ? "there are no keys below it" : "the keys here are \(known.joined(separator: ", "))")
                throw .unknownKey(keyPath: String(text.prefix(80)), remedy: remedy)
            }
            steps.append(.key(name))
            let rest = part.dropFirst(name.count)
            if !rest.isEmpty {
                guard rest.hasPrefix("["), rest.hasSuffix("]"), let index = Int(rest.dropFirst().dropLast()), index >= 0
                else {
                    throw .unknownKey(
                        keyPath: String(text.prefix(80)), remedy: "write \(name)[0] for the first element")
                }
                steps.append(.index(index))
            }
            keys = key.children
        }
        self.steps = steps
    }

    /// As people write it.
    var description: String {
        steps.reduce("") { text, step in
            switch step {
            case .key(let name): text.isEmpty ? name : "\(text).\(name)"
            case .index(let index): "\(text)[\(index)]"
            }
        }
    }
}

extension Item {
    /// The item at the end of some steps.
    func at(_ steps: ArraySlice<KeyPath.Step>) -> Item? {
        guard let step = steps.first else { return self }
        switch step {
        case .key(let name): return self[name]?.at(steps.dropFirst())
        case .index(let index):
            guard let elements, elements.indices.contains(index) else { return nil }
            return elements[index].at(steps.dropFirst())
        }
    }

    /// This item with another one at the end of some steps; with nil, the key is removed, and so is each section that
    /// becomes empty. Missing sections are added.
    func setting(_ steps: ArraySlice<KeyPath.Step>, to new: Item?) -> Item? {
        guard let step = steps.first else { return new }
        let rest = steps.dropFirst()
        switch step {
        case .key(let name):
            var entries = entries ?? []
            let old = entries.firstIndex { $0.key == name }
            let empty = Item(content: .section([]), place: .start)
            let value = (old.map { entries[$0].value } ?? empty).setting(rest, to: new)
            let entry = value.map { Entry(key: name, place: .start, value: $0) }
            if let old {
                entries.replaceSubrange(old...old, with: entry.map { [$0] } ?? [])
            } else if let entry {
                entries.append(entry)
            }
            return entries.isEmpty && new == nil ? nil : Item(content: .section(entries), place: place)
        case .index(let index):
            guard var elements, elements.indices.contains(index) else { return self }
            guard let value = elements[index].setting(rest, to: new) else { return self }
            elements[index] = value
            return Item(content: .list(elements), place: place)
        }
    }
}
