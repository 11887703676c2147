internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The opening of a connection over which frames in shared memory are told (docs/reference/http.md), for a request that has passed the
/// gate and the check of rights as any other.
struct FrameHandshake {
    /// What the field `Upgrade` names.
    static let name = "vigil-frames"

    private let channel: any Channel

    /// Whether a request asks for it. Who asks for another protocol is answered as if it had not.
    static func isAsked(_ reader: RequestReader) -> Bool {
        reader.words(of: .upgrade).contains(name)
    }

    /// Checks that the memory can go to who asks.
    ///
    /// - Throws: `invalid` where it is not asked for over the daemon's own socket.
    init(_ reader: RequestReader) async throws {
        channel = reader.context.channel
        guard reader.words(of: .connection).contains("upgrade") else {
            throw SiteError.invalid("Upgrade is without Connection: Upgrade", "send both")
        }
        guard try await LocalPeer.of(channel) != nil else {
            throw SiteError.invalid(
                "memory is shared over the daemon's own socket alone, with a process of the same machine",
                "ask there, or without Upgrade: then frames come in the answer")
        }
    }

    /// The answer with which the connection changes. Parts of `frames` are sent over it until they end.
    func response(_ frames: LiveFrames, remindedEvery pause: Duration = Reply.reminderPause) async throws -> Response {
        let opening = try await channel.eventLoop.submit { [channel] in
            try? channel.pipeline.syncOperations.handler(type: ConnectionRequests.self)
                .expectFrameSocket(on: channel.eventLoop, frames.giveBack, misused: frames.leave)
        }.get()
        channel.closeFuture.whenComplete { _ in frames.leave() }
        let headers: HTTPFields = [.upgrade: Self.name, .connection: "Upgrade", .cacheControl: "no-store"]
        return Response(
            status: .switchingProtocols, headers: headers,
            body: ResponseBody { writer in
                // Frames that are over hold nothing.
                defer { frames.leave() }
                if let socket = try await opening?.get() {
                    try? await frames.forEach(remindedEvery: pause) {
                        try await socket.send(Reply.bytes(of: $0), with: $0.descriptor)
                    }
                }
                try await writer.finish(nil)
            })
    }
}
