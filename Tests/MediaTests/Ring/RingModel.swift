import Machines
import Testing

@testable import Media

/// The ring as a plain list, obviously right and slow: what `PacketRing` is compared with.
struct RingModel {
    struct Item {
        let frame: Frame
        let dial: UInt64
        let opens: Bool
        let position: UInt64
    }

    let bounds: PacketRing.Bounds
    var items: [Item] = []
    var next: UInt64 = 0
    var dial: UInt64 = 0
    var hasVideo = true
    var isKeeping = true
    var keptSince = Instant(ms: .min)
    /// What lies before this position is in a clip.
    var written: UInt64 = 0
    /// Arrival of the first frame of the dial.
    var dialSince: Instant?
    var hasStart: Bool { dialSince != nil }

    init(bounds: PacketRing.Bounds) { self.bounds = bounds }

    var bytes: Int { items.reduce(0) { $0 + $1.frame.cost } }

    mutating func beginDial(hasVideo: Bool) {
        dial += 1
        self.hasVideo = hasVideo
        dialSince = nil
    }

    mutating func keep(_ wanted: Bool, at now: Instant) {
        guard wanted != isKeeping else { return }
        isKeeping = wanted
        items = []
        guard wanted else { return }
        keptSince = now
        dial += 1
        dialSince = nil
    }

    /// True when the frame is stored.
    mutating func push(_ frame: Frame) -> Bool {
        let opens = !hasVideo || (frame.kind == .video && frame.opensClip)
        guard isKeeping, frame.arrival > keptSince, opens || hasStart else { return false }
        dialSince = dialSince ?? frame.arrival
        let isNew = dialSince.map { $0 + 2_000 > frame.arrival } ?? false
        items.append(Item(frame: frame, dial: dial, opens: opens, position: next))
        next += 1
        while let index = items.dropFirst().firstIndex(where: \.opens),
            bytes > bounds.bytes || !isNew && isOld(items[index], at: frame.arrival)
        {
            items.removeFirst(index)
        }
        if bytes > bounds.bytes {
            while bytes > bounds.bytes, items.count > 1 { items.removeFirst() }
            // What is left of a group without its begin is no start.
            if let first = items.first, first.opens {
                items[0] = Item(frame: first.frame, dial: first.dial, opens: false, position: first.position)
            }
        }
        return true
    }

    /// Whether what lies before `next` has been kept for long enough.
    private func isOld(_ next: Item, at now: Instant) -> Bool {
        next.frame.arrival <= now + -(next.position <= written ? bounds.writtenMs : bounds.ms)
    }

    func start(wanted: Instant, notBefore: UInt64?) -> (position: UInt64, isLate: Bool)? {
        let starts = items.filter { $0.opens && $0.dial == dial && $0.position >= notBefore ?? 0 }
        if let best = starts.last(where: { $0.frame.arrival <= wanted }),
            let first = starts.first(where: { $0.frame.arrival == best.frame.arrival })
        {
            return (first.position, false)
        }
        return starts.first.map { ($0.position, true) }
    }
}

/// Frames without a camera.
struct FrameMaker {
    let pool = SlabPool(slabBytes: 16 << 10, idleMax: 2)
    private var writer: SlabWriter
    private let configuration = TrackConfiguration(
        id: 0, parameters: TrackParameters(kind: .video, codec: .h264, timescale: 90_000))

    init() { writer = SlabWriter(pool: pool, frameBytesMax: 1 << 20) }

    mutating func frame(
        _ kind: TrackKind = .video, isKey: Bool, isRecoveryPoint: Bool = false, arrivalMs: Int64, bytes: Int = 100,
        fill: UInt8 = 0
    ) throws -> Frame {
        let content = [UInt8](repeating: fill, count: bytes)
        let isWritten = content.withUnsafeBytes { writer.append($0) }
        let finished = isWritten ? writer.finish() : nil
        let range = try #require(finished)
        return Frame(
            track: kind == .video ? 0 : 1, kind: kind, dts: arrivalMs * 90, pts: arrivalMs * 90, durationTicks: nil,
            isKey: isKey, isRecoveryPoint: isRecoveryPoint, isDamaged: false, arrival: Instant(ms: arrivalMs),
            wallClockMs: nil,
            configuration: configuration, storage: range.slab, offset: range.offset, count: range.count,
            slack: range.slack)
    }
}
