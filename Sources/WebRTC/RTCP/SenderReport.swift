/// What a sender tells of a source (RFC 3550, 6.4.1): a report without blocks, and its name.
struct SenderReport {
    /// The most bytes of a compound, without what protects it.
    static let bytesMax = 128

    var source: UInt32
    /// Milliseconds since 1970, and what the track's clock shows then.
    var wallMs: Int64
    var stamp: UInt32
    /// How many packets were sent, and bytes of their payloads; both wrap.
    var packets: UInt32
    var octets: UInt32
    /// ASCII, at most 64 bytes.
    var name: String

    /// Writes the compound at the begin of `bytes`, which hold `bytesMax`; gives its size. `isBye`: the source sends no more.
    func write(into bytes: UnsafeMutableRawBufferPointer, isBye: Bool = false) -> Int {
        var place = 0
        func put(_ number: UInt32) {
            bytes.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt32.self)
            place += 4
        }
        // Seconds since 1900 (RFC 3550, 4), which wrap in 2036.
        let wallMs = max(0, min(1 << 50, wallMs))
        put(0x80C8_0006)
        put(source)
        put(UInt32(truncatingIfNeeded: wallMs / 1_000 + 2_208_988_800))
        put(UInt32(truncatingIfNeeded: ((wallMs % 1_000) << 32) / 1_000))
        put(stamp)
        put(packets)
        put(octets)
        let name = Array(name.utf8.prefix(64))
        // The source, the head of the item, its text, and at least one zero, up to a multiple of four bytes.
        let words = (4 + 2 + name.count + 4) / 4
        put(0x81CA_0000 | UInt32(truncatingIfNeeded: words))
        put(source)
        let end = place + 4 * (words - 1)
        bytes[place] = 1
        bytes[place + 1] = UInt8(clamping: name.count)
        place += 2
        for byte in name + [UInt8](repeating: 0, count: max(0, end - place - name.count)) {
            bytes[place] = byte
            place += 1
        }
        if isBye {
            put(0x81CB_0001)
            put(source)
        }
        return place
    }
}
