internal import Catalog
internal import Ingest
internal import Journal
internal import Machines
internal import Policies
internal import Server
internal import ServiceLifecycle
internal import Synchronization

/// The pushers of all transports that have an address, by the ids of their transports. Those of transports that are gone stay until
/// what waits is put.
final class TransportPushers: Sendable {
    private struct State {
        var taps: [String: Tap] = [:]
        var pushers: [Int64: TransportPusher] = [:]
        var closing: [TransportPusher] = []
        var endpoints: [Int: Configuration.TLSEndpoint] = [:]
        var isOver = false

        /// Shares out what may wait.
        func share() {
            let all = Array(pushers.values) + closing
            let each = max(TransportPushers.bytesMax / max(1, all.count), TransportPushers.bytesLeast)
            for pusher in all { pusher.bound(bytes: each) }
        }

        /// What waits is put, and then nothing more. Where too many do so, the oldest puts no media any more.
        mutating func close(_ pusher: TransportPusher) {
            pusher.close()
            closing.append(pusher)
            for oldest in closing.dropLast(TransportPushers.closingMax) { oldest.forbid(.modified) }
        }
    }

    /// That of a camera, which keeps it for as long as there is the camera.
    private struct Tap { weak var tap: RingTap? }

    /// The most that waits for all of them together, in bytes; each may have so much at least.
    static let (bytesMax, bytesLeast) = (128 << 20, 1 << 20)
    /// How many put what waits of an address or a transport that is gone.
    static let closingMax = 16
    /// How long what waits may still be put while the daemon stops, in milliseconds.
    private static let stopMs: Int64 = 5_000

    private let catalog: Catalog
    private let host: any Host
    private let journal: Journal
    private let state = Mutex(State())

    init(catalog: Catalog, host: any Host, journal: Journal) {
        (self.catalog, self.host, self.journal) = (catalog, host, journal)
    }

    /// The numbers of the TLS endpoints that there are; 0 is there always.
    var endpoints: [Int] { [0] + state.withLock { $0.endpoints.keys.sorted() } }

    /// Another configuration is in force; sessions that begin to be put follow it.
    func change(_ configuration: Configuration) { state.withLock { $0.endpoints = configuration.tlsEndpoints } }

    /// Where the frames of a camera come from.
    func tap(_ tap: RingTap, of camera: String) { state.withLock { $0.taps[camera] = Tap(tap: tap) } }

    /// A transport records from `instant` on.
    func begin(_ kept: KeptTransport, at instant: Instant, preRollMs: Int64) {
        guard let settings = TransportText.options(kept.options).flatMap(TransportPusher.Settings.init) else {
            return close(kept.id)
        }
        let pusher = state.withLock { state -> TransportPusher? in
            guard !state.isOver, let tap = state.taps[kept.camera]?.tap else { return nil }
            if let pusher = state.pushers[kept.id] {
                // A camera that was set up anew has another ring.
                if pusher.settings == settings, pusher.tap === tap { return pusher }
                state.close(pusher)
            }
            let made = TransportPusher(
                settings, kept, tap: tap, catalog: catalog, host: host, journal: journal,
                sender: { [weak self] in
                    await self?.sender($0) ?? .failure(IngestFailure(.later, "the daemon stops"))
                }, onOver: { [weak self] in self?.over($0) })
            state.pushers[kept.id] = made
            state.share()
            return made
        }
        pusher?.begin(at: instant, preRollMs: preRollMs)
    }

    /// A transport that records has other options: where they say otherwise how it is pushed, another session begins.
    func change(_ kept: KeptTransport, at now: Instant) {
        let settings = TransportText.options(kept.options).flatMap(TransportPusher.Settings.init)
        guard state.withLock({ $0.pushers[kept.id]?.settings }) != settings else { return }
        end(kept.id, .modified, at: now)
        begin(kept, at: now, preRollMs: 0)
    }

    /// A transport records no longer.
    func end(_ id: Int64, _ why: PushTransport.Why, at instant: Instant) {
        state.withLock { $0.pushers[id] }?.end(why, at: instant)
    }

    /// What forbids a transport to record forbids what waits of it, and what goes on to an address that it had before.
    func forbid(_ id: Int64, _ why: PushTransport.Why) {
        let all = state.withLock { state in
            state.closing.filter { $0.transport == id } + (state.pushers[id].map { [$0] } ?? [])
        }
        for pusher in all { pusher.forbid(why) }
    }

    /// What forbids a camera to record forbids what waits of all its transports. Called in the camera's step; it does not block.
    func forbid(camera: String, _ why: PushTransport.Why) {
        let all = state.withLock { state in
            (Array(state.pushers.values) + state.closing).filter { $0.camera == camera }
        }
        for pusher in all { pusher.forbid(why) }
    }

    /// A transport is gone, or its camera.
    func close(_ id: Int64) {
        state.withLock { state in
            if let pusher = state.pushers.removeValue(forKey: id) { state.close(pusher) }
        }
    }

    /// All that waited of one that was closed is put.
    private func over(_ pusher: TransportPusher) {
        state.withLock { state in
            state.closing.removeAll { $0 === pusher }
            state.share()
        }
    }

    /// How the push of a transport stands; nil where nothing has been pushed of it yet.
    func state(of id: Int64) -> IngestPusher.State? { state.withLock { $0.pushers[id] }?.state }

    private func sender(_ endpoint: Int) async -> Result<any IngestSender, IngestFailure> {
        let found = state.withLock { $0.endpoints[endpoint] }
        guard endpoint == 0 || found != nil else {
            return .failure(IngestFailure(.refused, "vigil.yaml has no TLS endpoint \(endpoint)"))
        }
        return await host.ingest(
            IngestTLS(
                authorityFile: found?.authorityFile, certificateFile: found?.certificateFile, keyFile: found?.keyFile))
    }
}

extension TransportPushers: Service {
    /// Waits for the end; what waits then has a few seconds to be put.
    func run() async throws {
        try? await gracefulShutdown()
        let all = state.withLock { state in
            state.isOver = true
            return Array(state.pushers.values) + state.closing
        }
        let until = host.clock.now() + Self.stopMs
        while host.clock.now() < until, all.contains(where: { $0.state.session != nil }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
        for pusher in all { pusher.stop() }
    }
}
