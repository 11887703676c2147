internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
public import Server

extension DaemonClient {
    /// What an export would hold.
    public func exportPlan(camera: String, from: WallTime, to: WallTime) async throws -> PlannedExport {
        try await ask(
            .GET, "/v1/cameras/\(Percent.encode(camera))/export/plan",
            query: [("from", from.rfc3339), ("to", to.rfc3339)]
        ).answer
    }

    /// A JPEG of what was recorded.
    public func snapshot(of subject: SnapshotSubject, width: Int?) async throws -> [UInt8] {
        let width = ("width", width.map { String($0) })
        let response =
            switch subject {
            case .event(let id): try await send(.GET, "/v1/events/\(id)/snapshot", query: [width])
            case .camera(let camera, let moment):
                try await send(
                    .GET, "/v1/cameras/\(Percent.encode(camera))/snapshot", query: [("at", moment?.rfc3339), width])
            }
        return Array(try await collect(response).readableBytesView)
    }

    /// What of an export is not as it was recorded.
    public struct ExportDamage: Hashable, Sendable {
        /// The clips that were left out because they cannot be read, with the reasons; nil: none.
        public let skipped: String?
        /// What is zeros because it could not be read, with the reasons; nil: nothing.
        public let damaged: String?
    }

    /// Hands the bytes of an export to `sink` in order; gives what of it is missing or damaged. Throws `ClientError.brokenOff`
    /// where not all bytes came.
    @discardableResult
    public func export(
        camera: String, from: WallTime, to: WallTime, sink: ([UInt8]) async throws -> Void
    ) async throws -> ExportDamage {
        let response = try await send(
            .GET, "/v1/cameras/\(Percent.encode(camera))/export", query: [("from", from.rfc3339), ("to", to.rfc3339)],
            fields: [("TE", "trailers")])
        var parts = response.body.makeAsyncIterator()
        var tail: [UInt8] = []
        while let part = try await next(&parts) {
            let bytes = Array(part.readableBytesView)
            tail = Array((tail + bytes.suffix(DamageNote.bytesMax)).suffix(DamageNote.bytesMax))
            try await sink(bytes)
        }
        return ExportDamage(
            skipped: response.headers.first(name: "Vigil-Skipped"), damaged: DamageNote.read(tail))
    }

    /// The next part of an answer; nil behind the last.
    func next(_ parts: inout HTTPClientResponse.Body.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await parts.next()
        } catch {
            throw failure(error)
        }
    }
}
