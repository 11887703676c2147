internal import Machines
internal import Media
internal import Synchronization

/// What a stream of a camera has sent, as it was seen: what can be told of it, and how much of it came.
final class StreamMeter: StreamConsumer {
    /// What was seen.
    struct Seen: Sendable {
        /// Frames of all tracks since the daemon began; what Vigil makes of them is not counted.
        var frames: Int64 = 0
        /// Their bytes.
        var bytes: Int64 = 0
        /// The tracks of the last dial that was answered, in their order.
        var tracks: [StreamDescription] = []
        /// How the video was coded last; nil before the first frame.
        var video: TrackConfiguration?
        /// Video frames in a second, counted over the last two; nil while nothing comes.
        var frameRate: Double?
        /// Between key frames of the video, in milliseconds: the middle one of the last distances, so that a key frame which is lost
        /// or comes early counts for nothing. nil before two have come.
        var keyFrameMs: Int64?
        /// Whether the camera sends it.
        var isOn = false
    }

    fileprivate struct State {
        var seen = Seen()
        /// Tracks that are made of others.
        var made: Set<Int> = []
        /// Arrival of the frame with which counting began, and how many came since.
        var counting: (since: Instant, frames: Int)?
        /// When the last key frame is decoded, in milliseconds on the timeline of its dial.
        var keyMs: Int64?
        /// The last distances between key frames, the newest at the end.
        var distancesMs: [Int64] = []
    }

    /// For how long video frames are counted, in milliseconds.
    static let countingMs: Int64 = 2_000
    /// How many distances between key frames are looked at.
    static let distancesMax = 9
    /// The longest distance that counts, in milliseconds; a camera's stamps may say anything.
    static let distanceMsMax: Int64 = 3_600_000

    private let state = Mutex(State())

    /// What was seen so far.
    var seen: Seen { state.withLock { $0.seen } }

    func began(_ dial: StreamDial) {
        state.withLock { state in
            state.keyMs = nil
            state.seen.tracks = dial.tracks
            state.seen.isOn = true
            state.made = Set(dial.tracks.filter { $0.madeFrom != nil }.map(\.ordinal))
            (state.counting, state.seen.frameRate) = (nil, nil)
        }
    }

    func frame(_ frame: Frame) { state.withLock { $0.take(frame) } }

    func lost() {
        state.withLock { state in
            state.seen.isOn = false
            (state.counting, state.seen.frameRate) = (nil, nil)
        }
    }
}

extension StreamMeter.State {
    fileprivate mutating func take(_ frame: Frame) {
        if let index = seen.tracks.firstIndex(where: { $0.ordinal == frame.track }),
            seen.tracks[index].parameters == nil
        {
            seen.tracks[index] = seen.tracks[index].delivered(as: frame.configuration.parameters)
        }
        guard !made.contains(frame.track) else { return }
        seen.frames &+= 1
        seen.bytes &+= Int64(frame.count)
        guard frame.kind == .video else { return }
        seen.video = frame.configuration
        if frame.isKey {
            let ms = Ticks.rescale(
                frame.dts, from: UInt32(clamping: frame.configuration.parameters.timescale), to: 1_000)
            if let keyMs, ms > keyMs {
                let distanceMs = min(ms.subtractingClamped(keyMs), StreamMeter.distanceMsMax)
                distancesMs = distancesMs.suffix(StreamMeter.distancesMax - 1) + [distanceMs]
                seen.keyFrameMs = distancesMs.sorted()[(distancesMs.count - 1) / 2]
            }
            keyMs = ms
        }
        guard let (since, frames) = counting else {
            counting = (frame.arrival, 0)
            return
        }
        let elapsed = frame.arrival - since
        guard elapsed >= StreamMeter.countingMs else {
            counting = (since, frames + 1)
            return
        }
        seen.frameRate = Double(frames + 1) * 1_000 / Double(elapsed)
        counting = (frame.arrival, 0)
    }
}
