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
///
/// `@unchecked Sendable`: confined to the camera's queue, on which its machine steps and its timer fires, but for what was found,
/// which has its own lock. What a dial says on its thread is taken there.
final class ReachabilityProbe: @unchecked Sendable {
    /// What the last try found.
    struct Finding: Hashable, Sendable {
        /// By which way the camera answered; nil: by none.
        var endpoint: Endpoint?
        /// Why it did not, in the machine's words.
        var failure: LinkFailure?
        /// Since when each try has found the same.
        var since: Instant
    }

    /// How a camera is reached.
    private typealias Way = (endpoint: Endpoint, source: InputSource)

    /// A try whose dial has not ended.
    private struct Open {
        let number: UInt64
        let dial: any Dial
        let endpoint: Endpoint
        /// The ways that are left.
        let others: ArraySlice<Way>
        var found: Finding?
        var stopped: Instant?
        /// The link is wanted: what it finds is of no interest.
        var isGivenUp = false
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
    private let queue: any WorkQueue
    private let shown = Mutex<Finding?>(nil)
    private var timer: (any WakeTimer)?
    private var isWanted = false
    /// The ways to the camera, those that are tried first first.
    private var ways: [Way] = []
    private var open: Open?
    private var tries: UInt64 = 0
    /// Whether the camera could be reached when that was last told, or last streamed; nil: neither has been.
    private var wasReachable: Bool?
    /// Called on the queue when a try that was given up has ended.
    var onGivenUp: () -> Void = {}

    /// `queue` is the camera's own.
    init(camera: String, dials: OpenDials, host: any Host, journal: Journal, queue: any WorkQueue) {
        self.camera = camera
        self.dials = dials
        self.host = host
        self.journal = journal
        self.queue = queue
        timer = queue.timer { [weak self] in self?.due() }
    }

    /// What is known; nil while the link is wanted, and before the first try. From any thread.
    var finding: Finding? { shown.withLock { $0 } }

    // MARK: On the queue

    /// Looks at what the machine wants now; `sources` is how the camera is reached.
    func follow(_ machine: Camera, sources: @autoclosure () -> [Endpoint: InputSource]) {
        if machine.link.phase == .streaming { wasReachable = true }
        let wants =
            !machine.intent.enabled && !machine.intent.privacy.hard && !machine.stopped
            && machine.intent.policy.connection == .always && machine.link.phase == .off
        guard wants else {
            giveUp()
            return
        }
        let found = sources()
        ways = machine.intent.connect.endpoints.compactMap { way in found[way].map { (way, $0) } }
        guard !isWanted else { return }
        isWanted = true
        timer?.set(afterMs: Self.firstMs)
    }

    /// The link is wanted: nothing is tried any more, and a try that is under way is stopped. Whether one has not ended and will
    /// soon; `onGivenUp` follows then. One that ought to have ended is waited for no longer.
    @discardableResult
    func giveUp() -> Bool {
        if isWanted {
            isWanted = false
            timer?.set(afterMs: nil)
            shown.withLock { $0 = nil }
        }
        guard open != nil else { return false }
        let now = host.clock.now()
        open?.isGivenUp = true
        stop(at: now)
        return open?.stopped.map { now - $0 < OpenDials.hangUpMs } == true
    }

    /// The next try is due, or the one that is under way takes too long.
    func due() {
        guard isWanted else { return }
        timer?.set(afterMs: Self.everyMs)
        guard let open else { return start(ways[...]) }
        let now = host.clock.now()
        if open.stopped == nil {
            self.open?.found = Finding(failure: .timeout, since: now)
            // What became of it is noted when it has ended.
            stop(at: now)
        } else if !open.isGivenUp {
            note(Finding(failure: .stuck, since: now))
        }
    }

    /// Tries the first of some ways.
    private func start(_ ways: ArraySlice<Way>) {
        guard let way = ways.first, dials.take(camera, .main, at: host.clock.now()) == nil else { return }
        tries += 1
        let dial = host.dial(camera, way.source, to: ReachabilityTry(self, number: tries))
        open = Open(number: tries, dial: dial, endpoint: way.endpoint, others: ways.dropFirst())
        timer?.set(afterMs: Self.tryMs)
        dial.start()
    }

    /// Stops the try that is under way, if nobody has.
    private func stop(at now: Instant) {
        guard let dial = open?.dial, open?.stopped == nil else { return }
        open?.stopped = now
        dials.stopped(camera, .main, at: now)
        dial.stop()
    }

    private func dialed(_ number: UInt64) {
        guard let open, open.number == number, open.stopped == nil else { return }
        let now = host.clock.now()
        self.open?.found = Finding(endpoint: open.endpoint, since: now)
        stop(at: now)
    }

    private func ended(_ end: InputEnd, _ number: UInt64) {
        guard let over = open, over.number == number else { return }
        open = nil
        guard !over.isGivenUp else { return onGivenUp() }
        var found = over.found ?? Finding(since: host.clock.now())
        if found.endpoint == nil, case .failed(let failure, _) = end { found.failure = failure }
        if found.endpoint == nil, !over.others.isEmpty { return start(over.others) }
        timer?.set(afterMs: Self.everyMs)
        note(found)
    }

    /// Shows what was found, and tells the journal if that changes whether the camera can be reached.
    private func note(_ found: Finding) {
        shown.withLock { shown in
            let isSame = shown?.endpoint == found.endpoint && shown?.failure == found.failure
            shown = Finding(
                endpoint: found.endpoint, failure: found.failure,
                since: isSame ? shown?.since ?? found.since : found.since)
        }
        let isReachable = found.endpoint != nil
        guard wasReachable != isReachable else { return }
        wasReachable = isReachable
        if let endpoint = found.endpoint {
            journal.send(.cameraReachable, camera: camera, fields: [(.endpoint, endpoint.rawValue)])
        } else {
            journal.send(.cameraUnreachable, camera: camera, fields: [(.why, (found.failure ?? .timeout).rawValue)])
        }
    }

    // MARK: On the dial's thread

    fileprivate func hasDialed(_ number: UInt64) { queue.run { self.dialed(number) } }

    fileprivate func hasEnded(_ end: InputEnd, _ number: UInt64) {
        // The thread's last act gives the place free.
        dials.ended(camera, .main)
        queue.run { self.ended(end, number) }
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

    package func dialed(_ streams: [StreamDescription]) { probe.hasDialed(number) }
    package func frame(_ frame: Frame) {}
    package func repaired(_ report: RepairReport) {}
    package func ended(_ end: InputEnd, counts: InputCounts) { probe.hasEnded(end, number) }
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
