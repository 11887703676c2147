/// How video is coded, as far as packets of it are concerned.
public enum VideoForm: String, Hashable, Sendable, CaseIterable {
    /// RTP as RFC 6184 has it.
    case h264
    /// RTP as RFC 7798 has it.
    case h265

    /// The name of the encoding in an offer.
    var name: String { rawValue.uppercased() }

    /// The bytes of a NAL unit's head.
    var headBytes: Int { self == .h264 ? 1 : 2 }

    /// The type of a NAL unit, which has a head.
    func type(of unit: UnsafeRawBufferPointer) -> UInt8 {
        self == .h264 ? unit[0] & 0x1F : unit[0] >> 1 & 0x3F
    }

    /// Whether units of a type are left out. A delimiter is what the marker of RTP says, a filler says nothing to a decoder, nor do
    /// the ends of H.264; and the highest types are those of payloads, which no unit may have.
    func leavesOut(_ type: UInt8) -> Bool {
        switch self {
        case .h264: (9...12).contains(type) || type >= 24
        case .h265: type == 35 || type == 38 || type >= 48
        }
    }

    /// Whether units of a type stand before the slices: parameter sets, and supplemental information.
    func precedesSlices(_ type: UInt8) -> Bool {
        switch self {
        case .h264: (6...8).contains(type)
        case .h265: (32...34).contains(type) || type == 39
        }
    }

    /// Whether a type is that of sequence parameter sets.
    func isSequenceSet(_ type: UInt8) -> Bool { type == (self == .h264 ? 7 : 33) }

    /// Takes a unit into the head of a payload in which units go together. `bytes` begin with that head, unless it is the first.
    /// H.264: the highest importance of all (RFC 6184, 5.7.1). H.265: the lowest layer and the lowest temporal one (RFC 7798,
    /// 4.4.2).
    func join(_ unit: UnsafeRawBufferPointer, isFirst: Bool, into bytes: UnsafeMutableRawBufferPointer) {
        switch self {
        case .h264:
            let before = isFirst ? 0 : bytes[0]
            bytes[0] = 24 | max(before & 0x60, unit[0] & 0x60) | (before | unit[0]) & 0x80
        case .h265:
            let head = unit.uint16(0)
            let before = isFirst ? head : UnsafeRawBufferPointer(bytes).uint16(0)
            let ends = (before | head) & 0x8000 | 48 << 9
            let layers = min(before & 0x01F8, head & 0x01F8) | min(before & 7, head & 7)
            bytes.storeBytes(of: (ends | layers).bigEndian, as: UInt16.self)
        }
    }

    /// How many bytes stand before what a payload holds of a unit that goes in fragments.
    var fragmentHeadBytes: Int { headBytes + 1 }

    /// Writes the head of such a payload: FU-A (RFC 6184, 5.8), FU (RFC 7798, 4.4.3).
    func writeFragmentHead(
        of unit: UnsafeRawBufferPointer, isFirst: Bool, isLast: Bool, into bytes: UnsafeMutableRawBufferPointer
    ) {
        let ends: UInt8 = (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0)
        switch self {
        case .h264: bytes[0] = unit[0] & 0xE0 | 28
        case .h265:
            bytes[0] = unit[0] & 0x81 | 49 << 1
            bytes[1] = unit[1]
        }
        bytes[headBytes] = type(of: unit) | ends
    }
}
