/// Turns Annex B access units into what a track file stores: each NAL unit preceded by its length in four bytes.
public enum AnnexB {
    /// Appends the units of `bytes` to `output`, each preceded by its length in four bytes; returns how many bytes were
    /// appended (0 when there is no unit).
    @discardableResult
    static func appendLengthPrefixed(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Int {
        let before = output.count
        for unit in NALUnits(bytes, framing: .annexB) where unit.count <= Int(UInt32.max) {
            withUnsafeBytes(of: UInt32(clamping: unit.count).bigEndian) { output.append(contentsOf: $0) }
            output.append(contentsOf: bytes[unit])
        }
        return output.count - before
    }
}
