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
        let request = DownloadRequest(camera: camera, from: from, to: to)
        return try await movie(request, after: nil, pieceBytes: Self.pieceBytes) { bytes, _ in try await sink(bytes) }
            .skipped
    }

    /// The same in pieces of any size, and behind what has come before.
    func movie(
        _ request: DownloadRequest, after progress: DownloadProgress?, pieceBytes: Int64,
        sink: ([UInt8], DownloadProgress) async throws -> Void
    ) async throws -> DownloadProgress {
        let path = "/v1/cameras/\(Percent.encode(request.camera))/play.mp4"
        let query = [("from", request.from.rfc3339), ("to", request.to.rfc3339)]
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                while true {
                    try await Task.sleep(for: Self.askedAgain)
                    let byte = try? await send(.get, path, query: query, fields: [("Range", "bytes=0-0")])
                    if let byte { _ = try? await collect(byte, upTo: 1) }
                }
            }
            var progress = progress
            while true {
                try Task.checkCancellation()
                if let progress, progress.isDone { return progress }
                let piece = try await piece(of: request, path, query, after: progress, most: pieceBytes)
                try await sink(piece.bytes, piece.progress)
                progress = piece.progress
            }
        }
    }

    /// The next bytes behind `progress`, at least one. Each movie ends: its size is what it was at the first piece.
    private func piece(
        of request: DownloadRequest, _ path: String, _ query: [(String, String?)], after progress: DownloadProgress?,
        most: Int64
    ) async throws -> (bytes: [UInt8], progress: DownloadProgress) {
        let from = max(progress?.bytes ?? 0, 0)
        var fields = [("Range", "bytes=\(from)-\(from.addingReportingOverflow(most - 1).partialValue)")]
        if let progress { fields.append(("If-Range", progress.tag)) }
        let response = try await send(.get, path, query: query, fields: fields)
        guard response.head.status == .partialContent, let tag = response.field("ETag"),
            let range = response.field("Content-Range").flatMap({ ContentRange($0) }),
            progress.map({ $0.tag == tag && $0.size == range.size }) ?? true
        else {
            // An answer of all of it is not read; the connection is closed with it.
            throw VigilError.refused(Self.changed(request.camera))
        }
        let bytes = try await collect(response, upTo: Int(clamping: most))
        guard range.bytes.lowerBound == from, Int64(bytes.count) == range.bytes.upperBound - from else {
            throw VigilError.strangeAnswer(address: transport.address, reason: "GET \(path)")
        }
        let skipped = progress?.skipped ?? response.field("Vigil-Skipped")
        return (
            bytes,
            DownloadProgress(
                request: request, bytes: range.bytes.upperBound, size: range.size, tag: tag, skipped: skipped)
        )
    }

    private static func changed(_ camera: String) -> SiteError {
        SiteError(
            .conflict, what: "the rest of camera \(camera)'s recording was not read",
            why: "what is recorded of this time has changed meanwhile",
            remedy: "begin again, where it stopped")
    }
}
