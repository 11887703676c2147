import Yams

/// Turns the bytes of a file into an ``Item``, within bounds.
///
/// The border to Yams: its errors become diagnostics here, once. What is refused before or after parsing: too much
/// (``maxBytes``, ``maxItems``), too deep (``maxDepth``), anchors and aliases, keys that are no text, several documents.
struct YAMLReader {
    /// Largest file, in bytes (1 MiB).
    static let maxBytes = 1 << 20
    /// Most nodes in a file.
    static let maxItems = 50_000
    /// Deepest nesting; the deepest key of ours is at 5.
    static let maxDepth = 16
    /// What Yams names a key that is no scalar.
    private static let keyWithoutWord = "<uncovertable>"

    private let file: String
    private var items = 0

    private init(file: String) { self.file = file }

    /// Reads a file's bytes. Throws a ``Refusal`` with one diagnostic: after a syntax error nothing else can be told.
    /// Blocking, for as long as parsing takes.
    static func read(_ bytes: [UInt8], file: String) throws(Refusal) -> Item {
        // The parser goes 1000 levels deep by recursion before it refuses, which may be more than the caller's stack holds.
        try LargeStack.run { () throws(Refusal) -> Item in
            var reader = YAMLReader(file: file)
            return try reader.read(bytes)
        }
    }

    private mutating func read(_ bytes: [UInt8]) throws(Refusal) -> Item {
        guard bytes.count <= Self.maxBytes else {
            throw refusal(
                .start, "the file has \(bytes.count) bytes; at most \(Self.maxBytes) are read",
                "split it into several files")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw refusal(Self.firstInvalid(bytes), "the text is not UTF-8", "save the file as UTF-8")
        }
        // The parser takes it for a column of the first line, and the lines below for another section.
        guard text.unicodeScalars.first != "\u{FEFF}" else {
            throw refusal(
                .start, "the file begins with a byte order mark (EF BB BF)", "save the file as UTF-8 without it")
        }
        if let anchor = AnchorGuard.firstAnchor(in: text) {
            throw refusal(
                anchor, "YAML anchors (&name) are not supported",
                "write the value out where it is used; in a text, put a blank after the &")
        }
        let node: Node?
        do {
            node = try Yams.compose(yaml: text, .basic, .default, .utf8)
        } catch let error as YamlError {
            throw translate(error, text: text)
        } catch {
            throw refusal(.start, "the file cannot be parsed", "check that it is YAML")
        }
        guard let node else {
            throw refusal(.start, "the file is empty", "write at least one key, or remove the file")
        }
        return try item(node, depth: 0)
    }

    private mutating func item(_ node: Node, depth: Int) throws(Refusal) -> Item {
        let place = place(of: node)
        items += 1
        guard items <= Self.maxItems else {
            throw refusal(place, "the file has more than \(Self.maxItems) values", "split it into several files")
        }
        guard depth <= Self.maxDepth else {
            throw refusal(
                place, "nested more than \(Self.maxDepth) levels deep", "no key needs this; check the brackets")
        }
        switch node {
        case .scalar(let scalar):
            return Item(content: .text(scalar.string, plain: scalar.style == .plain), place: place)
        case .sequence(let sequence):
            var list: [Item] = []
            for element in sequence { list.append(try item(element, depth: depth + 1)) }
            return Item(content: .list(list), place: place)
        case .mapping(let mapping):
            var entries: [Item.Entry] = []
            for (key, value) in mapping {
                guard case .scalar(let name) = key else {
                    throw refusal(self.place(of: key), "a list or section cannot be a key", "put quotes around the key")
                }
                let child = try item(value, depth: depth + 1)
                entries.append(Item.Entry(key: name.string, place: self.place(of: key), value: child))
            }
            return Item(content: .section(entries), place: place)
        case .alias:
            throw refusal(place, "YAML aliases (*name) are not supported", "write the value out")
        }
    }

    private func place(of node: Node) -> Place {
        node.mark.map { Place(line: $0.line, column: $0.column) } ?? .start
    }

    private func refusal(_ place: Place, _ reason: String, _ remedy: String) -> Refusal {
        Refusal(diagnostics: [
            Diagnostic(
                file: file, line: place.line, column: place.column, severity: .error, keyPath: "", reason: reason,
                remedy: remedy)
        ])
    }

    private func translate(_ error: YamlError, text: String) -> Refusal {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            let where_ = context.map { " (\($0.text), begun on line \($0.mark.line))" } ?? ""
            return refusal(
                Place(line: mark.line, column: mark.column), "this is not YAML: \(problem)\(where_)",
                "check indentation, brackets and quotes here and just above")
        case .composer(_, let problem, let mark, _):
            let remedy =
                problem.contains("alias")
                ? "put quotes around a text that begins with *" : "keep one document in the file, without --- lines"
            return refusal(Place(line: mark.line, column: mark.column), "\(problem)", remedy)
        case .reader(let problem, let offset, _, _):
            return refusal(
                Self.place(ofCharacter: offset ?? 0, in: text), "the text cannot be read: \(problem)",
                "remove the control character")
        case .duplicatedKeysInMapping(let duplicates, let context):
            // Of several the parser names the place of any one, another one each time.
            let isOne = duplicates.count == 1
            // Its order is another one each time, too, where lists or sections are keys: it cannot compare them with words.
            let names = duplicates.map { $0 == Self.keyWithoutWord ? "a list or section" : $0 }.sorted()
            return refusal(
                isOne ? Place(line: context.mark.line, column: context.mark.column) : .start,
                "given more than once: \(names.joined(separator: ", "))",
                isOne ? "keep one of them; the first is on this line" : "keep one of each")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            return refusal(.start, "the file cannot be parsed", "check that it is YAML and not too large")
        }
    }

    private static func place(ofCharacter offset: Int, in text: String) -> Place {
        var line = 1
        var column = 1
        for character in text.prefix(max(0, offset)) {
            if character.isNewline {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return Place(line: line, column: column)
    }

    private static func firstInvalid(_ bytes: [UInt8]) -> Place {
        var line = 1
        for row in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if String(validating: row, as: UTF8.self) == nil { return Place(line: line, column: 1) }
            line += 1
        }
        return .start
    }
}
