import Glibc
import Journal
import Logging
import MemorySite
import Server
import ServiceLifecycle
import Synchronization
import Testing

@testable import Daemon

@Suite("Listeners", .timeLimit(.minutes(15)))
struct ListenerTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs until graceful shutdown, and says so: what records.
    private struct Recorder: Service {
        let ends: @Sendable () -> Void

        func run() async throws {
            try await gracefulShutdown()
            ends()
        }
    }

    /// What happened, in order.
    private final class Order: Sendable {
        private let noted = Mutex<[String]>([])

        var names: [String] { noted.withLock { $0 } }

        func note(_ name: String) { noted.withLock { $0.append(name) } }
    }

    /// A listener; `onFailure` hears when the journal is told that it failed.
    private func listener(
        _ listeners: Listeners, onFailure: AsyncStream<Void>.Continuation? = nil,
        serve: @escaping @Sendable (@escaping @Sendable () async -> Void) async throws -> Void
    ) -> ListenerService {
        let journal = Journal { observed in
            if case .record(.listenerFailed, _, _) = observed { onFailure?.yield() }
        }
        return ListenerService(address: "here", listeners: listeners, journal: journal, serve: serve)
    }

    private func group(_ services: [any Service]) -> ServiceGroup {
        ServiceGroup(configuration: .init(services: services, logger: Self.logger))
    }

    struct Broken: Error, CustomStringConvertible {
        let description = "the socket broke"
    }

    @Test("one that cannot begin ends the start with its own error")
    func start() async throws {
        let listeners = Listeners(["here"])
        let service = listener(listeners) { _ in throw ListenError.inUse(place: "here") }
        await #expect(throws: ListenError.inUse(place: "here")) { try await group([service, Recorder {}]).run() }
        #expect(listeners.all == [ListenerState(address: "here", state: .starting)])
    }

    @Test("one that fails later is told, and everything else goes on until it is stopped")
    func later() async throws {
        let listeners = Listeners(["here"])
        let ended = Mutex(false)
        let (failures, failed) = AsyncStream<Void>.makeStream()
        let service = listener(listeners, onFailure: failed) { onListening in
            await onListening()
            throw Broken()
        }
        let services = group([service, Recorder { ended.withLock { $0 = true } }])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            for await _ in failures { break }
            #expect(listeners.complaint != nil)
            #expect(
                listeners.all == [
                    ListenerState(
                        address: "here", state: .failed, why: "it stopped taking connections (the socket broke)")
                ])
            #expect(listeners.complaint == "1 of 1 listeners have failed")
            #expect(!ended.withLock { $0 })
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(ended.withLock { $0 })
    }

    /// Makes the socket of this process that listens on a port useless, as a failure of the system would.
    private static func ruin(port: Int) -> Bool {
        for handle in Int32(3)..<1_024 {
            var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
            var (listens, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(handle, $0, &length) == 0 }
            }
            guard isNamed, address.sin_family == sa_family_t(AF_INET), Int(UInt16(bigEndian: address.sin_port)) == port,
                getsockopt(handle, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1
            else { continue }
            return shutdown(handle, Int32(SHUT_RDWR)) == 0
        }
        return false
    }

    @Test("a real socket that breaks under a listener is noticed, told, and survived")
    func broken() async throws {
        let listeners = Listeners(["here"])
        let (ports, tell) = AsyncStream.makeStream(of: Int.self)
        let (failures, failed) = AsyncStream<Void>.makeStream()
        let service = listener(listeners, onFailure: failed) { onListening in
            try await WebListener(host: "127.0.0.1", port: 0, site: MemorySite(), page: .none, logger: Self.logger) {
                port in
                await onListening()
                tell.yield(port)
            }.run()
        }
        let services = group([service, Recorder {}])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            let port = try #require(await ports.first { _ in true })
            #expect(Self.ruin(port: port))
            for await _ in failures { break }
            #expect(listeners.complaint != nil)
            #expect(listeners.all.first?.why?.hasPrefix("it stopped taking connections") == true)
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    @Test("a stop ends what records first, and a request that never ends does not hold it up for longer than its bound")
    func stop() async throws {
        let listeners = Listeners(["here"])
        let order = Order()
        let held = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let service = listener(listeners) { onListening in
            await onListening()
            // Deaf to the stop and to cancellation, as a call of the file system is.
            await withCheckedContinuation { continuation in held.withLock { $0 = continuation } }
        }
        let services = group([service, Recorder { order.note("recorder") }])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await services.run()
                order.note("all")
            }
            await listeners.areUp()
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(order.names == ["recorder", "all"])
        held.withLock { $0?.resume() }
    }

    @Test("who waits for the listeners is let go when all are up, or when it is cancelled")
    func waiting() async {
        let listeners = Listeners(["a", "b"])
        let waiter = Task { await listeners.areUp() }
        listeners.isUp("a")
        #expect(listeners.all.map(\.state) == [.listening, .starting])
        listeners.isUp("b")
        await waiter.value
        #expect(listeners.all.map(\.state) == [.listening, .listening])
        let cancelled = Task { await Listeners(["a"]).areUp() }
        cancelled.cancel()
        await cancelled.value
    }
}
