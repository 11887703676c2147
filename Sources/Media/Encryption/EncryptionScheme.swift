/// What `sinf` of an encrypted sample entry says (ISO/IEC 14496-12 clause 8.12.2; ISO/IEC 23001-7 clause 8.2), read from foreign
/// bytes.
struct EncryptionScheme {
    /// The pattern of video in `tenc`: of ten blocks one is encrypted, nine are skipped.
    static let pattern: UInt8 = 0x19

    /// What the sample entry is called: `encv` or `enca`.
    let entryType: FourCC
    /// What it was called.
    let originalType: FourCC
    /// The key's identifier, 16 bytes.
    let identifier: [UInt8]
    /// The constant initialisation vector, 16 bytes.
    let initialisationVector: [UInt8]

    /// Nil unless the scheme is `cbcs` with Vigil's pattern and a constant initialisation vector of 16 bytes.
    init?(_ box: Box, isVideo: Bool) {
        guard let children = box.children(), let format = children.first("frma"), let scheme = children.first("schm"),
            let track = children.first("schi")?.children()?.first("tenc")
        else { return nil }
        var reader = ByteReader(scheme.contents)
        guard reader.skip(4), let name = reader.u32(), FourCC(name) == "cbcs" else { return nil }
        reader = ByteReader(format.contents)
        guard let original = reader.u32() else { return nil }
        reader = ByteReader(track.contents)
        guard reader.u32() == 0x100_0000, reader.u8() == 0, reader.u8() == (isVideo ? Self.pattern : 0),
            reader.u8() == 1, reader.u8() == 0, let identifier = reader.take(16), reader.u8() == 16,
            let vector = reader.take(16)
        else { return nil }
        entryType = isVideo ? "encv" : "enca"
        originalType = FourCC(original)
        self.identifier = Array(identifier)
        initialisationVector = Array(vector)
    }
}
