/// A name that journald accepts from a client: 1…64 of A–Z, 0–9 and `_`, not beginning with a digit or with `_`
/// (systemd.journal-fields(7); names with a leading underscore are journald's own, trusted ones).
struct FieldName: Sendable, Hashable, CustomStringConvertible {
    /// The longest name that journald takes, in bytes.
    static let lengthMax = 64

    let value: String

    /// Returns nil for a name that journald would drop, or that could break the framing.
    init?(_ name: String) {
        guard !name.isEmpty, name.utf8.count <= Self.lengthMax, name.utf8.allSatisfy(Self.isAllowed),
            let first = name.utf8.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z")
        else { return nil }
        self.init(valid: name)
    }

    /// A name of the closed set; the test of the set proves that each is valid.
    init(_ field: Field) { self.init(valid: field.rawValue) }

    init(wellKnown field: WellKnownField) { self.init(valid: field.rawValue) }

    /// The name for a key of foreign metadata: `VIGIL_` and the key in upper case, every other character as `_`.
    ///
    /// A key that would land on a field with a meaning of its own (the trace, the identity of a record) is moved aside
    /// under `VIGIL_META_`, so that no log statement can forge it.
    init(metadataKey key: String) {
        if key == "camera" {
            self.init(.camera)
            return
        }
        let mapped = key.utf8.map { byte -> UInt8 in
            let upper = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
            return Self.isAllowed(upper) ? upper : UInt8(ascii: "_")
        }
        let plain = "VIGIL_" + String(decoding: mapped, as: UTF8.self)
        let reserved = Field(rawValue: plain).map(Field.reserved.contains) ?? false
        let name = reserved ? "VIGIL_META_" + plain.dropFirst("VIGIL_".count) : plain
        self.init(valid: String(name.prefix(Self.lengthMax)))
    }

    private init(valid name: String) { value = name }

    var description: String { value }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
