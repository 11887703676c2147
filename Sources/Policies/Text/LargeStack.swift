import Foundation
import Synchronization

/// Runs something that recurses deeply on a thread of its own with a large stack, and waits for it.
enum LargeStack {
    /// Bytes of stack; only what is touched takes memory. A debug build needs less than 2 MiB for 1000 levels.
    private static let bytes = 16 << 20

    /// Holds the result until the caller takes it.
    private final class Box<Value: Sendable, Failure: Error>: Sendable {
        let result = Mutex<Result<Value, Failure>?>(nil)
    }

    /// The result of `body`. Blocking.
    static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let box = Box<Value, Failure>()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result = Result(catching: body)
            box.result.withLock { $0 = result }
            done.signal()
        }
        thread.stackSize = bytes
        thread.start()
        done.wait()
        // Only a thread that could not be started leaves nothing; then the caller's own stack has to do.
        guard let result = box.result.withLock({ $0 }) else { return try body() }
        return try result.get()
    }
}
