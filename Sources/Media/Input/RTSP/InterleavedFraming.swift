/// Tells packets and messages of an RTSP connection from what stands between them (RFC 2326, 10.12; H4). Some cameras put a
/// line end, or whatever was left in a buffer, before a packet; a `$` in that must not swallow the packet behind it.
struct InterleavedFraming {
    /// What the first bytes are.
    enum Verdict: Hashable {
        /// A packet with so many bytes behind its head of four.
        case packet(length: Int)
        /// More bytes must come before that is known, or before it is whole.
        case incomplete
        /// The first byte is neither begin of a packet nor of a message.
        case stray
    }

    /// Which channels have been set up; while none has, any may be.
    private var channels = [Bool](repeating: false, count: 256)
    private var hasChannels = false

    /// Packets may come on this channel.
    mutating func expect(channel: UInt8) {
        channels[Int(channel)] = true
        hasChannels = true
    }

    /// Judges `bytes`, which begin with `$`. A packet of a channel that was set up is known by its version; any other one
    /// only by what stands in it and behind it, because a stray `$` looks the same.
    func judge(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        guard bytes.count >= 4 else { return .incomplete }
        let length = Int(bytes.word16(2))
        let isWhole = bytes.count >= 4 + length
        if length > 0, isExpected(bytes[1]) {
            guard bytes.count > 4 else { return .incomplete }
            if bytes[4] >> 6 == 2 { return isWhole ? .packet(length: length) : .incomplete }
            guard isWhole else { return .stray }
        }
        if let verdict = judgeHead(in: bytes, end: 4 + length) { return verdict }
        guard isWhole else { return .incomplete }
        let told = verdict(length: length, behind: bytes.part(from: 4 + length), depth: InterleavedFraming.depthMax)
        // Where as much is there as may be waited for, nothing spoke against it.
        return told == .incomplete && bytes.count >= InterleavedFraming.bytesMax ? .packet(length: length) : told
    }

    /// Judges a doubtful packet of `end` bytes that contains what looks like the head of a good packet; nil if it contains none.
    /// It is stray, unless that head is only what its bytes happen to look like: a good packet begins right behind the doubtful
    /// one, and none behind the one in it.
    private func judgeHead(in bytes: UnsafeRawBufferPointer, end: Int) -> Verdict? {
        let heads = 1..<max(1, min(bytes.count, end, InterleavedFraming.lookMax))
        guard let head = heads.first(where: { isGood(bytes.part(from: $0)) }) else { return nil }
        let innerEnd = head + 4 + Int(bytes.word16(head + 2))
        // Nothing is late by this: the packet in it is not whole yet either.
        if bytes.count < min(innerEnd, InterleavedFraming.bytesMax), bytes.count <= end + 4 { return .incomplete }
        let isBehind = { (end: Int) in end < bytes.count && isGood(bytes.part(from: end)) }
        return isBehind(end) && !isBehind(innerEnd) ? .packet(length: end - 4) : .stray
    }

    /// Whether what stands behind a packet that cannot be known by itself speaks for it.
    private func verdict(length: Int, behind rest: UnsafeRawBufferPointer, depth: Int) -> Verdict {
        guard let next = rest.first else { return .packet(length: length) }
        guard next == UInt8(ascii: "$") else {
            return InterleavedFraming.mayBeginMessage(rest) ? .packet(length: length) : .stray
        }
        guard rest.count > 4 else { return .incomplete }
        let nextLength = Int(rest.word16(2))
        if isExpected(rest[1]), nextLength > 0, rest[4] >> 6 == 2 { return .packet(length: length) }
        // Several packets of other channels, or of no RTP, in a row.
        guard depth > 0 else { return .packet(length: length) }
        guard rest.count >= 4 + nextLength else { return .incomplete }
        let further = verdict(length: nextLength, behind: rest.part(from: 4 + nextLength), depth: depth - 1)
        if case .packet = further { return .packet(length: length) }
        return further
    }

    /// Whether `bytes` begin with the head of a packet that is known by itself.
    private func isGood(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count > 4 && bytes[0] == UInt8(ascii: "$") && hasChannels && isExpected(bytes[1]) && bytes[4] >> 6 == 2
            && bytes.word16(2) >= 8
    }

    private func isExpected(_ channel: UInt8) -> Bool { !hasChannels || channels[Int(channel)] }

    /// How far is looked for the head of a good packet within one that is doubtful.
    private static let lookMax = 64
    /// How many packets that cannot be known by themselves are looked at in a row.
    private static let depthMax = 8
    /// With so many bytes no verdict is `incomplete`. The buffer of a connection has room for more, or it would fill and wait
    /// for ever.
    static let bytesMax = 128 << 10

    /// Whether a packet or a message can begin with this byte.
    static func mayBegin(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "$") || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
    }

    /// Whether `bytes` are, or may become, the begin of a request or an answer.
    static func mayBeginMessage(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.prefix(answer.count).elementsEqual(answer.prefix(bytes.count)) { return true }
        // A method: capitals, then a blank and what is to be printed (RFC 2326, 6.1).
        for (index, byte) in bytes.prefix(methodMax + 1).enumerated() {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): continue
            case UInt8(ascii: " "):
                return index >= 3 && bytes.dropFirst(index + 1).prefix(1).allSatisfy { $0 > 32 && $0 < 127 }
            default: return false
            }
        }
        return bytes.count <= methodMax
    }

    private static let answer = Array("RTSP/".utf8)
    /// The longest name of a method.
    private static let methodMax = 24
}
