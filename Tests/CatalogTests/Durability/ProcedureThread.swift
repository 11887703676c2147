import CFaults
import Foundation
import Synchronization

@testable import Catalog

/// Runs one procedure on a thread of its own, and holds it at each of its steps until it is told to go on.
///
/// `@unchecked Sendable`: the two threads take turns by semaphores.
final class ProcedureThread: @unchecked Sendable {
    /// Nobody waits longer for the other.
    private static let patience = DispatchTimeInterval.seconds(120)

    /// The procedure does not come to its next step.
    struct Stuck: Error {}

    private let goes = DispatchSemaphore(value: 0)
    private let rests = DispatchSemaphore(value: 0)
    /// Where it rests; nil at its end.
    private(set) var step: String? = ""
    private var failure: (any Error)?
    private var isAbandoned = false

    /// Begins the procedure, and holds it before its first step.
    ///
    /// - Parameter synced: told each path that it makes durable.
    init(synced: @escaping (String) -> Void, _ procedure: @escaping (@escaping StepHook) throws -> Void) {
        let watch = Watch(synced)
        // What it holds, such as the catalog's lock, is let go of before its end is told.
        nonisolated(unsafe) var procedure: ((@escaping StepHook) throws -> Void)? = procedure
        Thread.detachNewThread { [self] in
            goes.wait()
            watch.begin()
            do {
                if !isAbandoned { try procedure? { [self] in try arrive($0) } }
            } catch is Crash {
            } catch { failure = error }
            watch.end()
            procedure = nil
            step = nil
            rests.signal()
        }
    }

    private func arrive(_ name: String) throws {
        step = name
        rests.signal()
        goes.wait()
        if isAbandoned { throw Crash(step: name) }
    }

    /// Goes on to the next of these steps, or to its end.
    ///
    /// - Throws: what the procedure threw.
    func goOn(to names: Set<String> = []) throws {
        while step != nil {
            goes.signal()
            guard rests.wait(timeout: .now() + Self.patience) == .success else { throw Stuck() }
            if let failure { throw failure }
            if let step, names.contains(step) { return }
        }
    }

    /// It dies where it is.
    func abandon() throws {
        guard step != nil else { return }
        isAbandoned = true
        goes.signal()
        guard rests.wait(timeout: .now() + Self.patience) == .success else { throw Stuck() }
    }

    /// Tells what this thread makes durable.
    ///
    /// `@unchecked Sendable`: used by the procedure's thread alone.
    private final class Watch: @unchecked Sendable {
        private let synced: (String) -> Void

        init(_ synced: @escaping (String) -> Void) { self.synced = synced }

        func begin() {
            vigil_tell_syncs(
                { context, path in
                    guard let context, let path else { return }
                    Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().synced(String(cString: path))
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        func end() { vigil_tell_syncs(nil, nil) }
    }
}
