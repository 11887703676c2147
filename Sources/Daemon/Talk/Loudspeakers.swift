internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// Which cameras have a loudspeaker that can be spoken through. A camera is asked on a connection of its own when somebody wants to
/// know; what it says is kept for a while.
final class Loudspeakers: Sendable {
    /// What is known of one.
    enum Finding: Hashable, Sendable {
        /// It takes sound, in the format of this name.
        case takes(String)
        /// It has none: why.
        case lacks(String)
        /// It could not be asked now: why.
        case unknown(String)
    }

    /// How long what a camera says is kept, and that it said nothing, in milliseconds.
    static let (keptMs, unknownMs): (Int64, Int64) = (600_000, 10_000)
    /// How many cameras are asked at a time.
    static let asksMax = 4

    private struct Known {
        let finding: Finding
        let source: InputSource
        let until: Instant
    }

    private struct State {
        var known: [String: Known] = [:]
        var asking: [String: Task<Finding, Never>] = [:]
    }

    private let state = Mutex(State())

    /// What is known of a camera's, asking it where nothing is. Whoever asks waits for `withinMs` at most; the answer is kept for the
    /// next one. A camera that is not connected is not dialled for this: it may be hidden, or refuse the login.
    func finding(of camera: CameraRuntime, clock: any Clocks, withinMs: Int64) async -> Finding {
        let phase = camera.actor.view.machine.link.phase
        guard phase == .streaming || phase == .synchronizing, let source = camera.sourceInUse else {
            return .unknown("the camera is not connected now")
        }
        let (name, now) = (camera.name, clock.now())
        let (findings, found) = AsyncStream.makeStream(of: Finding.self)
        let known: Finding? = state.withLock { state in
            if let known = state.known[name], known.source == source, known.until > now { return known.finding }
            if state.asking[name] == nil {
                guard state.asking.count < Self.asksMax else {
                    return .unknown("\(Self.asksMax) cameras are asked for their loudspeakers already")
                }
                state.asking[name] = Task { await self.ask(name, source, clock) }
            }
            if let task = state.asking[name] { Task { found.yield(await task.value) } }
            return nil
        }
        if let known { return known }
        let bound = Task {
            try? await Task.sleep(for: .milliseconds(withinMs))
            found.yield(.unknown("the camera has not answered yet"))
        }
        defer { bound.cancel() }
        var answers = findings.makeAsyncIterator()
        return await answers.next() ?? .unknown("nobody waits for the answer")
    }

    private func ask(_ name: String, _ source: InputSource, _ clock: any Clocks) async -> Finding {
        let finding = await Self.ask(name, source)
        let keptMs = if case .unknown = finding { Self.unknownMs } else { Self.keptMs }
        state.withLock { state in
            state.asking[name] = nil
            state.known[name] = Known(finding: finding, source: source, until: clock.now() + keptMs)
        }
        return finding
    }

    private static func ask(_ name: String, _ source: InputSource) async -> Finding {
        await withCheckedContinuation { continuation in
            let answer = Answer()
            BackChannel(name: name, source: source, looks: true) { event in
                switch event {
                case .ready(let format): answer.format.withLock { $0 = format }
                case .ended(let end, _):
                    let format = answer.format.withLock { $0 }
                    continuation.resume(returning: format.map { .takes($0) } ?? Finding(end))
                }
            }.start()
        }
    }

    private final class Answer: Sendable { let format = Mutex<String?>(nil) }
}

extension Loudspeakers.Finding {
    /// What it means that a camera's back channel has ended before it took sound.
    init(_ end: InputEnd) {
        switch end {
        case .stopped: self = .unknown("it was stopped")
        case .failed(.unsupported, let detail): self = .lacks(detail)
        case .failed(_, let detail): self = .unknown(detail)
        }
    }
}

extension CameraRuntime {
    /// How the camera is reached at present: by the address that its link uses.
    var sourceInUse: InputSource? {
        let sources = shell.settings.sources
        switch actor.view.machine.link.state {
        case .off, .waiting: return sources[.lan] ?? sources[.internet]
        case .dialing(_, let endpoint, _), .synchronizing(_, let endpoint, _, _, _), .streaming(_, let endpoint, _, _):
            return sources[endpoint]
        }
    }
}
