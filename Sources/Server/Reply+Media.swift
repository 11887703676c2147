internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Reply {
    /// A JPEG.
    static func picture(_ jpeg: [UInt8]) -> Response {
        let headers: HTTPFields = [.contentType: "image/jpeg", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: jpeg)))
    }

    /// An export as it is made. Where it breaks off, the connection is closed without the last chunk, so that no client
    /// takes a torn file for a whole one.
    static func media(_ export: ExportBytes) -> Response {
        let body = ResponseBody { writer in
            for try await chunk in export.chunks { try await writer.write(ByteBuffer(bytes: chunk)) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "video/mp4", .cacheControl: "no-store"], body: body)
    }
}
