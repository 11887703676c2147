extension FragmentIndex {
    /// The blob's version, its first byte: that of an index whose samples are all whole, and that of one which tells for each
    /// fragment how many are not.
    private static let versions: (whole: UInt8, damaged: UInt8) = (1, 2)

    /// The index as a blob of about six bytes per fragment: every number is the difference to what the entry before lets
    /// one expect, as a variable-length integer (seven bits a byte, lowest first; signed ones zigzag).
    public func encoded() -> [UInt8] {
        let isDamaged = entries.contains { $0.damagedCount > 0 }
        var out: [UInt8] = [isDamaged ? Self.versions.damaged : Self.versions.whole]
        for value in [UInt64(timescale), UInt64(primingTicks), headerBytes, UInt64(entries.count)] {
            Self.put(value, &out)
        }
        var expected = Entry(
            offset: headerBytes, size: 0, decodeTime: 0, durationTicks: 0, sampleCount: 0, startsWithKey: true)
        for entry in entries {
            Self.put(Self.zigzag(entry.offset &- expected.endOffset), &out)
            Self.put(entry.size, &out)
            Self.put(Self.zigzag(entry.decodeTime &- expected.endTime), &out)
            Self.put(Self.zigzag(entry.durationTicks &- expected.durationTicks), &out)
            Self.put(UInt64(entry.sampleCount) << 1 | (entry.startsWithKey ? 1 : 0), &out)
            if isDamaged { Self.put(UInt64(entry.damagedCount), &out) }
            expected = entry
        }
        return out
    }

    /// Reads a blob. Total: throws on anything that `encoded` does not produce, and allocates no more than the blob's
    /// length warrants.
    public init(decoding blob: some Collection<UInt8>) throws(BitstreamError) {
        var reader = ByteReader(Array(blob)[...])
        let subject = "fragment index"
        guard let version = reader.u8() else { throw BitstreamError(subject, .truncated) }
        let isDamaged = version == Self.versions.damaged
        guard isDamaged || version == Self.versions.whole else {
            throw BitstreamError(subject, .unsupported("version \(version)"))
        }
        func number(_ field: String, max: UInt64 = .max) throws(BitstreamError) -> UInt64 {
            guard let value = Self.take(&reader) else { throw BitstreamError(subject, .truncated) }
            guard value <= max else {
                throw BitstreamError(subject, .outOfRange(field: field, value: Int64(clamping: value)))
            }
            return value
        }
        let scale = UInt32(clamping: try number("timescale", max: UInt64(UInt32.max)))
        guard scale > 0 else { throw BitstreamError(subject, .outOfRange(field: "timescale", value: 0)) }
        let priming = UInt32(clamping: try number("priming", max: UInt64(UInt32.max)))
        let header = try number("header bytes", max: UInt64(Int64.max))
        // Five bytes are the least an entry takes.
        let count = Int(try number("count", max: UInt64(reader.left / 5)))
        self.init(timescale: scale, primingTicks: priming, headerBytes: header)
        entries.reserveCapacity(count)
        var expected = Entry(
            offset: header, size: 0, decodeTime: 0, durationTicks: 0, sampleCount: 0, startsWithKey: true)
        for _ in 0..<count {
            let offset = expected.endOffset &+ Self.unzigzag(try number("offset"))
            let size = try number("size")
            let time = expected.endTime &+ Self.unzigzag(try number("decode time"))
            let duration = expected.durationTicks &+ Self.unzigzag(try number("duration"))
            let samples = try number("sample count", max: UInt64(UInt32.max) << 1 | 1)
            let damaged = isDamaged ? try number("damaged samples", max: samples >> 1) : 0
            expected = Entry(
                offset: offset, size: size, decodeTime: time, durationTicks: duration,
                sampleCount: UInt32(clamping: samples >> 1), startsWithKey: samples & 1 == 1,
                damagedCount: UInt32(clamping: damaged))
            entries.append(expected)
        }
        guard reader.left == 0 else {
            throw BitstreamError(subject, .outOfRange(field: "length", value: Int64(reader.left)))
        }
    }

    private static func zigzag(_ difference: UInt64) -> UInt64 {
        let signed = Int64(bitPattern: difference)
        return UInt64(bitPattern: signed << 1 ^ signed >> 63)
    }

    private static func unzigzag(_ code: UInt64) -> UInt64 { code >> 1 ^ (0 &- (code & 1)) }

    private static func put(_ value: UInt64, _ out: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            out.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        out.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func take(_ reader: inout ByteReader) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = reader.u8() else { return nil }
            if shift == 63, byte > 1 { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
