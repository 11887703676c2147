/// A text with named fields, such as `{{camera}}: {{words}}`. It only puts values in: there is no code, no condition and no loop.
public struct MessageTemplate: Hashable, Sendable {
    /// What a field stands for. One that does not apply is empty.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        /// What names the message for its receiver, the same each time that it is sent.
        case id
        /// `begin`, `end`, `problem`, `problemOver` or `test`.
        case kind
        /// When what it tells of happened, RFC 3339 in UTC.
        case time
        /// The same on the clock of the site, `2026-11-27 22:15:03`.
        case clock
        /// The camera's name.
        case camera
        /// What happened, in words.
        case words
        /// The event's number.
        case event = "event.id"
        /// When it began, RFC 3339 in UTC.
        case eventBegin = "event.begin"
        /// When it ended.
        case eventEnd = "event.end"
        /// `detection`, `source` or `command`.
        case eventCause = "event.cause"
        /// `low`, `medium` or `high`.
        case eventLevel = "event.level"
        /// Its zones, with commas between them.
        case eventZones = "event.zones"
        /// What was recognised in it, with commas between the names.
        case eventLabels = "event.labels"
        /// The message kind of the journal that a problem has.
        case problem
        /// The receiver's `title`, filled in.
        case title
        /// The receiver's `text`, filled in.
        case text
        /// The picture, a JPEG in Base64.
        case picture

        /// Whether it may stand in `title` and `text`.
        var isForPeople: Bool { self != .title && self != .text && self != .picture }
    }

    /// How values are written.
    public enum Escaping: Hashable, Sendable {
        /// As they are, on one line: control characters become spaces.
        case line
        /// As the inside of a string of JSON.
        case json
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case field(Field)
    }

    /// Why a text is no template, and where.
    struct Flaw: Error, Hashable {
        /// Line and column in characters, from 1.
        let line, column: Int
        let fault: Fault
    }

    /// The longest template, in bytes, and the most fields in it: values are put in as often as it names them, the picture once.
    public static let (bytesMax, fieldsMax) = (64 << 10, 64)

    private let parts: [Part]

    /// The template that `text` says. `isForPeople`: it is a title or a text, which cannot hold itself or a picture.
    static func parse(_ text: String, isForPeople: Bool = false) throws(Flaw) -> MessageTemplate {
        guard text.utf8.count <= bytesMax else {
            let fault = Fault(reason: "it is longer than \(bytesMax) bytes", remedy: "make it shorter")
            throw Flaw(line: 1, column: 1, fault: fault)
        }
        var (parts, fields) = ([Part](), 0)
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            if open.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<open.lowerBound]))) }
            let place = Self.place(of: open.lowerBound, in: text)
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                throw Flaw(place, "a field is not closed", "write }} behind its name")
            }
            let name = rest[open.upperBound..<close.lowerBound].trimmingSpaces
            let field = try field(name, at: place, isForPeople)
            if field == .picture, parts.contains(.field(field)) {
                throw Flaw(place, "it has the picture twice", "use {{picture}} once")
            }
            parts.append(.field(field))
            fields += 1
            guard fields <= fieldsMax else { throw Flaw(place, "it has more than \(fieldsMax) fields", "use fewer") }
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return MessageTemplate(parts: parts)
    }

    /// Whether it names a field.
    public func names(_ field: Field) -> Bool { parts.contains(.field(field)) }

    /// The text with the values of its fields.
    public func filled(_ escaping: Escaping, _ value: (Field) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field): Self.escaped(value(field), escaping)
            }
        }.joined()
    }

    /// `text` on one line, without spaces at its ends, and no longer than `bytesMax` bytes of UTF-8.
    public static func line(_ text: String, bytesMax: Int) -> String {
        var (line, bytes) = (String.UnicodeScalarView(), 0)
        for scalar in escaped(text, .line).unicodeScalars where bytes > 0 || scalar != " " {
            bytes += UTF8.width(scalar)
            guard bytes <= bytesMax else { break }
            line.append(scalar)
        }
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    private static func escaped(_ text: String, _ escaping: Escaping) -> String {
        switch escaping {
        case .json: SchemaJSON.escaped(text)
        case .line:
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
        }
    }

    private static func field(
        _ name: Substring, at place: (line: Int, column: Int), _ isForPeople: Bool
    ) throws(Flaw) -> Field {
        let known = Field.allCases.filter { !isForPeople || $0.isForPeople }
        if let field = known.first(where: { $0.rawValue == name }) { return field }
        let names = known.map(\.rawValue)
        throw Flaw(
            place, "there is no field {{\(name.prefix(80))}} here",
            Spelling.nearest(to: String(name), among: names).map { "did you mean {{\($0)}}?" }
                ?? "the fields are \(names.joined(separator: ", "))")
    }

    private static func place(of index: String.Index, in text: String) -> (line: Int, column: Int) {
        let before = text[..<index]
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return (lines.count, (lines.last?.count ?? 0) + 1)
    }
}

extension MessageTemplate.Flaw {
    fileprivate init(_ place: (line: Int, column: Int), _ reason: String, _ remedy: String) {
        self.init(line: place.line, column: place.column, fault: Fault(reason: reason, remedy: remedy))
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension MessageTemplate {
    /// The body of a webhook that has no template of its own.
    public static let standard = (try? parse(standardText)) ?? MessageTemplate(parts: [.text("{}")])

    /// Every field, in strings of JSON.
    static let standardText = """
        {
          "type": "vigil.{{kind}}",
          "timestamp": "{{time}}",
          "data": {
            "id": "{{id}}",
            "camera": "{{camera}}",
            "title": "{{title}}",
            "text": "{{text}}",
            "words": "{{words}}",
            "clock": "{{clock}}",
            "event": {
              "id": "{{event.id}}",
              "begin": "{{event.begin}}",
              "end": "{{event.end}}",
              "cause": "{{event.cause}}",
              "level": "{{event.level}}",
              "zones": "{{event.zones}}",
              "labels": "{{event.labels}}"
            },
            "problem": "{{problem}}",
            "picture": "{{picture}}"
          }
        }
        """
}
