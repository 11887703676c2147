internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

extension Reply {
    /// A JPEG.
    static func picture(_ jpeg: [UInt8]) -> Response {
        let headers: HTTPFields = [.contentType: "image/jpeg", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: jpeg)))
    }

    /// An export, sent as it is read. Where it breaks off, its reader takes nothing for `stalledMax`, or the daemon stops, the
    /// connection is closed before all of its bytes were sent, so that no client takes a torn file for a whole one.
    static func media(
        _ export: ExportBytes, over channel: any Channel, stalledMax: Duration = Limits.stalledReaderMax
    ) -> Response {
        let body = ResponseBody(contentLength: Int(clamping: export.bytes)) { writer in
            let taken = ChunkCount()
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    var before = -1
                    while case let now = taken.value.load(ordering: .relaxed), now != before {
                        before = now
                        try await Task.sleep(for: stalledMax)
                    }
                    channel.close(promise: nil)
                }
                group.addTask {
                    try await gracefulShutdown()
                    channel.close(promise: nil)
                }
                for try await chunk in export.chunks {
                    try await writer.write(ByteBuffer(bytes: chunk))
                    taken.value.add(1, ordering: .relaxed)
                }
                try await writer.finish(nil)
            }
        }
        return Response(status: .ok, headers: [.contentType: "video/mp4", .cacheControl: "no-store"], body: body)
    }
}

/// How many chunks a reader has taken; told by the one who sends, watched by the one who cuts off.
private final class ChunkCount: Sendable {
    let value = Atomic(0)
}
