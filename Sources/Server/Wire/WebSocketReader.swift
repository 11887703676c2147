/// Reads what a viewer says over a WebSocket (RFC 6455): it has nothing to say but that it is there, or leaves. Pure: any bytes
/// give a value, and what is kept of them is bounded.
struct WebSocketReader {
    /// The most bytes of a message, and of each frame of it.
    static let messageBytesMax = 4_096
    /// The most bytes of a control frame (RFC 6455, 5.5).
    static let controlBytesMax = 125
    /// The most frames within `framesMs` milliseconds.
    static let framesMost = 120
    static let framesMs: Int64 = 60_000

    /// A frame as it came, its data unmasked.
    struct Frame {
        /// FIN, the three reserved bits and the opcode.
        var firstByte: UInt8
        var isMasked: Bool
        var data: [UInt8]

        var isLast: Bool { firstByte & 0x80 != 0 }
        var reserved: UInt8 { firstByte & 0x70 }
        var opcode: UInt8 { firstByte & 0x0F }
    }

    /// What follows from a frame.
    enum Outcome: Equatable {
        /// Nothing.
        case nothing
        /// A pong with this data is owed.
        case pong([UInt8])
        /// The other end has answered a ping.
        case alive
        /// The other end closes, with this code; an echo is owed.
        case closes(UInt16)
        /// The connection is to be closed with this code and reason.
        case refused(WebSocketClose)
    }

    /// The bytes of the message under way; nil while none is.
    private var message: [UInt8]?
    /// How many bytes are kept.
    var heldBytes: Int { message?.count ?? 0 }
    /// When the window of counted frames began, and how many came in it.
    private var window: (since: Int64, frames: Int)?

    /// Takes the next frame, which came at `nowMs`.
    mutating func take(_ frame: Frame, at nowMs: Int64) -> Outcome {
        guard frame.isMasked else { return .refused(.init(.protocolError, "a client masks its frames")) }
        guard frame.reserved == 0 else { return .refused(.init(.protocolError, "no extension was agreed on")) }
        guard isSeldom(at: nowMs) else {
            return .refused(.init(.policyViolation, "more than \(Self.framesMost) frames a minute"))
        }
        switch frame.opcode {
        case 0x0: return data(frame, isFirst: false)
        case 0x1: return data(frame, isFirst: true)
        case 0x2: return .refused(.init(.unacceptableData, "a viewer has no binary messages to send"))
        case 0x8, 0x9, 0xA: return control(frame)
        default: return .refused(.init(.protocolError, "there is no such frame"))
        }
    }

    private mutating func isSeldom(at nowMs: Int64) -> Bool {
        let (since, frames) = window ?? (nowMs, 0)
        window = nowMs &- since >= Self.framesMs ? (nowMs, 1) : (since, frames + 1)
        return (window?.frames ?? 0) <= Self.framesMost
    }

    private func control(_ frame: Frame) -> Outcome {
        guard frame.isLast, frame.data.count <= Self.controlBytesMax else {
            return .refused(.init(.protocolError, "a control frame is whole and short"))
        }
        if frame.opcode == 0x9 { return .pong(frame.data) }
        if frame.opcode == 0xA { return .alive }
        guard !frame.data.isEmpty else { return .closes(WebSocketClose.Code.normal.rawValue) }
        guard frame.data.count >= 2 else { return .refused(.init(.protocolError, "a closing code has two bytes")) }
        let code = UInt16(truncatingIfNeeded: Int(frame.data[0]) << 8 | Int(frame.data[1]))
        guard Self.isCode(code) else { return .refused(.init(.protocolError, "there is no such closing code")) }
        guard String(validating: frame.data.dropFirst(2), as: UTF8.self) != nil else {
            return .refused(.init(.notText, "the reason is no UTF-8"))
        }
        return .closes(code)
    }

    /// Whether an endpoint may send this code (RFC 6455, 7.4).
    private static func isCode(_ code: UInt16) -> Bool {
        switch code {
        case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
        default: false
        }
    }

    /// A text, whole or in parts: it is checked and not looked at.
    private mutating func data(_ frame: Frame, isFirst: Bool) -> Outcome {
        guard isFirst == (message == nil) else {
            return .refused(.init(.protocolError, "messages come one after another"))
        }
        let bytes = (message ?? []) + frame.data
        message = nil
        guard bytes.count <= Self.messageBytesMax else {
            return .refused(.init(.tooLarge, "a message has at most \(Self.messageBytesMax) bytes"))
        }
        guard frame.isLast else {
            message = bytes
            return .nothing
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return .refused(.init(.notText, "a text is UTF-8"))
        }
        return .nothing
    }
}
