internal import Journal
internal import Media
internal import Policies
internal import Server
internal import ServiceLifecycle
internal import Synchronization
internal import WebRTC

/// The viewers of WebRTC: the host that speaks to them, and who is shown which session.
final class PeerViews: Service {
    /// Who is shown a session, and by what they were let in.
    private struct Shown {
        let feed: PeerFeed
        let caller: Caller
        let login: LoginID?

        func isBy(_ end: AccountEnd) -> Bool {
            switch (end, caller) {
            case (.token(let name), .token(let own, _)): name == own
            case (.token, _): false
            case (.login(let over), _): over == login
            }
        }
    }

    private struct State {
        var host: PeerHost?
        var shown: [String: Shown] = [:]
        /// Why there is no host.
        var why = "it is off: webrtc.listen is none, or there is no HTTP"
    }

    /// Their places, so that no user takes every one.
    let places = Places(
        "this view by WebRTC", "look on by WebRTC", most: PeerLimits.peersMax, ofUserMost: PeerLimits.peersMax * 3 / 4)
    private let state = Mutex(State())
    private let settings: WebRTCSettings
    private let http: ListenAddress?
    private let journal: Journal

    /// Nothing is served until `run`. `http` is where HTTP listens.
    init(_ settings: WebRTCSettings, http: ListenAddress?, journal: Journal) {
        (self.settings, self.http, self.journal) = (settings, http, journal)
    }

    /// Where datagrams are taken; nil where they are not.
    private var listen: ListenAddress? {
        switch settings.listen {
        case .asHTTP: http
        case .at(let address): address
        case .none: nil
        }
    }

    /// Serves viewers until a stop. Where the port cannot be had that is told, and everything else goes on.
    func run() async throws {
        guard let listen else { return try await gracefulShutdown() }
        do {
            let host = try await Blocking.always { [settings] in
                // Made anew at each start; its name tells viewers nothing about this machine.
                let now = MachineClock().wallMs() / 1_000
                let own = try SelfSignedCertificate(
                    name: "webrtc", addresses: [], from: max(0, now - 86_400), to: max(0, now) + 3_650 * 86_400)
                return try PeerHost(
                    host: listen.host, port: UInt16(clamping: listen.port), certificate: own.certificate,
                    key: own.key, advertised: settings.addresses)
            }
            try host.start()
            state.withLock { $0.host = host }
        } catch {
            let why = "UDP \(listen): \(error)"
            state.withLock { $0.why = why }
            journal.send(.webrtcMissing, fields: [(.detail, why)])
        }
        try? await gracefulShutdown()
        if let host {
            host.stop()
            try await Blocking.always { host.join() }
        }
    }

    /// Speaks to viewers; nil where there is no WebRTC.
    var host: PeerHost? { state.withLock { $0.host } }

    /// Why there is no WebRTC.
    var why: String { state.withLock { $0.why } }

    /// Who is shown a session.
    func feed(of session: String) -> PeerFeed? { state.withLock { $0.shown[session]?.feed } }

    /// Ends what goes on by a token or login that is not good any more: it hangs on no connection that is closed then.
    func end(_ end: AccountEnd) {
        let over = state.withLock { state in state.shown.values.filter { $0.isBy(end) } }
        for one in over { one.feed.leave() }
    }

    /// Shows a session to its viewer until one of both ends, then calls `onEnd`.
    func begin(
        _ feed: PeerFeed, session: String, of request: LiveRequest, onEnd: @escaping @Sendable () async -> Void
    ) {
        state.withLock { $0.shown[session] = Shown(feed: feed, caller: request.caller, login: request.login) }
        Task { [self] in
            await feed.run()
            state.withLock { if $0.shown[session]?.feed === feed { $0.shown[session] = nil } }
            await onEnd()
        }
    }
}
