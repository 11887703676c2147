internal import Hashing
internal import NIOHTTP1
internal import XML

/// One request to a store, before it is signed.
struct Call: Sendable {
    /// What is sent along.
    enum Body: Sendable {
        case none
        /// Bytes in memory.
        case bytes([UInt8])
        /// What is read while it is sent, with the sums that it has, and who is told how far it came.
        case source(any ByteSource, Sums, TransferProgress?)
    }

    let operation: StoreOperation
    let method: HTTPMethod
    var key: String?
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body = Body.none

    init(
        _ operation: StoreOperation, _ method: HTTPMethod, key: String? = nil,
        query: [(name: String, value: String)] = []
    ) {
        self.operation = operation
        self.method = method
        self.key = key
        self.query = query
    }
}

/// Is told how many bytes of a transfer have been sent so far. It is called often and must not block.
public typealias TransferProgress = @Sendable (_ bytesSent: UInt64) -> Void

/// The answer to a request, with all of its body.
struct Answer: Sendable {
    /// What an answer with a document in it may have, in bytes.
    static let bytesMax = XMLBounds().bytes
    /// What is read of an answer that tells an error, in bytes.
    static let errorBytesMax = 64 << 10

    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]
}

/// What is sent could not be read. It goes through the HTTP library, which knows it only as some error.
struct SourceFailure: Error {
    let reason: String
}

/// Whoever takes the bytes threw this.
struct TakerFailure: Error {
    let error: any Error
}

/// An answer makes no sense.
struct MalformedAnswer: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// What came is not what the store has.
struct ContentMismatch: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
