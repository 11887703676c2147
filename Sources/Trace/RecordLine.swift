internal import Hashing
internal import Machines

/// One line of a trace file: `NUMBER TYPE FIELD… DIGEST`, parted by tabs. docs/design/trace.md has the fields of each type.
struct RecordLine {
    /// The types that this version writes.
    enum Kind: String {
        case file, run, step, lost, cut, end
    }

    /// The longest line, in bytes without its newline.
    static let bytesMax = 4 << 20
    /// The length of a digest, in hexadecimal digits.
    private static let digestBytes = 64
    /// The version of the format.
    static let format = "1"

    /// The number of the record; nil where none can be read.
    let number: UInt64?
    /// Its type; nil for one of a version to come.
    let kind: Kind?
    /// What is between the type and the digest.
    let fields: [ArraySlice<UInt8>]
    /// What the digest is over, besides the digest before.
    let body: ArraySlice<UInt8>
    /// The digest that stands in the line; nil where none does.
    let digest: SHA256.Value?
    /// It has a number and a type, and a tab before the digest.
    let isFormed: Bool

    /// Reads a line without its newline, as far as it can be read; nil where it is too short for a digest.
    init?(_ line: ArraySlice<UInt8>) {
        let tab = UInt8(ascii: "\t")
        guard line.count > Self.digestBytes else { return nil }
        let parting = line.endIndex - Self.digestBytes - 1
        body = line[..<parting]
        digest = SHA256.Value(hex: line[(parting + 1)...])
        let pieces = body.split(separator: tab, omittingEmptySubsequences: false)
        number = pieces.first.flatMap { Self.whole($0, UInt64.self) }
        kind = pieces.count > 1 ? Kind(rawValue: String(decoding: pieces[1], as: UTF8.self)) : nil
        fields = Array(pieces.dropFirst(2))
        isFormed = line[parting] == tab && number != nil && pieces.count > 1
    }

    /// The digest that a record with this body has behind one with the digest `end`.
    static func digest(_ body: some Collection<UInt8>, behind end: SHA256.Value) -> SHA256.Value {
        var hash = SHA256()
        hash.update(end.hex)
        hash.update(body)
        return hash.finish()
    }

    /// A field as text; nil where there is none, or it is no UTF-8.
    func text(_ index: Int) -> String? {
        guard fields.indices.contains(index) else { return nil }
        return String(validating: fields[index], as: UTF8.self)
    }

    /// A field as a whole number.
    func whole<Number: FixedWidthInteger>(_ index: Int, _ type: Number.Type = Number.self) -> Number? {
        fields.indices.contains(index) ? Self.whole(fields[index], type) : nil
    }

    /// A field as a name, its escapes resolved.
    func name(_ index: Int) -> String? { fields.indices.contains(index) ? Self.unescaped(fields[index]) : nil }

    /// The digest that a `file` says the record before has.
    var previous: SHA256.Value? {
        kind == .file && fields.count >= 4 ? SHA256.Value(hex: fields[3]) : nil
    }

    /// When it was written, milliseconds since 1970, as far as it says.
    var wallMs: Int64? {
        switch kind {
        case .step: whole(5)
        case .run: whole(3)
        case .lost, .cut: whole(1)
        case .end: whole(0)
        case .file, nil: nil
        }
    }

    /// The camera that it is of, as far as it says.
    var camera: String? { kind == .step ? name(2) : nil }

    /// Digits only, in the number's range: neither a sign nor white space, but for a minus.
    private static func whole<Number: FixedWidthInteger>(_ digits: ArraySlice<UInt8>, _: Number.Type) -> Number? {
        guard digits.count <= 20, digits.first != UInt8(ascii: "+") else { return nil }
        return Number(String(decoding: digits, as: UTF8.self))
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(UInt8(ascii: "%")) else { return String(validating: bytes, as: UTF8.self) }
        return Hex.decoded(bytes).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
