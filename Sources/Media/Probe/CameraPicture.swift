public import Machines
import Synchronization

/// One picture of a camera that is not recorded yet: dialled as the daemon dials it, until its first key frame has come.
public enum CameraPicture {
    /// What came in place of a picture.
    public enum Failure: Error, Hashable, Sendable {
        /// The camera could not be dialled, or was lost before a key frame came. The detail holds no credential.
        case link(LinkFailure, detail: String)
        /// No key frame came in time.
        case late
    }

    /// The first key frame that `source` sends within `ms` milliseconds.
    public static func keyFrame(_ source: InputSource, withinMs ms: Int64) async throws(Failure) -> Frame {
        let (happened, tell) = AsyncStream.makeStream(of: Void.self)
        let sink = PictureSink(tell)
        let input = Input(name: "picture", source: source, pool: SlabPool(), sink: sink)
        input.start()
        let timer = Task {
            try? await Task.sleep(for: .milliseconds(ms))
            input.stop()
        }
        // A frame stops the input, whose end ends the stream: its thread and connection are gone when this returns.
        await withTaskCancellationHandler {
            for await _ in happened { input.stop() }
        } onCancel: {
            input.stop()
        }
        timer.cancel()
        let (frame, end) = sink.outcome
        if let frame { return frame }
        if case .failed(let failure, let detail)? = end { throw .link(failure, detail: detail) }
        throw .late
    }
}

/// Keeps the first key frame.
private final class PictureSink: InputSink {
    private let tell: AsyncStream<Void>.Continuation
    private let state = Mutex<(frame: Frame?, end: InputEnd?)>((nil, nil))

    init(_ tell: AsyncStream<Void>.Continuation) { self.tell = tell }

    var outcome: (frame: Frame?, end: InputEnd?) { state.withLock { $0 } }

    /// Nobody hears it.
    var wantsStoredSound: Bool { false }

    func dialed(_ streams: [StreamDescription]) {}

    func frame(_ frame: Frame) {
        guard frame.kind == .video, frame.opensClip else { return }
        let isFirst = state.withLock { state in
            defer { if state.frame == nil { state.frame = frame } }
            return state.frame == nil
        }
        if isFirst { tell.yield() }
    }

    func repaired(_ report: RepairReport) {}

    func ended(_ end: InputEnd, counts: InputCounts) {
        state.withLock { $0.end = end }
        tell.finish()
    }
}
