public import HTTPTypes

/// How requests reach a daemon. `URLSessionTransport` of `VigilURLSession` speaks HTTP over TCP; another one may go through a tunnel, or count
/// what goes by in a test.
public protocol Transport: Sendable {
    /// Where the daemon is, for people; holds no secret.
    var address: String { get }

    /// Sends a request, whose `path` begins with `/v1/` and carries the query, and gives the answer as soon as its head is
    /// there. `body` is empty for a request without one. The transport adds scheme, authority and credentials, and follows no
    /// redirection. Throws ``VigilError`` where there is no answer; so does the body where it breaks off.
    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse
}

/// An answer whose body is still coming.
public struct TransportResponse: Sendable {
    /// Status and fields.
    public var head: HTTPResponse
    /// The body in pieces, in order; it can be read once.
    public var body: ResponseBody

    /// An answer.
    public init(head: HTTPResponse, body: ResponseBody) {
        self.head = head
        self.body = body
    }

    /// The value of a field; nil where there is none of that name.
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { head.headerFields[$0] } }
}

/// The body of an answer, in pieces of bytes; it can be read once.
public struct ResponseBody: AsyncSequence, Sendable {
    /// The iterator.
    public struct Iterator: AsyncIteratorProtocol {
        let take: () async throws -> [UInt8]?

        /// The next piece; nil at the end. Throws where the body breaks off.
        public mutating func next() async throws -> [UInt8]? { try await take() }
    }

    private let begin: @Sendable () -> Iterator

    /// A body of what `pieces` gives.
    public init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == [UInt8] {
        begin = {
            var iterator = pieces.makeAsyncIterator()
            return Iterator { try await iterator.next() }
        }
    }

    /// Reads it.
    public func makeAsyncIterator() -> Iterator { begin() }
}
