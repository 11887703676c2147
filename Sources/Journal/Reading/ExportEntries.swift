internal import Trace

/// Entries of `journalctl -o export` (systemd's Journal Export Format): `NAME=value` lines, values with newlines as name,
/// length and bytes, an empty line between entries.
struct ExportEntries: JournalEntrySource {
    let source: BlockReader
    private(set) var torn: TornEnd?

    init(source: BlockReader) { self.source = source }

    mutating func next() throws -> JournalEntry? {
        var entry: JournalEntry?
        var begin = source.offset
        while let line = try source.nextLine() {
            if line.isEmpty {
                if let entry { return entry }
                begin = source.offset
                continue
            }
            var current = entry ?? JournalEntry(line: source.line)
            guard let (name, value) = try field(line) else { break }
            if JournalEntry.isWanted(name.utf8) { current.add(name, .bytes(value)) }
            entry = current
        }
        // An entry ends with an empty line.
        if source.offset > begin { torn = TornEnd(file: source.path, offset: begin, bytes: source.offset - begin) }
        return nil
    }

    /// Nil where the file ends within the field.
    private func field(_ line: [UInt8]) throws -> (String, [UInt8])? {
        let start = source.line
        // After a power cut the end of a file may be zeros.
        if source.isCut, line.contains(0) { return nil }
        if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
            let name = try name(line[..<equals], at: start)
            return source.isCut ? nil : (name, Array(line[(equals + 1)...]))
        }
        let name = try name(line[...], at: start)
        if source.isCut { return nil }
        guard let lengthBytes = try source.take(8) else { return nil }
        let length = lengthBytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(BlockReader.pieceBytesMax) else {
            throw JournalError.malformed(line: start, cause: "\(name) says it is \(length) bytes long")
        }
        guard let value = try source.take(Int(length)), let end = try source.take(1) else { return nil }
        guard end == [UInt8(ascii: "\n")] else {
            throw JournalError.malformed(line: start, cause: "no newline behind the value of \(name)")
        }
        return (name, value)
    }

    private func name(_ bytes: ArraySlice<UInt8>, at line: Int) throws -> String {
        let isName = bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isName, !bytes.isEmpty else {
            let shown = Escaping.visible(String(decoding: bytes.prefix(80), as: UTF8.self), scalarsMax: 40)
            throw JournalError.malformed(line: line, cause: "no field name: \(shown)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
