internal import NIOPosix
internal import Synchronization

/// The threads on which files are read. Whoever waits for one of them can be cancelled at once: a read that a dead disk holds up then
/// ends whenever it does, and its bytes are thrown away.
final class FileThreads: Sendable {
    /// How many bytes are read at a time.
    static let pieceBytes = 512 << 10
    /// How many reads may be under way.
    static let count = 4

    private let pool = NIOThreadPool(numberOfThreads: count)

    init() { pool.start() }

    /// Ends the threads when their reads are done.
    func shutdown() { pool.shutdownGracefully { _ in } }

    /// Runs `work`, which may block. Throws what it throws, or `CancellationError` as soon as the task is cancelled.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let once = Once<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard once.wait(continuation) else { return }
                pool.submit { state in
                    guard case .active = state, !once.isOver else { return once.end(.failure(CancellationError())) }
                    once.end(Result { try work() })
                }
            }
        } onCancel: {
            once.end(.failure(CancellationError()))
        }
    }

    /// Whoever waits is told once, by whoever comes first.
    private final class Once<Value: Sendable>: Sendable {
        private enum State {
            case new
            case waiting(CheckedContinuation<Value, any Error>)
            case over
        }
        private let state = Mutex(State.new)

        var isOver: Bool {
            state.withLock { state in
                if case .over = state { true } else { false }
            }
        }

        /// Whether it is worth beginning; where not, whoever waits is told.
        func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
            let isNew = state.withLock { state in
                guard case .new = state else { return false }
                state = .waiting(continuation)
                return true
            }
            if !isNew { continuation.resume(throwing: CancellationError()) }
            return isNew
        }

        func end(_ result: sending Result<Value, any Error>) {
            let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
                defer { state = .over }
                guard case .waiting(let continuation) = state else { return nil }
                return continuation
            }
            waiting?.resume(with: result)
        }
    }
}
