internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
public import Server

extension DaemonClient {
    /// What an export would hold.
    public func exportPlan(camera: String, from: WallTime, to: WallTime) async throws -> ExportPlan {
        try await ask(
            .GET, "/v1/cameras/\(Percent.encode(camera))/export/plan",
            query: [("from", from.rfc3339), ("to", to.rfc3339)]
        ).answer
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
