import HTTPTypes
import Synchronization
import VigilKit

/// A transport of an app's own, which counts what goes by.
final class CountingTransport: VigilKit.Transport {
    private let other: any VigilKit.Transport
    private let state = Mutex((paths: [String](), pieces: 0))

    init(_ other: any VigilKit.Transport) { self.other = other }

    var address: String { other.address }
    /// What was asked for.
    var paths: [String] { state.withLock { $0.paths } }
    /// How many pieces of answers were taken.
    var pieces: Int { state.withLock { $0.pieces } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        state.withLock { $0.paths.append(request.path ?? "") }
        var response = try await other.send(request, body: body)
        response.body = ResponseBody(Counted(body: response.body, counter: self))
        return response
    }

    private struct Counted: AsyncSequence, Sendable {
        let body: ResponseBody
        let counter: CountingTransport

        struct Iterator: AsyncIteratorProtocol {
            var body: ResponseBody.Iterator
            let counter: CountingTransport

            mutating func next() async throws -> [UInt8]? {
                let piece = try await body.next()
                counter.state.withLock { $0.pieces += 1 }
                return piece
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(body: body.makeAsyncIterator(), counter: counter) }
    }
}
