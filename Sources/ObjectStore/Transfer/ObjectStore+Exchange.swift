internal import AsyncHTTPClient
internal import Hashing
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import XML

extension ObjectStore {
    /// The longest key, in bytes.
    static let keyBytesMax = 1024

    /// Sends a request and takes the whole answer.
    func send(_ call: Call) async throws -> Answer {
        try await exchange(call) { response, timer in
            let body = try await Self.collect(response, max: Answer.bytesMax, timer)
            return Answer(status: Int(response.status.code), headers: response.headers, body: body)
        }
    }

    /// Sends a request; `take` reads a good answer while the timer sees to it that bytes move. Throws `StoreError`,
    /// `CancellationError`, or what `take` wrapped in `TakerFailure`.
    func exchange<Value: Sendable>(
        _ call: Call, _ take: @escaping @Sendable (HTTPClientResponse, StallTimer) async throws -> Value
    ) async throws -> Value {
        if let key = call.key, !(1...Self.keyBytesMax).contains(key.utf8.count) {
            throw failure(.invalid("a key has 1 to 1,024 bytes"), call.operation, nil)
        }
        let credentials = try await credentials(for: call.operation, call.key)
        let timer = StallTimer(seconds: configuration.quietSecondsMax, clock: configuration.clock)
        let request = try request(call, credentials, timer)
        let work = transport.begin {
            let response = try await self.transport.execute(request, deadline: .distantFuture)
            timer.moved()
            guard (200..<300).contains(response.status.code) else { throw await self.refusal(call, response, timer) }
            return try await take(response, timer)
        }
        let number = stalls.add(timer) { work.cancel() }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        let cause = stalls.remove(number)
        switch (result, Task.isCancelled ? nil : cause) {
        case (.success(let value), _): return value
        case (.failure, .stalled?):
            let words = "no byte moved for \(configuration.quietSecondsMax) s"
            throw failure(.unreachable(words), call.operation, call.key)
        case (.failure, .shutDown?):
            throw failure(.unreachable("its client was shut down"), call.operation, call.key)
        case (.failure(let error), nil): throw mapped(error, call)
        }
    }

    /// The body of an answer, which may have `max` bytes.
    static func collect(_ response: HTTPClientResponse, max: Int, _ timer: StallTimer) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in response.body {
            timer.moved()
            guard bytes.count + piece.readableBytes <= max else {
                throw MalformedAnswer("the answer has more than \(max) bytes")
            }
            bytes += piece.readableBytesView
        }
        return bytes
    }

    /// The request with its signature.
    private func request(_ call: Call, _ credentials: Credentials, _ timer: StallTimer) throws -> HTTPClientRequest {
        let address = configuration.address
        var signed = SignatureV4.Request(
            method: call.method.rawValue, encodedPath: address.path(call.key), query: call.query,
            headers: [("host", address.hostField)] + call.headers, payload: SignatureV4.emptyPayload)
        let body: HTTPClientRequest.Body?
        switch call.body {
        case .none: body = nil
        case .bytes(let bytes):
            signed.payload = SHA256.hex(bytes)
            body = .bytes(ByteBuffer(bytes: bytes))
        case .source(let source, let sums, let progress):
            signed.payload = sums.sha256?.description ?? SignatureV4.unsignedPayload
            let pieces = SourcePieces(
                source: source, sums: sums, progress: progress, timer: timer, transport: transport,
                bandwidth: configuration.bandwidth)
            // A length beyond what the kernel knows cannot be sent: no source that can be read has it.
            body = .stream(pieces, length: .known(Int64(clamping: sums.bytes)))
        }
        let signature = signingKey.withLock { key in
            let signature = SignatureV4(
                credentials: credentials, region: address.region, seconds: configuration.clock.wallSeconds(),
                earlier: key)
            key = signature.key
            return signature
        }
        let query = SignatureV4.canonicalQuery(call.query)
        var request = HTTPClientRequest(url: address.origin + signed.encodedPath + (query.isEmpty ? "" : "?" + query))
        request.method = call.method
        for (name, value) in signature.signed(signed) { request.headers.add(name: name, value: value) }
        request.body = body
        return request
    }

    /// The error that an answer tells.
    private func refusal(_ call: Call, _ response: HTTPClientResponse, _ timer: StallTimer) async -> any Error {
        // Without its body an answer still has a status.
        let body = try? await Self.collect(response, max: Answer.errorBytesMax, timer)
        if Task.isCancelled { return CancellationError() }
        let answer = Answer(status: Int(response.status.code), headers: response.headers, body: body ?? [])
        return refused(call, answer, ErrorAnswer(answer.body))
    }

    /// The error of an answer that says `told`.
    func refused(_ call: Call, _ answer: Answer, _ told: ErrorAnswer) -> StoreError {
        // An answer that says that all is well, and an error: as if it had told that it failed.
        let status = answer.status < 300 ? 500 : answer.status
        let refusal = RefusedAnswer(
            operation: call.operation, status: status, answer: told,
            regionHeader: answer.headers.first(name: "x-amz-bucket-region"), ownRegion: configuration.address.region,
            date: answer.headers.first(name: "date"), retryAfter: answer.headers.first(name: "retry-after"),
            wasNew: call.headers.contains { $0.name == "if-none-match" })
        return StoreError(
            refusal.cause, call.operation, bucket: configuration.address.bucket, key: call.key, status: answer.status,
            code: told.code, message: told.message)
    }

    private func mapped(_ error: any Error, _ call: Call) -> any Error {
        // Whatever a cancelled request throws: it was cancelled.
        if Task.isCancelled { return CancellationError() }
        switch error {
        case is StoreError, is CancellationError: return error
        case let error as TakerFailure: return error.error
        case let error as SourceFailure: return failure(.source(error.reason), call.operation, call.key)
        case let error as MalformedAnswer: return failure(.invalid(error.reason), call.operation, call.key)
        case let error as ContentMismatch: return failure(.mismatch(error.reason), call.operation, call.key)
        default: return failure(TransportErrors.cause(error), call.operation, call.key)
        }
    }

    /// The root of the document that a good answer is. What takes long may have begun to answer before it failed: then that is an
    /// error with a good status.
    func document(_ call: Call, _ answer: Answer) throws -> XMLNode {
        let root: XMLNode
        do {
            root = try XMLNode.parse(answer.body)
        } catch {
            let why = "the answer is no XML: \(error.what), at byte \(error.place)"
            throw failure(.invalid(why), call.operation, call.key)
        }
        guard root.name != "Error" else { throw refused(call, answer, ErrorAnswer(root)) }
        return root
    }
}
