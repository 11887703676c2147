/// journald's native protocol: how the fields of one record become the bytes of one datagram.
///
/// `NAME=value\n` where the value holds no newline; else `NAME\n`, the length as 64 bits little endian, the value, `\n`.
/// So a value can hold anything and still cannot begin a field of its own.
enum NativeFormat {
    /// Values longer than this are framed by length even without a newline, which spares journald the search.
    static let plainBytesMax = 1_024

    static func encode(_ fields: [JournalField]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fields.reduce(0) { $0 + $1.name.value.utf8.count + $1.value.count + 10 })
        for field in fields {
            append(field, to: &bytes)
        }
        return bytes
    }

    private static func append(_ field: JournalField, to bytes: inout [UInt8]) {
        let newline = UInt8(ascii: "\n")
        bytes.append(contentsOf: field.name.value.utf8)
        if field.value.count <= plainBytesMax, !field.value.contains(newline) {
            bytes.append(UInt8(ascii: "="))
        } else {
            bytes.append(newline)
            withUnsafeBytes(of: UInt64(field.value.count).littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: field.value)
        bytes.append(newline)
    }
}
