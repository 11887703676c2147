internal import Trace

/// One entry of a journal, from whatever source: the fields as bytes, and where it was found.
struct JournalEntry: Sendable {
    /// What a field holds. A field that occurs twice keeps its first value.
    enum Value: Sendable, Hashable {
        case bytes([UInt8])
        /// The writer of the file left the value out because it is long.
        case leftOut
    }

    /// The name under which journald gives the time of an entry, microseconds since 1970.
    static let realtime = "__REALTIME_TIMESTAMP"

    /// Line of the file, or number of the entry in the journal, from 1.
    let line: Int
    var values: [String: Value] = [:]
    /// A field that occurs twice; nil where none does.
    private(set) var repeated: String?

    /// When the journal took the entry, microseconds since 1970; nil where that is not told, or is no number.
    var wallUsec: Int64? {
        guard case .bytes(let bytes)? = values[Self.realtime] else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether a field is any use to a reader of Vigil's records; the others are not worth a copy.
    static func isWanted(_ name: some Collection<UInt8>) -> Bool {
        name.starts(with: "VIGIL_".utf8) || name.elementsEqual(realtime.utf8) || name.starts(with: "MESSAGE".utf8)
    }

    mutating func add(_ name: String, _ value: Value) {
        if values[name] == nil { values[name] = value } else { repeated = name }
    }

    /// The text of a field; nil where it is missing, left out, or no UTF-8.
    func word(_ name: String) -> String? {
        guard case .bytes(let bytes) = values[name] else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    func text(_ field: Field) throws -> String? {
        switch values[field.rawValue] {
        case nil: return nil
        case .leftOut:
            throw malformed("\(field.rawValue) was left out for its length; use journalctl --all")
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw malformed("\(field.rawValue) is not UTF-8")
            }
            return text
        }
    }

    func required(_ field: Field) throws -> String {
        guard let text = try text(field) else { throw malformed("\(field.rawValue) is missing") }
        return text
    }

    func number<Number: FixedWidthInteger>(_ field: Field) throws -> Number {
        let text = try required(field)
        guard let number = Number(text) else {
            throw malformed(
                "\(field.rawValue) is not a whole number in its range: \(Escaping.visible(text, scalarsMax: 40))")
        }
        return number
    }

    func malformed(_ cause: String) -> JournalError { .malformed(line: line, cause: cause) }
}

/// A source of journal entries, in the order in which they are stored.
protocol JournalEntrySource {
    /// The next entry, or nil at the end.
    mutating func next() throws -> JournalEntry?
    /// Where the source ends within an entry; known once that is reached.
    var torn: TornEnd? { get }
}
