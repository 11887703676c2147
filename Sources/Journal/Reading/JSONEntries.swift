internal import Foundation
internal import Trace

/// Entries of `journalctl -o json`: one object a line; a value is a string, an array of bytes where it is not text, null
/// where it was left out, or an array of these where the field occurs more than once.
struct JSONEntries: JournalEntrySource {
    let source: BlockReader
    private(set) var torn: TornEnd?

    init(source: BlockReader) { self.source = source }

    mutating func next() throws -> JournalEntry? {
        while let line = try source.nextLine() {
            guard line.contains(where: { $0 != 0x20 && $0 != 0x0d && $0 != 0x09 }) else { continue }
            var entry = JournalEntry(line: source.line)
            let values: [(String, EntryValue)]
            do { values = try object(line).values } catch {
                // After a power cut the end of a file may be zeros.
                guard source.isCut, line.first == UInt8(ascii: "{") || line.first == 0 else { throw error }
                let bytes = Int64(line.count)
                torn = TornEnd(file: source.path, offset: source.offset - bytes, bytes: bytes)
                return nil
            }
            for (name, value) in values {
                for one in value.values { entry.add(name, one) }
            }
            return entry
        }
        return nil
    }

    private func object(_ line: [UInt8]) throws -> JSONObject {
        do {
            return try JSONDecoder().decode(JSONObject.self, from: Data(line))
        } catch DecodingError.dataCorrupted(let context) {
            throw JournalError.malformed(line: source.line, cause: "no JSON: \(context.debugDescription)")
        } catch DecodingError.typeMismatch(_, let context) {
            throw JournalError.malformed(line: source.line, cause: "no JSON object: \(context.debugDescription)")
        } catch {
            throw JournalError.malformed(line: source.line, cause: "no journal entry in JSON")
        }
    }
}

/// The fields of one line that a reader of traces wants.
private struct JSONObject: Decodable {
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let values: [(String, EntryValue)]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        values = try container.allKeys.filter { JournalEntry.isWanted($0.stringValue.utf8) }
            .map { ($0.stringValue, try container.decode(EntryValue.self, forKey: $0)) }
    }
}

/// What journalctl writes for one field.
private enum EntryValue: Decodable {
    case text(String)
    case bytes([UInt8])
    case leftOut
    case several([EntryValue])
    /// A number, truth value or object: not journalctl's, so not ours to read.
    case foreign

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .leftOut
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let bytes = try? container.decode([UInt8].self) {
            self = .bytes(bytes)
        } else if let several = try? container.decode([EntryValue].self) {
            self = .several(several)
        } else {
            self = .foreign
        }
    }

    var values: [JournalEntry.Value] {
        switch self {
        case .text(let text): [.bytes(Array(text.utf8))]
        case .bytes(let bytes): [.bytes(bytes)]
        case .leftOut: [.leftOut]
        case .several(let values): values.flatMap(\.values)
        case .foreign: []
        }
    }
}
