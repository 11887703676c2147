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
        /// One, in an array: a closure that a mutex holds by itself is wrapped anew with each change.
        let wake: [@Sendable () -> Void]
        /// Where it reads in the ring; nil until there is a frame to begin with.
        var cursor: (position: UInt64, dial: UInt64)?
        /// Frames before this position are not for it.
        var notBefore: UInt64
        var stretch: UInt64 = 0
        var taken: [Taken] = []
        var bytes = 0
        var wokenAt: Instant?
        /// It was woken, and has not taken anything since: once is enough.
        var isWoken = false

        var isFull: Bool { taken.count >= RingTap.framesMax || bytes >= RingTap.bytesMax }

        /// Whether it is to be woken with `frame`, which then counts as done.
        mutating func wakes(at frame: Frame) -> Bool {
            guard !taken.isEmpty, !isWoken else { return false }
            let isDue = wokenAt.map { frame.arrival - $0 >= RingTap.wakeMs } ?? true
            guard isDue || frame.kind == .video && frame.opensClip else { return false }
            (wokenAt, isWoken) = (frame.arrival, true)
            return true
        }
    }

    private struct State {
        var readers: [Int: Reader] = [:]
        var next = 0
        var isLost = true
    }

    /// The most frames and bytes of memory that a reader holds beyond the ring until it takes them; what follows waits in the ring.
    static let (framesMax, bytesMax) = (2_000, 16 << 20)
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
            var reader = Reader(
                trigger: trigger, preRollMs: preRollMs, kinds: kinds, wake: [wake], notBefore: notBefore)
            pull(&reader)
            state.readers[state.next] = reader
            return state.next
        }
    }

    /// What has come since it was asked for last, of more than is held at once a part: until it gives nothing.
    func take(_ number: Int) -> [Taken] {
        state.withLock { state in
            guard let index = state.readers.index(forKey: number) else { return [] }
            pull(&state.readers.values[index])
            let taken = state.readers.values[index].taken
            (state.readers.values[index].taken, state.readers.values[index].bytes) = ([], 0)
            state.readers.values[index].isWoken = false
            return taken
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
            // Not by `indices`, which hold the dictionary, so that the first change would copy it with all that waits.
            var index = state.readers.values.startIndex
            while index != state.readers.values.endIndex {
                pull(&state.readers.values[index])
                if state.readers.values[index].wakes(at: frame) { wakes += state.readers.values[index].wake }
                state.readers.values.formIndex(after: &index)
            }
            return wakes
        }
        for wake in wakes { wake() }
    }

    /// Takes what the ring has for a reader, as long as there is room. In place: a copy of it would copy what waits.
    private func pull(_ reader: inout Reader) {
        while !reader.isFull {
            guard let (position, dial) = reader.cursor else {
                let start =
                    reader.stretch == 0
                    ? ring.start(trigger: reader.trigger, preRollMs: reader.preRollMs, notBefore: reader.notBefore)
                    : ring.start(wanted: Instant(ms: .min), notBefore: reader.notBefore)
                guard let start else { return }
                reader.cursor = (start.position, start.dial)
                reader.stretch += 1
                continue
            }
            switch ring.frames(from: position, dial: dial, limit: 64) {
            case .frames(let frames, let next):
                guard !frames.isEmpty else { return }
                for (offset, frame) in frames.enumerated() where reader.kinds.contains(frame.kind) {
                    // Sound is taken as it is recorded.
                    let isSound = frame.kind == .audio
                    if isSound, !sound.includes(position &+ UInt64(offset), cameAt: frame.arrival) { continue }
                    reader.taken.append(Taken(frame: frame, stretch: reader.stretch))
                    reader.bytes += frame.cost
                }
                reader.cursor = (next, dial)
            case .overrun(let oldest): (reader.cursor, reader.notBefore) = (nil, oldest)
            case .dialEnded(let next): (reader.cursor, reader.notBefore) = (nil, next)
            }
        }
    }
}
