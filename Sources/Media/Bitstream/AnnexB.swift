/// Turns Annex B access units into what a track file stores: each NAL unit preceded by its length in four bytes.
public enum AnnexB {
    /// Replaces each start code by the length of its unit, in place. Possible when every start code has four bytes and no
    /// zero bytes follow a unit, which is what RTP depacketizers produce. Otherwise returns false and changes nothing.
    public static func lengthPrefixInPlace(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        let readable = UnsafeRawBufferPointer(bytes)
        var expected = 0
        for unit in NALUnits(readable, framing: .annexB) {
            guard unit.lowerBound == expected + 4, readable[expected] == 0, unit.count <= Int(UInt32.max) else {
                return false
            }
            expected = unit.upperBound
        }
        guard expected > 0, expected == bytes.count else { return false }
        var start = 0
        while start < bytes.count {
            // The next start code must be found before this one is overwritten; lengths hold no start code themselves
            // because only the part after the unit's first byte is searched.
            var units = NALUnits(UnsafeRawBufferPointer(rebasing: readable[start...]), framing: .annexB)
            guard let unit = units.next() else { return false }
            bytes.storeBytes(of: UInt32(unit.count).bigEndian, toByteOffset: start, as: UInt32.self)
            start += unit.upperBound
        }
        return true
    }

    /// Appends the units of `bytes` to `output`, each preceded by its length in four bytes; returns how many bytes were
    /// appended (0 when there is no unit).
    @discardableResult
    public static func appendLengthPrefixed(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Int {
        let before = output.count
        for unit in NALUnits(bytes, framing: .annexB) where unit.count <= Int(UInt32.max) {
            withUnsafeBytes(of: UInt32(unit.count).bigEndian) { output.append(contentsOf: $0) }
            output.append(contentsOf: bytes[unit])
        }
        return output.count - before
    }
}
