internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Reply {
    /// When the frame of a picture arrived.
    private static let at = HTTPField.Name("Vigil-At")
    private static let boundary = "vigil-picture"
    /// How often a reader of frames is told that the camera is still away: clients give up an answer that is silent for long.
    static let reminderPause = Duration.seconds(20)

    /// Calls `leave` when the connection closes. Until then it holds nothing of what is left, which may be over long before.
    private static func onClose(of channel: any Channel, _ leave: @escaping @Sendable () -> Void) {
        channel.closeFuture.whenComplete { _ in leave() }
    }

    /// A picture of now, with its time.
    static func picture(_ picture: LiveSnapshot) -> Response {
        var response = self.picture(picture.jpeg)
        if let at { response.headers[at] = picture.at.rfc3339 }
        return response
    }

    /// A file of low-latency HLS.
    static func live(_ file: LiveFile, _ bytes: [UInt8]) -> Response {
        let headers: HTTPFields = [.contentType: file.contentType, .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A movie of now, as it comes. It ends with the view, or when the client goes.
    static func movie(_ movie: LiveMovieBytes, over channel: any Channel) -> Response {
        onClose(of: channel, movie.leave)
        let headers: HTTPFields = [.contentType: "video/mp4", .cacheControl: "no-store"]
        let body = ResponseBody { writer in
            // A movie that is over holds nothing, though its connection may live on.
            defer { movie.leave() }
            for await piece in movie.pieces { try await writer.write(ByteBuffer(bytes: piece)) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Decoded frames one after another, each behind its head. It ends with them, or when the client goes.
    static func frames(
        _ frames: LiveFrames, over channel: any Channel, remindedEvery pause: Duration = reminderPause
    ) -> Response {
        onClose(of: channel, frames.leave)
        let headers: HTTPFields = [.contentType: FrameHead.mediaType, .cacheControl: "no-store"]
        let body = ResponseBody { writer in
            // Frames that are over hold nothing, though their connection may live on.
            defer { frames.leave() }
            try await frames.forEach(remindedEvery: pause) { try await writer.write(bytes(of: $0)) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// A head and what follows it.
    static func bytes(of part: FramesPart) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(FrameHead.length + part.content.count)
        bytes.writeBytes(part.head.bytes)
        bytes.writeBytes(part.content)
        return bytes
    }

    /// Pictures one after another in one answer, each in the place of the one before (`multipart/x-mixed-replace`). It ends with
    /// them, or when the client goes.
    static func pictures(_ pictures: LiveSnapshots, over channel: any Channel) -> Response {
        onClose(of: channel, pictures.leave)
        let headers: HTTPFields = [
            .contentType: "multipart/x-mixed-replace; boundary=\(boundary)", .cacheControl: "no-store",
        ]
        let body = ResponseBody { writer in
            // Pictures that are over hold nothing, though their connection may live on.
            defer { pictures.leave() }
            for await picture in pictures.pictures {
                let head = """
                    --\(boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.jpeg.count)\r\n\
                    Vigil-At: \(picture.at.rfc3339)\r\n\r\n
                    """
                var part = ByteBuffer()
                part.reserveCapacity(head.utf8.count + picture.jpeg.count + 2)
                part.writeString(head)
                part.writeBytes(picture.jpeg)
                part.writeString("\r\n")
                try await writer.write(part)
            }
            try await writer.write(ByteBuffer(string: "--\(boundary)--\r\n"))
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}
