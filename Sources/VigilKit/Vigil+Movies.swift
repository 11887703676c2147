internal import Foundation
internal import HTTPTypes
public import Wire

/// MP4 as a player reads it, without a session: live, and what was recorded.
extension Vigil {
    /// Hands what a camera sends now to `sink` as one fragmented MP4, until the view ends.
    public func live(
        camera: String, stream: LiveStream = .main, withSound: Bool = true, sink: ([UInt8]) async throws -> Void
    ) async throws {
        let response = try await send(
            .get, "/v1/cameras/\(Percent.encode(camera))/live.mp4",
            query: [("stream", stream.rawValue), ("sound", withSound ? "stored" : "none")])
        for try await bytes in response.body { try await sink(bytes) }
    }

    /// How much of a movie is asked for at once, in bytes.
    static let pieceBytes: Int64 = 4 << 20
    /// How often a byte of a movie is asked for meanwhile: the daemon keeps its plan for a minute after its last use, and plans a
    /// clip that is being written otherwise the next time.
    static let askedAgain = Duration.seconds(20)

    /// Hands what was recorded from `from` to `to` to `sink` as one MP4, and gives what was left out of it, with the reasons.
    /// Piece by piece: whoever plays it may pause for as long as they like, and holds nothing in the daemon meanwhile.
    @discardableResult
    public func movie(
        camera: String, from: WallTime, to: WallTime, sink: ([UInt8]) async throws -> Void
    ) async throws -> String? {
        let path = "/v1/cameras/\(Percent.encode(camera))/play.mp4"
        let query = [("from", from.rfc3339), ("to", to.rfc3339)]
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.askedAgain)
                    let byte = try? await send(.get, path, query: query, fields: [("Range", "bytes=0-0")])
                    if let byte { _ = try? await collect(byte) }
                }
            }
            return try await pieces(of: camera, path, query, sink)
        }
    }

    private func pieces(
        of camera: String, _ path: String, _ query: [(String, String?)], _ sink: ([UInt8]) async throws -> Void
    ) async throws -> String? {
        var (offset, tag, skipped): (Int64, String?, String?) = (0, nil, nil)
        while true {
            var fields = [("Range", "bytes=\(offset)-\(offset + Self.pieceBytes - 1)")]
            if let tag { fields.append(("If-Range", tag)) }
            let response = try await send(.get, path, query: query, fields: fields)
            guard response.head.status == .partialContent,
                let size = response.field("Content-Range")?.split(separator: "/").last.flatMap({ Int64($0) }),
                let now = response.field("ETag"), tag == nil || tag == now
            else {
                // An answer of all of it is not read; the connection is closed with it.
                throw VigilError.refused(Self.changed(camera))
            }
            let piece = try await collect(response)
            guard !piece.isEmpty else {
                throw VigilError.strangeAnswer(address: transport.address, reason: "GET \(path)")
            }
            (tag, skipped) = (now, skipped ?? response.field("Vigil-Skipped"))
            try await sink(piece)
            offset += Int64(piece.count)
            if offset >= size { return skipped }
        }
    }

    private static func changed(_ camera: String) -> SiteError {
        SiteError(
            .conflict, what: "the rest of camera \(camera)'s recording was not read",
            why: "what is recorded of this time has changed meanwhile",
            remedy: "begin again, where it stopped")
    }
}
