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
    /// How much that is neither message nor packet is passed over, beyond as much that is, before the peer is called garbage.
    private static let strayBytesMax = 64 << 10

    let transport: any ByteTransport
    private let answerBytesMax: Int
    private let bounds: LoopBounds
    private let buffer: UnsafeMutableRawPointer
    private var begin = 0
    private var end = 0
    private var strayBytes = 0
    /// What counts as a packet and what does not.
    private var framing = InterleavedFraming()
    /// How far the head at `begin` has been looked through.
    private var scanner = RTSPHeadScanner()
    /// The message at `begin` whose head has come, how long that is, and how long its body.
    private var headed: (message: RTSPMessage, head: Int, body: Int)?
    /// Whether anything was passed over.
    private(set) var hasStrayed = false

    init(transport: any ByteTransport, answerBytesMax: Int, bounds: LoopBounds) {
        self.transport = transport
        self.answerBytesMax = min(answerBytesMax, RTSPConnection.capacity / 2)
        self.bounds = bounds
        buffer = UnsafeMutableRawPointer.allocate(byteCount: RTSPConnection.capacity, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Whether bytes have come that were no message: what answers may not speak RTSP at all.
    var hasForeignBytes: Bool { hasStrayed || end > begin }

    /// Packets may come on this channel.
    func expect(channel: UInt8) { framing.expect(channel: channel) }

    /// The next item that is already here; nil when more must be read.
    func next() throws(InputFault) -> Item? {
        while begin < end {
            let bytes = UnsafeRawBufferPointer(start: buffer + begin, count: end - begin)
            if bytes[0] == UInt8(ascii: "$") {
                switch framing.judge(bytes) {
                case .incomplete: return nil
                case .stray: try passStray(bytes)
                case .packet(let length):
                    pass(4 + length)
                    strayBytes = max(0, strayBytes - 4 - length)
                    return .packet(channel: bytes[1], bytes.part(4..<4 + length))
                }
                continue
            }
            guard InterleavedFraming.mayBeginMessage(bytes) else {
                try passStray(bytes)
                continue
            }
            let before = begin
            if let message = try message(bytes) { return .message(message) }
            // Not complete yet, unless something was passed over.
            if begin == before { return nil }
        }
        return nil
    }

    /// Reads what there is, waiting for it until `deadline`; false when nothing came. Every loop that reads RTSP comes
    /// through here, so it ends when the input is stopped, or takes too much of the processor.
    func fill(deadline: Int64) throws(InputFault) -> Bool {
        try bounds.turn()
        if begin == end {
            begin = 0
            end = 0
        } else if begin > 0, RTSPConnection.capacity - end < RTSPConnection.capacity / 2 {
            memmove(buffer, buffer + begin, end - begin)
            end -= begin
            begin = 0
        }
        let room = UnsafeMutableRawBufferPointer(start: buffer + end, count: RTSPConnection.capacity - end)
        guard let count = try transport.read(into: room, deadline: deadline) else { return false }
        end += count
        return true
    }

    /// Passes over what stands between packets: the first byte, and all up to the next one that may begin something.
    private func passStray(_ bytes: UnsafeRawBufferPointer) throws(InputFault) {
        try stray(bytes.dropFirst().firstIndex(where: InterleavedFraming.mayBegin) ?? bytes.count)
    }

    /// The message at the begin of `bytes`; nil when it is not complete, or was no message and has been passed over whole.
    private func message(_ bytes: UnsafeRawBufferPointer) throws(InputFault) -> RTSPMessage? {
        if headed == nil {
            switch scanner.scan(bytes) {
            case .more:
                if bytes.count > answerBytesMax { try stray(bytes.count) }
                return nil
            case .none(let count):
                try stray(count)
                return nil
            case .head(let text, let end):
                guard end <= answerBytesMax, let message = RTSPMessage(head: bytes[..<text]) else {
                    try stray(end)
                    return nil
                }
                guard let length = message.contentLength, length <= answerBytesMax else {
                    throw .failed(.garbage, "an answer is larger than \(answerBytesMax) bytes")
                }
                headed = (message, end, length)
            }
        }
        guard let headed, bytes.count >= headed.head + headed.body else { return nil }
        var message = headed.message
        message.body = [UInt8](bytes.part(headed.head..<headed.head + headed.body))
        pass(headed.head + headed.body)
        strayBytes = 0
        return message
    }

    /// Goes on behind `count` bytes.
    private func pass(_ count: Int) {
        begin += count
        scanner = RTSPHeadScanner()
        headed = nil
    }

    private func stray(_ count: Int) throws(InputFault) {
        pass(count)
        hasStrayed = true
        strayBytes += count
        if strayBytes > RTSPConnection.strayBytesMax { throw .failed(.garbage, "what answers does not speak RTSP") }
    }
}
