internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

extension Reply {
    /// How much of media is read and handed on at once, in bytes.
    private static let pieceBytes: UInt64 = 256 << 10

    /// Media, or the range of it that the request asks for. Each piece is read into the memory that the socket is written from.
    /// Where it breaks off, its reader does not take it, or the daemon stops, the connection is closed before all was sent.
    static func served(_ media: ServedMedia, _ request: Request, over channel: any Channel) -> Response {
        let tag = EntityTag(media.tag)
        var headers: HTTPFields = [
            .contentType: media.type, .cacheControl: "no-store", .acceptRanges: "bytes", .eTag: tag.field,
        ]
        if !media.skipped.isEmpty { skipped(media.skipped, &headers) }
        if tag.isKnown(request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        let asks = request.method == .get && tag.allowsPart(request.headers[.ifRange])
        switch ByteRange(asks ? request.headers[.range] : nil, of: media.bytes) {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(media, 0..<media.bytes, over: channel))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(media.bytes)"
            return Response(status: .partialContent, headers: headers, body: body(media, range, over: channel))
        case .outside:
            headers[.contentRange] = "bytes */\(media.bytes)"
            headers[.contentType] = nil
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    private static func body(_ media: ServedMedia, _ range: Range<UInt64>, over channel: any Channel) -> ResponseBody {
        ResponseBody(contentLength: Int(clamping: range.count)) { writer in
            try await untilStop(of: channel) {
                for start in stride(from: range.lowerBound, to: range.upperBound, by: Int(pieceBytes)) {
                    let count = Int(min(pieceBytes, range.upperBound - start))
                    let source = media.source
                    let piece = try await source.apart {
                        var buffer = ByteBufferAllocator().buffer(capacity: count)
                        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
                            try source.fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), at: start)
                            return count
                        }
                        return buffer
                    }
                    try await writer.write(piece)
                }
            }
            try await writer.finish(nil)
        }
    }

    /// A text that a player reads.
    static func playlist(_ bytes: [UInt8], type: String) -> Response {
        let headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
