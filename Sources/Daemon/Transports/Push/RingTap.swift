internal import Machines
internal import Media
internal import Synchronization

/// Hands the frames of a camera's ring to those who push them. The input's thread says that a frame was stored, and is not held up: it
/// copies no media. Who was handed a frame holds it, whatever the ring does.
final class RingTap: Sendable {
    /// A frame, and which stretch without a hole it belongs to.
    struct Taken: Sendable {
        let frame: Frame
        let stretch: UInt64
    }

    private struct Reader {
        let trigger: Instant
        let preRollMs: Int64
        let kinds: Set<TrackKind>
        let wake: [@Sendable () -> Void]
        /// Where it reads in the ring; nil until there is a frame to begin with.
        var cursor: (position: UInt64, dial: UInt64)?
        /// Frames before this position are not for it.
        var notBefore: UInt64
        var stretch: UInt64 = 0
        var taken: [Taken] = []
        var bytes = 0
        var wokenAt: Instant?
    }

    private struct State {
        var readers: [Int: Reader] = [:]
        var next = 0
        var isLost = true
    }

    /// The most frames and bytes of memory that wait for a reader that is not woken; beyond it they are given up.
    private static let (framesMax, bytesMax) = (8_000, 16 << 20)
    /// How often a reader is woken between key frames, in milliseconds.
    private static let wakeMs: Int64 = 250

    let ring: PacketRing
    let sound: RecordedSound
    private let state = Mutex(State())

    init(ring: PacketRing, sound: RecordedSound) { (self.ring, self.sound) = (ring, sound) }

    /// Whether the camera sends nothing: its dial is over.
    var isLost: Bool { state.withLock { $0.isLost } }

    func began() { state.withLock { $0.isLost = false } }
    func lost() { state.withLock { $0.isLost = true } }

    /// Frames from the key frame on that `trigger` and pre-roll ask for, at or behind the position `notBefore`. `wake` is called when
    /// some have come; it must not block. Gives a number for the others.
    func open(
        _ trigger: Instant, preRollMs: Int64, notBefore: UInt64, kinds: Set<TrackKind>,
        wake: @escaping @Sendable () -> Void
    ) -> Int {
        state.withLock { state in
            state.next += 1
            state.readers[state.next] = Reader(
                trigger: trigger, preRollMs: preRollMs, kinds: kinds, wake: [wake], notBefore: notBefore)
            pull(&state.readers[state.next])
            return state.next
        }
    }

    /// What has come since it was asked for last.
    func take(_ number: Int) -> [Taken] {
        state.withLock { state in
            defer {
                state.readers[number]?.taken = []
                state.readers[number]?.bytes = 0
            }
            return state.readers[number]?.taken ?? []
        }
    }

    /// Nothing more. Gives the position of the next frame.
    func close(_ number: Int) -> UInt64 {
        state.withLock { state in
            let reader = state.readers.removeValue(forKey: number)
            return reader.map { $0.cursor?.position ?? $0.notBefore } ?? 0
        }
    }

    /// A frame was stored. Called by the input's thread.
    func arrived(_ frame: Frame) {
        let wakes = state.withLock { state -> [@Sendable () -> Void] in
            guard !state.readers.isEmpty else { return [] }
            var wakes: [@Sendable () -> Void] = []
            for number in state.readers.keys {
                pull(&state.readers[number])
                guard let reader = state.readers[number], !reader.taken.isEmpty else { continue }
                let isDue = reader.wokenAt.map { frame.arrival - $0 >= Self.wakeMs } ?? true
                guard isDue || frame.kind == .video && frame.opensClip else { continue }
                state.readers[number]?.wokenAt = frame.arrival
                wakes += reader.wake
            }
            return wakes
        }
        for wake in wakes { wake() }
    }

    /// Takes what the ring has for a reader.
    private func pull(_ reader: inout Reader?) {
        guard var found = reader else { return }
        defer { reader = found }
        while true {
            guard let (position, dial) = found.cursor else {
                let start =
                    found.stretch == 0
                    ? ring.start(trigger: found.trigger, preRollMs: found.preRollMs, notBefore: found.notBefore)
                    : ring.start(wanted: Instant(ms: .min), notBefore: found.notBefore)
                guard let start else { return }
                found.cursor = (start.position, start.dial)
                found.stretch += 1
                continue
            }
            switch ring.frames(from: position, dial: dial, limit: 512) {
            case .frames(let frames, let next):
                guard !frames.isEmpty else { return }
                for (offset, frame) in frames.enumerated() where found.kinds.contains(frame.kind) {
                    // Sound is taken as it is recorded.
                    if frame.kind == .audio, !sound.includes(position &+ UInt64(offset)) { continue }
                    found.taken.append(Taken(frame: frame, stretch: found.stretch))
                    found.bytes += frame.cost
                }
                found.cursor = (next, dial)
                if found.taken.count > Self.framesMax || found.bytes > Self.bytesMax {
                    (found.taken, found.bytes, found.cursor, found.notBefore) = ([], 0, nil, next)
                }
            case .overrun(let oldest): (found.cursor, found.notBefore) = (nil, oldest)
            case .dialEnded(let next): (found.cursor, found.notBefore) = (nil, next)
            }
        }
    }
}
