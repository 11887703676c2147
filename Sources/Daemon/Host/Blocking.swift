internal import Foundation

/// Runs blocking work (files, the catalog) on threads of its own, so that it never holds one of the few threads that
/// asynchronous code shares.
enum Blocking {
    private static let queue = DispatchQueue(label: "vigil.blocking", attributes: .concurrent)

    /// The result of `work`, run on another thread.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}
