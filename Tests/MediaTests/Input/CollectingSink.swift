import Foundation
import Machines
import Synchronization

@testable import Media

/// Keeps everything that an input says, and lets a test wait for facts with a deadline.
final class CollectingSink: InputSink {
    struct Seen {
        var streams: [StreamDescription] = []
        var dialedCount = 0
        var facts: DialFacts?
        var frames: [Frame] = []
        var repairs: [RepairReport] = []
        var damages: [DamageReport] = []
        var refusals: [String] = []
        var levels: [Sensitivity] = []
        var ends: [InputEnd] = []
        var counts = InputCounts()
        var framesAfterEnd = 0
    }

    private let state = Mutex(Seen())
    private let changed = DispatchSemaphore(value: 0)

    let rotation: PictureRotation
    let wantsPromptFrames: Bool

    init(rotation: PictureRotation = .none, wantsPromptFrames: Bool = true) {
        (self.rotation, self.wantsPromptFrames) = (rotation, wantsPromptFrames)
    }

    var seen: Seen { state.withLock { $0 } }

    func noted(_ facts: DialFacts) { note { $0.facts = facts } }

    func dialed(_ streams: [StreamDescription]) {
        note {
            $0.streams = streams
            $0.dialedCount += 1
        }
    }

    func frame(_ frame: Frame) {
        note {
            $0.frames.append(frame)
            if !$0.ends.isEmpty { $0.framesAfterEnd += 1 }
        }
    }

    func repaired(_ report: RepairReport) { note { $0.repairs.append(report) } }

    func damaged(_ report: DamageReport) { note { $0.damages.append(report) } }
    func refused(track: Int, why: String) { note { $0.refusals.append(why) } }

    func moved(level: Sensitivity, at instant: Instant) { note { $0.levels.append(level) } }

    func ended(_ end: InputEnd, counts: InputCounts) {
        note {
            $0.ends.append(end)
            $0.counts = counts
        }
    }

    private func note(_ change: (inout Seen) -> Void) {
        state.withLock { change(&$0) }
        changed.signal()
    }

    /// Waits until `isTrue` holds; false when it does not within `seconds`.
    func wait(seconds: Double = 120, until isTrue: (Seen) -> Bool) -> Bool {
        let deadline = DispatchTime.now() + seconds
        while !isTrue(seen) { if changed.wait(timeout: deadline) == .timedOut { return isTrue(seen) } }
        return true
    }

    /// The video frames as a byte stream, with parameter sets wherever they change.
    func byteStream() -> Data {
        var data = Data()
        var last: TrackConfiguration?
        for frame in seen.frames where frame.kind == .video {
            let isNew = last !== frame.configuration
            last = frame.configuration
            let sets = isNew ? frame.configuration.parameters.parameterSets : []
            for unit in sets + CollectingSink.units(frame) { data.append(contentsOf: [0, 0, 0, 1] + unit) }
        }
        return data
    }

    /// One number for the bytes of each frame, equal for equal frames within a process: short enough to be reported.
    static func digests(_ frames: some Sequence<Frame>) -> [Int] {
        frames.map { frame in frame.withBytes { bytes in bytes.reduce(into: Hasher()) { $0.combine($1) }.finalize() } }
    }

    /// The NAL units of a video frame.
    static func units(_ frame: Frame) -> [[UInt8]] { frame.withBytes(units) }

    /// The NAL units of an access unit.
    static func units(_ unit: AssembledUnit) -> [[UInt8]] {
        units(UnsafeRawBufferPointer(start: unit.range.slab.base + unit.range.offset, count: unit.range.count))
    }

    private static func units(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var index = 0
        while index + 4 <= bytes.count {
            let length = Int(bytes.word32(index))
            units.append([UInt8](bytes.part(index + 4..<index + 4 + length)))
            index += 4 + length
        }
        return units
    }
}
