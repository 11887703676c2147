internal import Foundation
internal import Synchronization

/// A timer of a `ThreadQueue`. All timers wait on one queue of Dispatch, which only hands on what is due.
///
/// `@unchecked Sendable`: a dispatch source may be used from any thread.
final class QueueTimer: WakeTimer, @unchecked Sendable {
    private static let waiting = DispatchQueue(label: "vigil.timers")

    private struct Setting {
        /// How often it was set: what was handed on for an earlier setting is not done.
        var count: UInt64 = 0
        var due: DispatchTime?
    }

    /// What the source knows of the timer.
    private final class Core: Sendable {
        let setting = Mutex(Setting())
    }

    private let core = Core()
    private let source = DispatchSource.makeTimerSource(queue: QueueTimer.waiting)

    init(_ queue: ThreadQueue, _ fire: @escaping @Sendable () -> Void) {
        source.setEventHandler { [core] in
            let count = core.setting.withLock { setting -> UInt64? in
                // An event of an earlier setting may still come.
                guard let due = setting.due, due <= .now() else { return nil }
                setting.due = nil
                return setting.count
            }
            guard let count else { return }
            queue.run { if core.setting.withLock({ $0.count == count }) { fire() } }
        }
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    func set(afterMs: Int64?) {
        let due = afterMs.map { DispatchTime.now() + .milliseconds(Int(clamping: max($0, 0))) }
        core.setting.withLock { setting in
            setting.count += 1
            setting.due = due
        }
        source.schedule(deadline: due ?? .distantFuture)
    }

    deinit {
        core.setting.withLock { $0.count += 1 }
        source.cancel()
    }
}
