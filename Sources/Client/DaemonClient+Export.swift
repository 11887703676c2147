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
        var bytes: [UInt8] = []
        var parts = response.body.makeAsyncIterator()
        while let part = try await next(&parts) { bytes += Array(part.readableBytesView) }
        return bytes
    }

    /// Hands the bytes of an export to `sink` in order. Throws `ClientError.brokenOff` where not all of them came.
    public func export(
        camera: String, from: WallTime, to: WallTime, sink: ([UInt8]) async throws -> Void
    ) async throws {
        let response = try await send(
            .GET, "/v1/cameras/\(Percent.encode(camera))/export", query: [("from", from.rfc3339), ("to", to.rfc3339)])
        var parts = response.body.makeAsyncIterator()
        while let part = try await next(&parts) { try await sink(Array(part.readableBytesView)) }
    }

    private func next(_ parts: inout HTTPClientResponse.Body.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await parts.next()
        } catch {
            throw failure(error)
        }
    }
}
