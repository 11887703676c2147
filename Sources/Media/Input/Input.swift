import Glibc
import Hashing
import Machines
import Synchronization

/// One dial of one source: a thread of its own that reads, makes frames, and ends.
///
/// `start()` once; `stop()` at any time and from any thread, without waiting. Everything that the source gives, and the
/// end, goes to the sink on the input's thread. For the next dial make a new input.
public final class Input: Sendable {
    private let name: String
    private let source: InputSource
    private let limits: InputLimits
    private let pool: SlabPool
    private let sink: any InputSink
    private let stopSignal = StopSignal()
    private let isStarted = Atomic<Bool>(false)

    /// An input named after its camera. It keeps `sink` alive until its end.
    public init(
        name: String, source: InputSource, limits: InputLimits = InputLimits(), pool: SlabPool, sink: any InputSink
    ) {
        self.name = name
        self.source = source
        self.limits = limits
        self.pool = pool
        self.sink = sink
    }

    /// Starts the thread. A second call does nothing. Where no thread can be had, `ended` with `resources` comes at once
    /// and on the calling thread.
    public func start() {
        guard !isStarted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let code = BlockingThread.start(named: "in:\(name)", stackBytes: limits.stackBytes) { self.run() }
        guard code != 0 else { return }
        let reason = String(cString: strerror(code))
        sink.ended(.failed(.resources, detail: "cannot start a thread: \(reason)"), counts: InputCounts())
    }

    /// Asks the thread to end; returns at once. Idempotent. Before `start()` it makes the thread end as soon as it starts.
    public func stop() { stopSignal.raise() }

    private func run() {
        LibavProcess.prepare()
        let reader = makeReader()
        let fault: InputFault
        do throws(InputFault) {
            if stopSignal.isRaised { throw .stopped }
            try reader.run()
        } catch {
            fault = error
        }
        reader.finish()
        let end: InputEnd = stopSignal.isRaised ? .stopped : fault.end
        sink.ended(end.hiding(SecretFilter(source)), counts: reader.counts)
    }

    private func makeReader() -> any InputReader {
        switch source {
        case .rtsp(let address, let credential, let transport, let tls, let g726, let habits):
            RTSPReader(
                address: address, credential: credential, transport: transport, tls: tls, g726: g726,
                habits: habits, sink: sink, pool: pool, limits: limits, stop: stopSignal)
        case .file(let path, let looped):
            FileReader(path: path, looped: looped, sink: sink, pool: pool, limits: limits, stop: stopSignal)
        case .demo(let options):
            DemoReader(options: options, sink: sink, pool: pool, limits: limits, stop: stopSignal)
        case .push(let point):
            PushReader(point: point, sink: sink, pool: pool, limits: limits, stop: stopSignal)
        }
    }
}

extension InputEnd {
    /// The most that is told of a failure, in characters.
    private static let detailMax = 300

    /// Without secrets: a camera might say back what it was asked with.
    func hiding(_ filter: SecretFilter) -> InputEnd {
        guard case .failed(let failure, let detail) = self else { return self }
        return .failed(failure, detail: String(filter.clean(detail).prefix(Self.detailMax)))
    }
}
