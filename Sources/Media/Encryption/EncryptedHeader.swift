internal import Hashing
import Machines

/// The header of an encrypted track file beside the plain one (ISO/IEC 23001-7 clauses 4.3, 8 and 9; ISO/IEC 14496-12 clause
/// 8.12): the sample entry is called `encv` or `enca` and says at its end what it was and how it is encrypted, and `moov` ends
/// with a `pssh` that names the key.
enum EncryptedHeader {
    static let subject = "the header of a track file"
    /// The common system, whose `pssh` only names keys (W3C "cenc" Initialization Data Format).
    private static let commonSystem: [UInt8] = [
        0x10, 0x77, 0xef, 0xec, 0xc0, 0xb2, 0x4d, 0x02, 0xac, 0xe3, 0x3c, 0x1e, 0x52, 0xe2, 0xfb, 0x4b,
    ]
    private static let schemeVersion: UInt32 = 0x1_0000

    /// The encrypted header of a plain one.
    static func encrypt(_ plain: [UInt8], _ key: MediaKey) throws(EncryptionError) -> [UInt8] {
        guard let parts = HeaderParts(plain) else {
            throw EncryptionError(.encrypt, subject, .malformed("it is no ftyp and moov of one track"))
        }
        let names: Set<FourCC> = ["encv", "enca"]
        guard !names.contains(parts.entryType), parts.inEntry.first("sinf") == nil, parts.inMovie.first("pssh") == nil
        else { throw EncryptionError(.encrypt, subject, .unsupported("it is encrypted already")) }
        let isVideo = parts.layout.kind == .video
        let scheme = scheme(parts.entryType, isVideo: isVideo, key)
        let system = keySystem(key)
        var out = plain[..<parts.entryEnd] + scheme + plain[parts.entryEnd...] + system
        let (type, place) = (isVideo ? "encv" : "enca", parts.entryTypePlace)
        out.replaceSubrange(place..<place + 4, with: type.utf8)
        var header = Array(out)
        for range in parts.ancestors { header.add(UInt32(clamping: scheme.count), at: range.lowerBound) }
        header.add(UInt32(clamping: system.count), at: parts.ancestors.first?.lowerBound ?? 0)
        return header
    }

    /// The plain header of an encrypted one.
    static func decrypt(_ encrypted: [UInt8], _ key: MediaKey) throws(EncryptionError) -> [UInt8] {
        guard let parts = HeaderParts(encrypted) else {
            throw EncryptionError(.decrypt, subject, .malformed("it is no ftyp and moov of one track"))
        }
        guard let box = parts.inEntry.last, box.type == "sinf",
            let scheme = EncryptionScheme(box, isVideo: parts.layout.kind == .video),
            let place = box.range(in: encrypted), parts.entryType == scheme.entryType
        else { throw EncryptionError(.decrypt, subject, .unsupported("it is not encrypted as Vigil does it")) }
        guard scheme.identifier == key.identifier else {
            throw EncryptionError(
                .decrypt, subject, .otherKey(needed: Hex.uuid(scheme.identifier), given: key.uuid))
        }
        guard scheme.initialisationVector == key.initialisationVector else {
            throw EncryptionError(.decrypt, subject, .malformed("its initialisation vector is not that of its key"))
        }
        var (header, removed) = (encrypted, 0)
        for box in parts.inMovie.reversed() {
            guard box.type == "pssh", let range = box.range(in: encrypted) else { break }
            header.removeSubrange(range)
            removed += range.count
        }
        let type = (0..<4).map { UInt8(truncatingIfNeeded: scheme.originalType.code >> UInt32(24 - 8 * $0)) }
        header.replaceSubrange(place, with: [])
        header.replaceSubrange(parts.entryTypePlace..<parts.entryTypePlace + 4, with: type)
        for range in parts.ancestors {
            header.add(UInt32(truncatingIfNeeded: -place.count), at: range.lowerBound)
        }
        header.add(UInt32(truncatingIfNeeded: -removed), at: parts.ancestors.first?.lowerBound ?? 0)
        return header
    }

    /// `sinf`: `frma`, `schm` and `schi` with `tenc`.
    private static func scheme(_ original: FourCC, isVideo: Bool, _ key: MediaKey) -> [UInt8] {
        var writer = BoxWriter()
        writer.box("sinf") { writer in
            writer.box("frma") { $0.u32(original.code) }
            writer.fullBox("schm") { writer in
                writer.text("cbcs")
                writer.u32(schemeVersion)
            }
            writer.box("schi") { writer in
                writer.fullBox("tenc", version: 1) { writer in
                    // Reserved; the pattern; encrypted; no initialisation vectors of samples, but one for all.
                    writer.raw([0, isVideo ? EncryptionScheme.pattern : 0, 1, 0])
                    writer.raw(key.identifier)
                    writer.u8(UInt8(clamping: key.initialisationVector.count))
                    writer.raw(key.initialisationVector)
                }
            }
        }
        return writer.bytes
    }

    /// `pssh`, version 1, of the common system, with one key and no data.
    private static func keySystem(_ key: MediaKey) -> [UInt8] {
        var writer = BoxWriter()
        writer.fullBox("pssh", version: 1) { writer in
            writer.raw(commonSystem)
            writer.u32(1)
            writer.raw(key.identifier)
            writer.u32(0)
        }
        return writer.bytes
    }
}
