internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

extension Reply {
    /// A JPEG.
    static func picture(_ jpeg: [UInt8]) -> Response {
        let headers: HTTPFields = [.contentType: "image/jpeg", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: jpeg)))
    }

    /// An export, sent as it is read. Where it breaks off, its reader does not take it, or the daemon stops, the connection is
    /// closed before all of its bytes were sent, so that no client takes a torn file for a whole one.
    static func media(_ export: ExportBytes, over channel: any Channel) -> Response {
        let body = ResponseBody(contentLength: Int(clamping: export.bytes)) { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    try await gracefulShutdown()
                    channel.close(promise: nil)
                }
                for try await chunk in export.chunks { try await writer.write(ByteBuffer(bytes: chunk)) }
                try await writer.finish(nil)
            }
        }
        return Response(status: .ok, headers: [.contentType: "video/mp4", .cacheControl: "no-store"], body: body)
    }
}
