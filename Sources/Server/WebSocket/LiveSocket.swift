internal import NIOCore

/// Sends live view over a WebSocket: what is text as JSON, media behind a head of ten bytes.
enum LiveSocket {
    /// What a binary message holds.
    private enum Kind: UInt8 {
        case header = 1
        case fragment = 2
    }

    /// Sends all of `parts`, and closes with why they ended. One message waits for the socket at a time: what comes meanwhile
    /// waits where it is bounded.
    static func send(_ parts: any AsyncSequence<LivePart, Never> & Sendable, over socket: WebSocket) async {
        do {
            for await part in parts {
                switch part {
                case .hello(let hello): try await socket.send(text: Reply.bytes(hello))
                case .header(let track, let bytes):
                    try await socket.send(binary: message(.header, track, 0, bytes))
                case .fragment(let track, let at, let bytes):
                    try await socket.send(binary: message(.fragment, track, at.ms, bytes))
                case .skipped(let count): try await socket.send(text: Reply.bytes(["skipped": count]))
                case .lost: try await socket.send(text: Reply.bytes(["lost": true]))
                case .ended(let why):
                    try await socket.send(text: Reply.bytes(["ended": why]))
                    socket.close(WebSocketClose(why))
                }
            }
        } catch {
            // The other end is gone.
        }
    }

    /// Tells why nothing is shown, and closes: a page cannot read with which status a WebSocket was refused.
    static func refuse(_ error: SiteError, over socket: WebSocket) async {
        let refusal = LiveRefusal(error)
        do {
            try await socket.send(text: Reply.bytes(refusal))
            socket.close(refusal.close)
        } catch {
            // The other end is gone.
        }
    }

    /// Kind, track, wall time in milliseconds since 1970 (eight bytes, big endian), then CMAF.
    private static func message(_ kind: Kind, _ track: Int, _ ms: Int64, _ bytes: [UInt8]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(bytes.count + 10)
        buffer.writeInteger(kind.rawValue)
        buffer.writeInteger(UInt8(clamping: track))
        buffer.writeInteger(ms)
        buffer.writeBytes(bytes)
        return buffer
    }
}
