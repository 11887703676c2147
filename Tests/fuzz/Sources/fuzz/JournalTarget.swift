import Machines
import Trace

@testable import Journal

/// What journalctl wrote into a file, in both of its forms; and what Vigil sends to journald, read back from the latter.
enum JournalTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        if feed.byte() & 1 == 0 { written(&feed) } else { read(feed.rest()) }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) {
        let path = ScratchFile.write("journal", bytes)
        var query = TraceQuery()
        query.withTold = true
        if var reader = try? TraceReader(path: path, only: query) {
            do {
                while let entry = try reader.nextEntry() {
                    switch entry {
                    case .step(let record): hold(record.digest.description.utf8.count == 16, "a digest")
                    case .told(let told): hold(told.fields["VIGIL_RUN"] == nil, "what it is of is no field of it")
                    case .lost: break
                    }
                }
                if let torn = reader.torn {
                    hold(torn.offset + torn.bytes == Int64(bytes.count) && torn.bytes > 0, "what is torn is the end")
                }
            } catch {
                hold(error is JournalError, "the error is the journal's: \(error)")
                hold("\(error)".unicodeScalars.allSatisfy { $0.value >= 0x20 }, "an error is one line")
            }
        }
        guard var messages = try? MessageReader(kinds: Set(MessageKind.allCases), path: path) else { return }
        while let record = try? messages.next() {
            hold(record.fields.count <= Field.allCases.count, "known fields only")
        }
    }

    /// Fields of any bytes make one record, and no field of another name.
    private static func written(_ feed: inout Feed) {
        let fields = Field.allCases
        var sent: [JournalField] = []
        while !feed.isAtEnd {
            let field = fields[Int(feed.byte()) % fields.count]
            let value = feed.take(Int(feed.number(UInt16.self) & 0xFFF))
            if !sent.contains(where: { $0.name == FieldName(field) }) {
                sent.append(JournalField(FieldName(field), [UInt8](value)))
            }
        }
        let encoded = NativeFormat.encode(sent)
        guard !sent.isEmpty else { return }
        // An entry of an export ends with an empty line; without it, it is torn.
        let path = (encoded + [UInt8(ascii: "\n")]).withUnsafeBytes { ScratchFile.write("journal", $0) }
        do {
            var entries = ExportEntries(source: try BlockReader(path: path))
            let entry = try entries.next()
            let expected = sent.filter { JournalEntry.isWanted($0.name.value.utf8) }
            hold(entry?.values.count ?? 0 == expected.count, "each field is there, and no other")
            for field in expected {
                hold(entry?.values[field.name.value] == .bytes(field.value), "\(field.name.value) is read back")
            }
            hold(try entries.next() == nil, "one record stays one")
        } catch {
            hold(false, "what is sent cannot be read: \(error)")
        }
    }
}
