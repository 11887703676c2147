internal import Journal
internal import Machines
package import Media
internal import Synchronization

/// Tries now and then whether a camera can be reached, while its recording toggle is off and nobody wants its link ("Link" in
/// docs/design/rules.md). It decides nothing, and keeps nothing of what the camera sends.
///
/// A try is a dial of the main stream that is hung up as soon as the camera has said what it offers. It takes the place of that
/// stream's dial, so none is made while the one before lives. Where the link is wanted it is given up, and the camera dialled
/// when it has ended (H2).
final class ReachabilityProbe: Sendable {
    /// What the last try found.
    struct Finding: Hashable, Sendable {
        /// By which way the camera answered; nil: by none.
        var endpoint: Endpoint?
        /// Why it did not, in the machine's words.
        var failure: LinkFailure?
        /// Since when each try has found the same.
        var since: Instant
    }

    /// A try that is under way.
    private struct Open {
        let number: UInt64
        let dial: any Dial
        let endpoint: Endpoint
        /// The ways that are left.
        let others: ArraySlice<Way>
        var found: Finding?
    }

    /// How a camera is reached.
    private typealias Way = (endpoint: Endpoint, source: InputSource)

    private struct State {
        var isWanted = false
        /// Those that are tried first first.
        var ways: [Way] = []
        var open: Open?
        /// A try that was stopped has not ended.
        var isEnding = false
        /// What is done when it has.
        var then: (@Sendable () -> Void)?
        var tries: UInt64 = 0
        var finding: Finding?
        var timer: (any WakeTimer)?
    }

    /// How long the link is not wanted before the first try, in milliseconds.
    static let firstMs: Int64 = 10_000
    /// The time between two tries, in milliseconds.
    static let everyMs: Int64 = 300_000
    /// The longest that a try may take, in milliseconds.
    static let tryMs: Int64 = 15_000

    private let camera: String
    private let dials: OpenDials
    private let host: any Host
    private let journal: Journal
    private let state = Mutex(State())

    /// Its time is kept on `queue`.
    init(camera: String, dials: OpenDials, host: any Host, journal: Journal, queue: any WorkQueue) {
        self.camera = camera
        self.dials = dials
        self.host = host
        self.journal = journal
        state.withLock { $0.timer = queue.timer { [weak self] in self?.due() } }
    }

    /// What is known; nil while the link is wanted, and before the first try.
    var finding: Finding? { state.withLock { $0.finding } }

    /// Looks at what the machine wants now; `sources` is how the camera is reached. Never blocks.
    func follow(_ machine: Camera, sources: @autoclosure () -> [Endpoint: InputSource]) {
        let isWanted =
            !machine.intent.enabled && !machine.intent.privacy.hard && !machine.stopped
            && machine.intent.policy.connection == .always && machine.link.phase == .off
        let found = isWanted ? sources() : [:]
        let ways = isWanted ? machine.intent.connect.endpoints.compactMap { way in found[way].map { (way, $0) } } : []
        let stopped = state.withLock { state -> (any Dial)? in
            state.ways = ways
            guard isWanted != state.isWanted else { return nil }
            state.isWanted = isWanted
            state.timer?.set(afterMs: isWanted ? Self.firstMs : nil)
            guard !isWanted else { return nil }
            state.finding = nil
            return close(&state)
        }
        stopped?.stop()
    }

    /// Gives up the try that is under way. Whether there was one that has not ended: then `body` is called when it has, in place
    /// of one that was given before.
    func giveUp(then body: @escaping @Sendable () -> Void) -> Bool {
        let (hasOne, stopped) = state.withLock { state -> (Bool, (any Dial)?) in
            guard state.open != nil || state.isEnding else { return (false, nil) }
            state.then = body
            return (true, close(&state))
        }
        stopped?.stop()
        return hasOne
    }

    /// The next try is due, or the one that is under way takes too long.
    private func due() {
        let late = state.withLock { state -> (any Dial)? in
            guard state.isWanted, let open = state.open else { return nil }
            if open.found == nil { state.open?.found = Finding(failure: .timeout, since: host.clock.now()) }
            dials.stopped(camera, .main, at: host.clock.now())
            return open.dial
        }
        // What became of it is noted when it has ended.
        if let late { late.stop() } else { start(state.withLock { $0.ways[...] }) }
    }

