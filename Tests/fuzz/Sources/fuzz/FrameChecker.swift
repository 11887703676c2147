import Machines
import Synchronization

@testable import Media

/// Takes the frames of an input and holds what docs/design/input.md promises of them.
final class FrameChecker: InputSink {
    struct Seen {
        var streams: [StreamDescription] = []
        var lastDts: [Int: Int64] = [:]
        var parameters: [Int: TrackConfiguration] = [:]
        var frames = 0
        var bytes = 0
        var end: InputEnd?
    }

    private let state = Mutex(Seen())
    private let onFrame: (@Sendable (Frame, Int) -> Void)?

    init(onFrame: (@Sendable (Frame, Int) -> Void)? = nil) { self.onFrame = onFrame }

    var seen: Seen { state.withLock { $0 } }

    func dialed(_ streams: [StreamDescription]) {
        state.withLock {
            hold($0.streams.isEmpty && $0.frames == 0, "dialed comes once, and first")
            $0.streams = streams
        }
    }

    func frame(_ frame: Frame) {
        let count = state.withLock { seen in
            hold(seen.end == nil, "no frame comes after the end")
            hold(frame.dts <= frame.pts, "dts \(frame.dts) is after pts \(frame.pts)")
            if let last = seen.lastDts[frame.track] { hold(last < frame.dts, "dts \(frame.dts) follows \(last)") }
            seen.lastDts[frame.track] = frame.dts
            hold(frame.count > 0, "a frame has bytes")
            if let before = seen.parameters[frame.track], before !== frame.configuration {
                hold(before.parameters != frame.configuration.parameters, "a new configuration has other parameters")
            }
            seen.parameters[frame.track] = frame.configuration
            seen.frames += 1
            seen.bytes += frame.count
            return seen.frames
        }
        if frame.kind == .video { units(frame) }
        onFrame?(frame, count)
    }

    /// A video frame is whole NAL units, each behind its length.
    private func units(_ frame: Frame) {
        frame.withBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                hold(offset + 4 < bytes.count, "a length in front of each unit")
                let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                hold(length > 0 && offset + 4 + length <= bytes.count, "each unit is whole")
                offset += 4 + length
            }
        }
    }

    func repaired(_ report: RepairReport) {}

    func ended(_ end: InputEnd, counts: InputCounts) {
        state.withLock {
            hold($0.end == nil, "the end comes once")
            hold(counts.frames == UInt64($0.frames), "\(counts.frames) counted, \($0.frames) handed over")
            $0.end = end
        }
    }
}
