/// Entries of `journalctl -o export` (systemd's Journal Export Format): `NAME=value` lines, values with newlines as name,
/// length and bytes, an empty line between entries.
struct ExportEntries: JournalEntrySource {
    let source: ByteSource

    mutating func next() throws -> JournalEntry? {
        var entry: JournalEntry?
        while let line = try source.nextLine() {
            if line.isEmpty {
                if let entry { return entry }
                continue
            }
            var current = entry ?? JournalEntry(line: source.line)
            let (name, value) = try field(line)
            if JournalEntry.isWanted(name.utf8) { current.add(name, .bytes(value)) }
            entry = current
        }
        return entry
    }

    private func field(_ line: [UInt8]) throws -> (String, [UInt8]) {
        let start = source.line
        if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
            return (try name(line[..<equals], at: start), Array(line[(equals + 1)...]))
        }
        let name = try name(line[...], at: start)
        guard let lengthBytes = try source.take(8) else {
            throw JournalError.malformed(line: start, cause: "the file ends in the length of \(name)")
        }
        let length = lengthBytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(ByteSource.pieceBytesMax) else {
            throw JournalError.malformed(line: start, cause: "\(name) says it is \(length) bytes long")
        }
        guard let value = try source.take(Int(length)) else {
            throw JournalError.malformed(line: start, cause: "the file ends in the value of \(name)")
        }
        guard try source.take(1) == [UInt8(ascii: "\n")] else {
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