    /// Tries the first of some ways.
    private func start(_ ways: ArraySlice<Way>) {
        let now = host.clock.now()
        let dial = state.withLock { state -> (any Dial)? in
            guard state.isWanted, state.open == nil else { return nil }
            guard let way = ways.first, !state.isEnding, dials.take(camera, .main, at: now) == nil else {
                state.timer?.set(afterMs: Self.everyMs)
                return nil
            }
            state.tries += 1
            let dial = host.dial(camera, way.source, to: ReachabilityTry(self, number: state.tries))
            state.open = Open(
                number: state.tries, dial: dial, endpoint: way.endpoint, others: ways.dropFirst())
            state.timer?.set(afterMs: Self.tryMs)
            return dial
        }
        // Not under the lock: where no thread can be had it ends at once.
        dial?.start()
    }

    /// Lets go of the try that is under way; it is to be stopped.
    private func close(_ state: inout State) -> (any Dial)? {
        guard let open = state.open else { return nil }
        state.open = nil
        state.isEnding = true
        dials.stopped(camera, .main, at: host.clock.now())
        return open.dial
    }

    fileprivate func dialed(_ number: UInt64) {
        let dial = state.withLock { state -> (any Dial)? in
            guard let open = state.open, open.number == number, open.found == nil else { return nil }
            state.open?.found = Finding(endpoint: open.endpoint, since: host.clock.now())
            dials.stopped(camera, .main, at: host.clock.now())
            return open.dial
        }
        dial?.stop()
    }

    fileprivate func ended(_ end: InputEnd, _ number: UInt64) {
        let now = host.clock.now()
        dials.ended(camera, .main)
        let then = state.withLock { state in
            defer { (state.isEnding, state.then) = (false, nil) }
            return state.then
        }
        if let then { return then() }
        let (others, changed) = state.withLock { state -> (ArraySlice<Way>, Finding?) in
            guard let open = state.open, open.number == number else { return ([], nil) }
            state.open = nil
            var found = open.found ?? Finding(since: now)
            if found.endpoint == nil, case .failed(let failure, _) = end { found.failure = failure }
            if found.endpoint == nil, !open.others.isEmpty { return (open.others, nil) }
            state.timer?.set(afterMs: Self.everyMs)
            let before = state.finding
            if let before, before.endpoint == found.endpoint, before.failure == found.failure {
                found.since = before.since
            }
            state.finding = found
            return ([], (before?.endpoint == nil) != (found.endpoint == nil) || before == nil ? found : nil)
        }
        if let changed { tell(changed) }
        if !others.isEmpty { start(others) }
    }

    private func tell(_ finding: Finding) {
        if let endpoint = finding.endpoint {
            journal.send(.cameraReachable, camera: camera, fields: [(.endpoint, endpoint.rawValue)])
        } else {
            journal.send(
                .cameraUnreachable, camera: camera, fields: [(.why, (finding.failure ?? .timeout).rawValue)])
        }
    }
}

/// What one try says, with its number.
package final class ReachabilityTry: InputSink {
    private let probe: ReachabilityProbe
    private let number: UInt64

    fileprivate init(_ probe: ReachabilityProbe, number: UInt64) {
        self.probe = probe
        self.number = number
    }

    /// Nobody hears it.
    package var wantsStoredSound: Bool { false }

    package func dialed(_ streams: [StreamDescription]) { probe.dialed(number) }
    package func frame(_ frame: Frame) {}
    package func repaired(_ report: RepairReport) {}
    package func ended(_ end: InputEnd, counts: InputCounts) { probe.ended(end, number) }
}

extension DialOrder {
    /// The ways in the order in which they are tried where none has worked yet.
    fileprivate var endpoints: [Endpoint] {
        switch self {
        case .lan: [.lan]
        case .internet: [.internet]
        case .auto, .lanFirst: [.lan, .internet]
        case .internetFirst: [.internet, .lan]
        }
    }
}
