@testable import Wire

/// What a viewer says over a WebSocket, frame by frame, as NIO's decoder hands it on; and names of files of live view.
enum WebSocketTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        guard feed.byte() % 8 > 0 else { return name(feed.text()) }
        var (reader, nowMs, frames) = (WebSocketReader(), Int64(0), 0)
        while !feed.isAtEnd {
            let (first, flags, count) = (feed.byte(), feed.byte(), Int(feed.number(UInt16.self) % 5_000))
            nowMs += Int64(flags >> 1) * 100
            let frame = WebSocketReader.Frame(
                firstByte: first, isMasked: flags & 1 == 0, data: Array(feed.take(count)))
            frames += 1
            let outcome = reader.take(frame, at: nowMs)
            hold(reader.heldBytes <= WebSocketReader.messageBytesMax, "\(reader.heldBytes) bytes are held")
            switch outcome {
            case .nothing, .alive: break
            case .pong(let data): hold(data == frame.data && data.count <= WebSocketReader.controlBytesMax, "a pong")
            case .closes(let code):
                hold(code >= 1_000 && code < 5_000 && code != 1_005 && code != 1_006, "an echo of \(code)")
                return
            case .refused(let close):
                hold(close.reason.utf8.count <= WebSocketClose.reasonBytesMax && !close.reason.isEmpty, "a reason")
                return
            }
            // What is taken keeps to the protocol.
            hold(frame.isMasked && frame.reserved == 0 && [0, 1, 9, 10].contains(frame.opcode), "\(frame) was taken")
            hold(
                frames <= WebSocketReader.framesMost || nowMs >= WebSocketReader.framesMs,
                "\(frames) frames in \(nowMs) ms")
        }
    }

    private static func name(_ text: String) {
        guard let file = LiveFile(text) else { return }
        hold(LiveFile(file.name) == file, "a name is read back")
        hold(file.name.utf8.count <= text.utf8.count, "a name says no more than was read")
    }
}
