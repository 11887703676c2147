internal import Foundation
internal import VigilKit

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// An answer as URLSession brings it: bytes wait here, bounded, until they are taken. Whoever lets go of it ends the transfer.
final class URLSessionBody: AsyncSequence, @unchecked Sendable {
    /// What waits, and what is known of the answer.
    private struct State {
        var head: Result<URLResponse, any Error>?
        var headWaiter: CheckedContinuation<URLResponse, any Error>?
        var bytes: [UInt8] = []
        var end: Result<Void, any Error>?
        var waiter: CheckedContinuation<Void, Never>?
        var isHeld = false
    }

    /// Guards `state`.
    private let lock = NSLock()
    private var state = State()
    private let task: URLSessionDataTask
    private let address: String

    init(_ task: URLSessionDataTask, address: String) {
        self.task = task
        self.address = address
    }

    /// Status and fields, waited for.
    func head() async throws -> URLResponse {
        try await withCheckedThrowingContinuation { continuation in
            let known = lock.withLock { () -> Result<URLResponse, any Error>? in
                if state.head == nil { state.headWaiter = continuation }
                return state.head
            }
            if let known { continuation.resume(with: known) }
        }
    }

    func began(_ response: URLResponse) { tell(.success(response)) }

    func came(_ data: Data) {
        change { state in
            state.bytes += data
            guard state.bytes.count > URLSessionTransport.bufferedMax, !state.isHeld else { return }
            state.isHeld = true
            task.suspend()
        }
    }

    func ended(_ error: (any Error)?) {
        let end: Result<Void, any Error> = error.map { .failure(failure($0)) } ?? .success(())
        tell(end.flatMap { .failure(VigilError.brokenOff(address: address, reason: "no answer")) })
        change { $0.end = end }
    }

    private func tell(_ head: Result<URLResponse, any Error>) {
        let waiter = lock.withLock { () -> CheckedContinuation<URLResponse, any Error>? in
            guard state.head == nil else { return nil }
            state.head = head
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(with: head)
    }

    private func change(_ body: (inout State) -> Void) {
        let waiter = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            body(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// What has come; waits where nothing has. Nil at the end.
    private func next() async throws -> [UInt8]? {
        while true {
            let (bytes, end) = lock.withLock { () -> ([UInt8], Result<Void, any Error>?) in
                defer { state.bytes = [] }
                if state.isHeld, !state.bytes.isEmpty {
                    state.isHeld = false
                    task.resume()
                }
                return (state.bytes, state.end)
            }
            if !bytes.isEmpty { return bytes }
            if let end {
                try end.get()
                return nil
            }
            await withCheckedContinuation { continuation in
                let isThere = lock.withLock {
                    let isThere = !state.bytes.isEmpty || state.end != nil
                    if !isThere { state.waiter = continuation }
                    return isThere
                }
                if isThere { continuation.resume() }
            }
        }
    }

    private func failure(_ error: any Error) -> any Error {
        guard let error = error as? URLError else {
            return VigilError.brokenOff(address: address, reason: "\(error)")
        }
        switch error.code {
        case .cancelled: return CancellationError()
        case .timedOut: return VigilError.timeout(address: address)
        case .cannotConnectToHost: return VigilError.noDaemon(address: address)
        case .networkConnectionLost, .badServerResponse, .cannotParseResponse:
            return VigilError.brokenOff(address: address, reason: error.localizedDescription)
        default: return VigilError.cannotConnect(address: address, reason: error.localizedDescription)
        }
    }

    /// Ends the transfer when it goes.
    final class Iterator: AsyncIteratorProtocol {
        private let body: URLSessionBody

        init(_ body: URLSessionBody) { self.body = body }

        deinit { body.task.cancel() }

        func next() async throws -> [UInt8]? {
            let task = body.task
            return try await withTaskCancellationHandler {
                try await body.next()
            } onCancel: {
                task.cancel()
            }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}
