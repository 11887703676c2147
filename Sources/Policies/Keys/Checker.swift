/// Checks a file against its key table and collects every finding, up to a limit that no honest file reaches.
struct Checker {
    /// Most findings of one file; what comes after them is not reported.
    static let findingLimit = 500

    let file: String
    private(set) var diagnostics: [Diagnostic] = []

    init(file: String) { self.file = file }

    private var isFull: Bool { diagnostics.count >= Self.findingLimit }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    mutating func error(_ place: Place, _ keyPath: String, _ reason: String, _ remedy: String) {
        add(.error, place, keyPath, reason, remedy)
    }

    /// An error in another file than the one that names it.
    mutating func error(in other: String, _ place: Place, _ reason: String, _ remedy: String) {
        add(.error, place, "", reason, remedy, file: other)
    }

    mutating func warning(_ place: Place, _ keyPath: String, _ reason: String, _ remedy: String) {
        add(.warning, place, keyPath, reason, remedy)
    }

    private mutating func add(
        _ severity: Diagnostic.Severity, _ place: Place, _ keyPath: String, _ reason: String, _ remedy: String,
        file other: String? = nil
    ) {
        // An error is always among them, because only errors come in such numbers.
        guard !isFull else { return }
        diagnostics.append(
            Diagnostic(
                file: other ?? file, line: place.line, column: place.column, severity: severity, keyPath: keyPath,
                reason: reason, remedy: remedy))
    }

    /// Checks a section: unknown keys, missing keys, then each value.
    mutating func check(_ item: Item, keys: [Key], path: String) {
        guard let entries = item.entries else {
            let names = keys.map(\.name).joined(separator: ", ")
            error(item.place, path, "expected a section, found \(item.kindInWords)", "write keys below it: \(names)")
            return
        }
        for entry in entries where !isFull {
            let keyPath = Self.join(path, entry.key)
            guard let key = keys.first(where: { $0.name == entry.key }) else {
                unknown(entry, keys: keys, path: keyPath)
                continue
            }
            check(entry.value, key: key, path: keyPath)
        }
        for key in keys where key.required && item.entry(key.name) == nil {
            error(
                entries.first?.place ?? item.place, Self.join(path, key.name), "the key \(key.name) is missing",
                "add it: \(Self.lowercasedFirst(key.purpose))")
        }
    }

    private mutating func check(_ item: Item, key: Key, path: String) {
        if item.isEmpty {
            error(item.place, path, "the key has no value", "give it one, or remove the key")
            return
        }
        switch key.value {
        case .value(let form): checkValue(item, form, path: path)
        case .section(let keys): check(item, keys: keys, path: path)
        case .valueOrSection(let form, let keys):
            if item.entries == nil { checkValue(item, form, path: path) } else { check(item, keys: keys, path: path) }
        case .values(let form, let limit): checkValues(item, form, limit: limit, path: path)
        case .sections(let keys, let limit):
            guard let elements = list(item, limit: limit, path: path) else { return }
            for (index, element) in elements.enumerated() where !isFull {
                check(element, keys: keys, path: "\(path)[\(index)]")
            }
        case .named(_, let keys, let limit):
            guard let entries = item.entries else {
                error(
                    item.place, path, "expected names with a section each, found \(item.kindInWords)",
                    "write a name and a colon, and the keys below it")
                return
            }
            guard entries.count <= limit else {
                error(item.place, path, "\(entries.count) entries; at most \(limit) are allowed", "remove some")
                return
            }
            for entry in entries {
                let keyPath = Self.join(path, entry.key)
                if let fault = ValueForm.name.fault(entry.key) {
                    error(entry.place, keyPath, fault.reason, fault.remedy)
                }
                check(entry.value, keys: keys, path: keyPath)
            }
        case .areas(let limit): checkAreas(item, limit: limit, path: path)
        }
    }

    mutating func list(_ item: Item, limit: Int, path: String) -> [Item]? {
        guard let elements = item.elements else {
            error(
                item.place, path, "expected a list, found \(item.kindInWords)",
                "put it in brackets: [ … ], or begin each element with a dash")
            return nil
        }
        guard elements.count <= limit else {
            error(item.place, path, "\(elements.count) elements; at most \(limit) are allowed", "remove some")
            return nil
        }
        return elements
    }

    private mutating func checkValues(_ item: Item, _ form: ValueForm, limit: Int, path: String) {
        guard let elements = list(item, limit: limit, path: path) else { return }
        for (index, element) in elements.enumerated() where !isFull {
            checkValue(element, form, path: "\(path)[\(index)]")
        }
    }

    private mutating func checkValue(_ item: Item, _ form: ValueForm, path: String) {
        guard let text = item.text else {
            error(item.place, path, "expected a value, found \(item.kindInWords)", "write \(form.inWords)")
            return
        }
        if let fault = form.fault(text) { error(item.place, path, fault.reason, fault.remedy) }
    }

    private mutating func unknown(_ entry: Item.Entry, keys: [Key], path: String) {
        let names = keys.map(\.name)
        let remedy =
            Spelling.nearest(to: entry.key, among: names).map { "did you mean \($0)?" }
            ?? "the keys here are \(names.joined(separator: ", "))"
        error(entry.place, path, "the key \"\(entry.key.prefix(80))\" is unknown", remedy)
    }

    static func join(_ path: String, _ key: String) -> String {
        let shown = String(key.prefix(80))
        return path.isEmpty ? shown : "\(path).\(shown)"
    }

    private static func lowercasedFirst(_ text: String) -> String {
        let sentence = text.prefix { $0 != "." }
        return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
}
