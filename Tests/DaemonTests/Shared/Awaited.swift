import Foundation
import Synchronization

/// A value that one thread changes and others wait for.
final class Awaited<Value: Sendable>: Sendable {
    private let state: Mutex<(value: Value, isOver: Bool)>
    /// Told of each change, and of the end.
    private let changed = NSCondition()

    init(_ value: Value) { state = Mutex((value, false)) }

    /// As it is now.
    var value: Value { state.withLock { $0.value } }

    /// Whether it changes no more.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Changes it, and wakes those who wait.
    func change(_ body: (inout Value) -> Void) { take { body(&$0.value) } }

    /// It changes no more; who waits gets nothing.
    func end() { take { $0.isOver = true } }

    private func take(_ body: (inout (value: Value, isOver: Bool)) -> Void) {
        changed.lock()
        defer { changed.unlock() }
        state.withLock { body(&$0) }
        changed.broadcast()
    }

    /// Waits for what the value tells; nil when it changes no more without it, or it did not come in time.
    func wait<Fact>(for fact: (Value) throws -> Fact?) rethrows -> Fact? {
        let deadline = Date(timeIntervalSinceNow: RunningDaemon.patience)
        changed.lock()
        defer { changed.unlock() }
        while true {
            let (value, isOver) = state.withLock { $0 }
            if let found = try fact(value) { return found }
            guard !isOver, changed.wait(until: deadline) else { return nil }
        }
    }
}

extension Awaited where Value == [String] {
    /// The lines that another process writes, read on a thread of their own until it ends.
    convenience init(linesOf handle: FileHandle) {
        self.init([])
        Thread.detachNewThread { [self] in
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest += data
                var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Data(lines.removeLast())
                change { $0 += lines.map { String(decoding: $0, as: UTF8.self) } }
            }
            end()
        }
    }
}
