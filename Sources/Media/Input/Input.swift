import Glibc
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
        LibavLog.silence()
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
        sink.ended(end.hiding(credential), counts: reader.counts)
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

    private var credential: CameraCredential? {
        if case .rtsp(_, let credential, _, _, _, _) = source { credential } else { nil }
    }
}

extension InputEnd {
    /// Without the login: a camera might say the password back in what it answers.
    func hiding(_ credential: CameraCredential?) -> InputEnd {
        guard case .failed(let failure, let detail) = self, let credential else { return self }
        let filter = SecretFilter(user: credential.user, password: credential.password)
        return .failed(failure, detail: filter.clean(detail))
    }
}
