/// Gives decoding times to frames that come in decoding order but carry presentation times only, as in RTP.
///
/// With a reorder depth of d (the most frames that precede another in decoding and follow it in presentation), the
/// decoding time of frame n is the presentation time that is (n - d)th in order of size: it is known when frame n
/// comes, never later than the frame's own presentation time, and strictly increasing. Only the first d frames need a
/// guess, so they wait for a few more that show the distance. Where the depth is not known, the first frames wait
/// until it has been learnt, for at most `holdMax` frames or a second.
struct DecodeOrder<Element> {
    /// How many frames wait at the begin while the depth is unknown; the largest depth that the codecs allow.
    static var holdMax: Int { 16 }

    private let timescale: Int64
    /// The depth in force; nil while it is being learnt.
    private(set) var depth: Int?
    private var held: [(element: Element, pts: Int64)] = []
    /// Whether the first frames still wait.
    private(set) var isHolding = true
    /// Presentation times that have not been given out as decoding times, ascending.
    private var waiting: [Int64] = []
    private var lastDts: Int64 = .min

    /// An order for a track with `timescale` ticks a second; `depth` nil: to be learnt.
    init(depth: Int?, timescale: Int64) {
        self.depth = depth.map { max(0, min($0, DecodeOrder.holdMax)) }
        self.timescale = max(1, timescale)
        isHolding = self.depth != 0
    }

    /// The depth was learnt from the stream's parameters, possibly in mid-stream. A lower one than in force is ignored
    /// once frames have gone out: it costs nothing and changing back would squeeze frames.
    mutating func setDepth(_ depth: Int) {
        let depth = max(0, min(depth, DecodeOrder.holdMax))
        if isHolding {
            self.depth = depth
        } else if depth > self.depth ?? 0 {
            self.depth = depth
        }
    }

    /// Takes a frame and hands out those that are ready: element, pts, dts, and whether its times had to be squeezed.
    /// `mayWait` false: there is no room for more frames that wait.
    mutating func push(
        _ element: Element, pts: Int64, mayWait: Bool = true, emit: (Element, Int64, Int64, Bool) -> Void
    ) {
        guard isHolding else { return give(element, pts: pts, emit: emit) }
        held.append((element, pts))
        if !mayWait {
            release(emit)
        } else if let depth {
            // Two more than the depth: by then the closest neighbours have been seen in every usual structure.
            if held.count > depth + 2 { release(emit) }
        } else if held.count >= DecodeOrder.holdMax || pts - held[0].pts >= timescale {
            release(emit)
        }
    }

    /// Hands out what still waits; the stream has ended.
    mutating func flush(emit: (Element, Int64, Int64, Bool) -> Void) {
        if isHolding { release(emit) }
    }

    private mutating func release(_ emit: (Element, Int64, Int64, Bool) -> Void) {
        isHolding = false
        let frames = held
        held = []
        let depth = self.depth ?? DecodeOrder.reordering(frames.map(\.pts))
        self.depth = depth
        let sorted = frames.map(\.pts).sorted()
        guard let first = sorted.first else { return }
        // The first frames get times before the first presentation, at the distance that the stream shows.
        let step = zip(sorted.dropFirst(), sorted).map { $0.0 - $0.1 }.filter { $0 > 0 }.min() ?? timescale / 25
        waiting = (0..<depth).map { first - Int64(depth - $0) * step }
        for frame in frames { give(frame.element, pts: frame.pts, emit: emit) }
    }

    private mutating func give(_ element: Element, pts: Int64, emit: (Element, Int64, Int64, Bool) -> Void) {
        let index = waiting.firstIndex { $0 > pts } ?? waiting.count
        waiting.insert(pts, at: index)
        var dts = waiting[0]
        if waiting.count > depth ?? 0 {
            waiting.removeFirst()
        } else if dts > lastDts {
            // The depth has grown: this frame's decoding time goes between the last one and the next in order.
            dts = lastDts + max(1, (dts - lastDts) / 2)
        }
        var isSqueezed = false
        var pts = pts
        if dts <= lastDts {
            dts = lastDts + 1
            if pts < dts {
                // The stream reorders deeper than it said; from now on one more frame is waited for.
                isSqueezed = true
                pts = dts
                if let depth, depth < DecodeOrder.holdMax { self.depth = depth + 1 }
            }
        }
        lastDts = dts
        emit(element, pts, dts, isSqueezed)
    }

    /// The depth that a run of presentation times in decoding order shows.
    static func reordering(_ times: [Int64]) -> Int {
        times.indices.map { index in times[..<index].count { $0 > times[index] } }.max() ?? 0
    }
}
