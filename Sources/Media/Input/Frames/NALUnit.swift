/// What a NAL unit is, as far as cutting a stream into access units needs it.
enum NALRole: Hashable, Sendable {
    /// A slice of a picture; `isKey`: of an IDR (H.264) or IRAP (H.265) picture; `isFirst`: the first of its picture.
    case slice(isKey: Bool, isFirst: Bool)
    case vps
    case sps
    case pps
    /// Stands before the first slice of an access unit: delimiter, SEI, and what the specifications reserve for it.
    case prefix(isSEI: Bool)
    /// Anything else; it stays where it is.
    case other

    /// Whether an access unit that already has slices ends before this unit.
    /// (ITU-T H.264 7.4.1.2.3, H.265 7.4.2.4.4)
    var beginsAccessUnit: Bool {
        switch self {
        case .slice(_, let isFirst): isFirst
        case .vps, .sps, .pps, .prefix: true
        case .other: false
        }
    }

    /// The role of the unit that begins with `head` (its header and at least one byte more, where it has one).
    static func of(_ head: UnsafeRawBufferPointer, codec: TrackCodec) -> NALRole {
        codec == .h265 ? h265(head) : h264(head)
    }

    private static func h264(_ head: UnsafeRawBufferPointer) -> NALRole {
        guard let header = head.first else { return .other }
        // first_mb_in_slice is 0 exactly when the slice header begins with a 1 bit.
        let isFirst = head.count > 1 && head[1] & 0x80 != 0
        return switch header & 0x1F {
        case 1, 2: .slice(isKey: false, isFirst: isFirst)
        case 5: .slice(isKey: true, isFirst: isFirst)
        case 6: .prefix(isSEI: true)
        case 7: .sps
        case 8: .pps
        case 9, 14...18: .prefix(isSEI: false)
        default: .other
        }
    }

    private static func h265(_ head: UnsafeRawBufferPointer) -> NALRole {
        guard head.count >= 2 else { return .other }
        // Units of enhancement layers belong to the access unit of the base layer that they follow.
        guard head[0] & 1 == 0, head[1] >> 3 == 0 else { return .other }
        let isFirst = head.count > 2 && head[2] & 0x80 != 0
        return switch head[0] >> 1 & 0x3F {
        case 0...9: .slice(isKey: false, isFirst: isFirst)
        case 16...21: .slice(isKey: true, isFirst: isFirst)
        case 32: .vps
        case 33: .sps
        case 34: .pps
        case 39: .prefix(isSEI: true)
        case 35, 41...44, 48...55: .prefix(isSEI: false)
        default: .other
        }
    }

    /// Whether the SEI unit `nal` carries a recovery point (payload type 6 in both codecs).
    static func hasRecoveryPoint(_ nal: UnsafeRawBufferPointer, codec: TrackCodec) -> Bool {
        var index = codec == .h265 ? 2 : 1
        while index + 1 < nal.count, nal[index] != 0x80 {
            guard let type = number(nal, &index), let size = number(nal, &index) else { return false }
            if type == 6 { return true }
            index += size
        }
        return false
    }

    /// A number coded as a run of 255 and a last byte.
    private static func number(_ nal: UnsafeRawBufferPointer, _ index: inout Int) -> Int? {
        var value = 0
        while index < nal.count, value < 1 << 20 {
            let byte = nal[index]
            index += 1
            value += Int(byte)
            if byte != 255 { return value }
        }
        return nil
    }
}
