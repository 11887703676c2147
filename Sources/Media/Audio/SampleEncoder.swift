/// Encodes samples in frames of one length. Used by one thread.
///
/// Its output is exact: frame n begins n frames after the anchor, less the encoder's priming, however long it runs. A small hole in
/// the input is filled with silence; a larger one ends the run with silence up to a whole frame and begins a new anchor, so that it
/// stays a hole in time.
final class SampleEncoder {
    /// Holes up to this many milliseconds are filled, and so much overlap is borne.
    static let fillMs: Int64 = 100

    private let codec: LibavCodec
    private let channels: Int
    /// Of a frame, per channel.
    private let frameSamples: Int
    /// What is filled at most, and what is taken for none, in samples.
    private let fill: Int64
    private let slack: Int64
    /// Samples that wait for a whole frame, interleaved.
    private var waiting: [Int16] = []
    /// Time of the first waiting sample.
    private var waitingPts: Int64?

    /// `slackMs`: holes of up to so many milliseconds are none, where times are rounded or samples come a little late.
    init(_ codec: LibavCodec, sampleRate: Int, channels: Int, frameSamples: Int, slackMs: Int64 = 0) {
        (self.codec, self.channels, self.frameSamples) = (codec, channels, frameSamples)
        fill = Int64(sampleRate) * Self.fillMs / 1000
        slack = Int64(sampleRate) * slackMs / 1000
    }

    /// Encodes interleaved samples of which the first is at `pts`. `emit`: a frame, its time, its duration. False where the encoder
    /// has refused some.
    @discardableResult
    func encode(
        _ samples: ArraySlice<Int16>, pts: Int64, emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void
    ) -> Bool {
        var samples = samples
        var isTaken = true
        if let waitingPts {
            let next = waitingPts &+ Int64(waiting.count / channels)
            let hole = pts &- next
            if hole > fill {
                pad()
                isTaken = send(emit)
                self.waitingPts = pts
            } else if hole > slack {
                waiting.append(contentsOf: repeatElement(0, count: Int(hole) * channels))
            } else if hole < -fill {
                // The camera sends more sound than time passes; what is over is cut, or it would lag ever more.
                samples = samples.dropFirst(min(samples.count / channels, Int(clamping: hole.magnitude)) * channels)
            }
        } else {
            waitingPts = pts
        }
        waiting.append(contentsOf: samples)
        return send(emit) && isTaken
    }

    /// Encodes what waits, and hands out what the encoder still holds.
    func finish(emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void) {
        pad()
        _ = send(emit)
        codec.finishEncoding()
        receive(emit)
    }

    private func pad() {
        let rest = waiting.count % (frameSamples * channels)
        if rest > 0 { waiting.append(contentsOf: repeatElement(0, count: frameSamples * channels - rest)) }
    }

    /// Encodes the whole frames that wait; false where the encoder has refused one.
    private func send(_ emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void) -> Bool {
        let size = frameSamples * channels
        var (begin, isTaken) = (0, true)
        while waiting.count - begin >= size, let pts = waitingPts {
            if !codec.encode(waiting[begin..<begin + size], channels: channels, pts: pts) { isTaken = false }
            waitingPts = pts &+ Int64(frameSamples)
            begin += size
            receive(emit)
        }
        waiting.removeFirst(begin)
        return isTaken
    }

    private func receive(_ emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void) {
        codec.receive { bytes, pts in emit(bytes, pts, Int64(frameSamples)) }
    }
}
