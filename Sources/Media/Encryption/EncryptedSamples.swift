/// Which bytes of each sample of a fragment are encrypted, as `senc` tells it (ISO/IEC 23001-7 clause 7.2).
struct EncryptedSamples: Hashable {
    /// A part of a sample: bytes that stay clear, and after them those of which blocks are encrypted.
    struct Subsample: Hashable {
        /// What one takes in `senc`, in bytes.
        static let encodedBytes = 6

        let clear: UInt16
        let encrypted: UInt32
    }

    /// The most parts of one sample whose size `saiz` can tell: it has eight bits for it.
    private static let tellableMax = (255 - 2) / Subsample.encodedBytes
    /// The most units of one sample that are encrypted apart; what comes after is encrypted as one. Far beyond any picture, it
    /// keeps the count, with the clear parts that are cut at 65 535 bytes, within its 16 bits.
    private static let unitsMax = 40_000
    /// Bytes of a unit's length.
    private static let lengthBytes = 4

    /// The parts of all samples, in order.
    private(set) var subsamples: [Subsample] = []
    /// How many parts each sample has.
    private(set) var counts: [Int] = []

    /// Whether each sample has so few parts that `saiz` can tell their size.
    var isTellable: Bool { counts.allSatisfy { $0 <= Self.tellableMax } }

    /// Nothing yet; `append` adds sample after sample.
    init() {}

    /// Adds a sample of video: NAL units, each after its length in four bytes. Total: what is no whole unit is encrypted as one
    /// whose header is unknown.
    mutating func append(_ sample: UnsafeRawBufferPointer, _ headers: inout SliceHeaders) {
        let first = subsamples.count
        var clear = 0
        var place = 0
        while place < sample.count {
            let left = sample.count - place
            guard let length = Self.unitLength(sample, at: place), subsamples.count - first < Self.unitsMax else {
                let lead = min(left, Self.lengthBytes + SliceHeaders.unknownBytes)
                push(clear: clear + lead, encrypted: left - lead)
                clear = 0
                break
            }
            let body = place + Self.lengthBytes
            place = body + length
            let unit = UnsafeRawBufferPointer(rebasing: sample[body..<place])
            if let lead = headers.clearBytes(of: unit), lead < length {
                push(clear: clear + Self.lengthBytes + lead, encrypted: length - lead)
                clear = 0
            } else {
                clear += Self.lengthBytes + length
            }
        }
        if clear > 0 || subsamples.count == first { push(clear: clear, encrypted: 0) }
        counts.append(subsamples.count - first)
    }

    /// The length of the unit at `place`; nil where it is not whole.
    private static func unitLength(_ sample: UnsafeRawBufferPointer, at place: Int) -> Int? {
        guard sample.count - place >= lengthBytes else { return nil }
        // Turns the bytes of a number round.
        let length = Int(UInt32(bigEndian: sample.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        return length <= sample.count - place - lengthBytes ? length : nil
    }

    /// A clear part that is longer than 16 bits can tell becomes several, of which only the last is followed by encrypted bytes.
    private mutating func push(clear: Int, encrypted: Int) {
        var left = clear
        while left > Int(UInt16.max) {
            subsamples.append(Subsample(clear: .max, encrypted: 0))
            left -= Int(UInt16.max)
        }
        subsamples.append(Subsample(clear: UInt16(clamping: left), encrypted: UInt32(clamping: encrypted)))
    }
}

extension EncryptedSamples {
    private static let withSubsamples: UInt32 = 2
    /// What `saiz` without its sizes, `saio`, and `senc` without its samples take, in bytes.
    private static let (sizesBytes, offsetBytes, listBytes) = (17, 20, 16)

    /// How many bytes `encoded(at:)` gives.
    var encodedBytes: Int {
        let sizes = Set(counts).count > 1 ? counts.count : 0
        let tables = isTellable ? Self.sizesBytes + sizes + Self.offsetBytes : 0
        return tables + Self.listBytes + 2 * counts.count + Subsample.encodedBytes * subsamples.count
    }

    /// `saiz` and `saio`, where they can tell what `senc` has, and `senc` behind them. `offset`: where the first of them will
    /// lie, from the begin of `moof`.
    func encoded(at offset: Int) -> [UInt8] {
        var writer = BoxWriter()
        if isTellable {
            let sizes = counts.map { UInt8(clamping: 2 + Subsample.encodedBytes * $0) }
            let isUniform = sizes.allSatisfy { $0 == sizes.first }
            writer.fullBox("saiz") { writer in
                writer.u8(isUniform ? sizes.first ?? 0 : 0)
                writer.u32(UInt32(clamping: sizes.count))
                if !isUniform { writer.raw(sizes) }
            }
            let place = offset + writer.bytes.count + Self.offsetBytes + Self.listBytes
            writer.fullBox("saio") { writer in
                writer.u32(1)
                writer.u32(UInt32(clamping: place))
            }
        }
        writer.fullBox("senc", flags: Self.withSubsamples) { writer in
            writer.u32(UInt32(clamping: counts.count))
            var parts = subsamples[...]
            for count in counts {
                writer.u16(UInt16(clamping: count))
                for part in parts.prefix(count) {
                    writer.u16(part.clear)
                    writer.u32(part.encrypted)
                }
                parts = parts.dropFirst(count)
            }
        }
        return writer.bytes
    }

    /// Reads the contents of `senc` for samples of these sizes. Nil where it does not fit them: another number of samples, or
    /// parts that do not fill each sample exactly.
    init?(_ contents: ArraySlice<UInt8>, sizes: [UInt32]) {
        var reader = ByteReader(contents)
        guard reader.u32() == Self.withSubsamples, reader.u32() == UInt32(clamping: sizes.count) else { return nil }
        for size in sizes {
            guard let count = reader.u16() else { return nil }
            var sum: UInt64 = 0
            for _ in 0..<count {
                guard let clear = reader.u16(), let encrypted = reader.u32() else { return nil }
                sum += UInt64(clear) + UInt64(encrypted)
                subsamples.append(Subsample(clear: clear, encrypted: encrypted))
            }
            guard sum == UInt64(size) else { return nil }
            counts.append(Int(count))
        }
        guard reader.left == 0 else { return nil }
    }
}
