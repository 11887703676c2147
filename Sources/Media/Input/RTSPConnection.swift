import Glibc
import Machines

/// The messages of one RTSP connection: requests out, answers, requests and interleaved packets in. One large buffer, so
/// that one call to the system brings many packets; packets are handed out where they lie.
final class RTSPConnection {
    /// What came.
    enum Item {
        /// A packet on an interleaved channel; valid until the next call.
        case packet(channel: UInt8, UnsafeRawBufferPointer)
        case message(RTSPMessage)
    }

    /// A whole interleaved packet (65 539 bytes) always fits behind the rest of another.
    private static let capacity = 160 << 10
    /// How much that is neither message nor packet is passed over, without one of them between, before the peer is called
    /// garbage.
    private static let strayBytesMax = 64 << 10

    let transport: any ByteTransport
    private let answerBytesMax: Int
    private let buffer: UnsafeMutableRawPointer
    private var begin = 0
    private var end = 0
    private var strayBytes = 0
    /// What counts as a packet and what does not.
    private var framing = InterleavedFraming()

    init(transport: any ByteTransport, answerBytesMax: Int) {
        self.transport = transport
        self.answerBytesMax = min(answerBytesMax, RTSPConnection.capacity / 2)
        buffer = UnsafeMutableRawPointer.allocate(byteCount: RTSPConnection.capacity, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Whether bytes have come that were no message: what answers may not speak RTSP at all.
    var hasForeignBytes: Bool { strayBytes > 0 || end > begin }

    /// Packets may come on this channel.
    func expect(channel: UInt8) { framing.expect(channel: channel) }

    /// The next item that is already here; nil when more must be read.
    func next() throws(InputFault) -> Item? {
        while begin < end {
            let bytes = UnsafeRawBufferPointer(start: buffer + begin, count: end - begin)
            if bytes[0] == UInt8(ascii: "$") {
                switch framing.judge(bytes) {
                case .incomplete: return nil
                case .stray: try stray(1)
                case .packet(let length):
                    begin += 4 + length
                    strayBytes = 0
                    return .packet(channel: bytes[1], bytes.part(4..<4 + length))
                }
                continue
            }
            if InterleavedFraming.mayBeginMessage(bytes) {
                let before = begin
                if let message = try message(bytes) { return .message(message) }
                // Not complete yet, unless something was passed over.
                if begin == before { return nil }
                continue
            }
            // Some cameras leave stray bytes between packets.
            try stray(1)
        }
        return nil
    }

    /// Reads more; false at the deadline.
    func fill(deadline: Int64) throws(InputFault) -> Bool {
        if begin == end {
            begin = 0
            end = 0
        } else if RTSPConnection.capacity - end < RTSPConnection.capacity / 2 {
            memmove(buffer, buffer + begin, end - begin)
            end -= begin
            begin = 0
        }
        let room = UnsafeMutableRawBufferPointer(start: buffer + end, count: RTSPConnection.capacity - end)
        guard let count = try transport.read(into: room, deadline: deadline) else { return false }
        end += count
        return true
    }

    /// The message at the begin of `bytes`; nil when it is not complete, or was no message and has been passed over.
    private func message(_ bytes: UnsafeRawBufferPointer) throws(InputFault) -> RTSPMessage? {
        guard let head = RTSPConnection.headEnd(bytes) else {
            if bytes.count > answerBytesMax { try stray(1) }
            return nil
        }
        guard var message = RTSPMessage(head: bytes[..<head.text]) else {
            try stray(1)
            return nil
        }
        guard let length = message.contentLength, length <= answerBytesMax else {
            throw .failed(.garbage, "an answer is larger than \(answerBytesMax) bytes")
        }
        guard bytes.count >= head.end + length else { return nil }
        message.body = [UInt8](bytes[head.end..<head.end + length])
        begin += head.end + length
        strayBytes = 0
        return message
    }

    private func stray(_ count: Int) throws(InputFault) {
        begin += count
        strayBytes += count
        if strayBytes > RTSPConnection.strayBytesMax { throw .failed(.garbage, "what answers does not speak RTSP") }
    }

    /// Where the head's text ends and where the body begins; an empty line may be written with or without CR.
    private static func headEnd(_ bytes: UnsafeRawBufferPointer) -> (text: Int, end: Int)? {
        guard let base = bytes.baseAddress else { return nil }
        var index = 0
        while index < bytes.count, let found = memchr(base + index, 10, bytes.count - index) {
            let line = UnsafeRawPointer(found) - base
            let next = line + 1
            if next < bytes.count, bytes[next] == 10 { return (line, next + 1) }
            if next + 1 < bytes.count, bytes[next] == 13, bytes[next + 1] == 10 { return (line, next + 2) }
            index = next
        }
        return nil
    }
}
