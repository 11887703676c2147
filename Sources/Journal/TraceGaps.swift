/// Finds the steps that are missing in a trace: the numbers of each camera and run rise by one.
public struct TraceGaps: Sendable, Hashable {
    /// Steps that are missing between two that were read.
    public struct Gap: Sendable, Hashable, CustomStringConvertible {
        /// The camera.
        public let camera: String
        /// The run of the daemon.
        public let run: String
        /// The missing numbers.
        public let missing: ClosedRange<UInt64>

        /// The gap in words.
        public var description: String {
            let numbers =
                missing.count == 1 ? "step \(missing.lowerBound)" : "steps \(missing.lowerBound)–\(missing.upperBound)"
            return "\(camera): \(numbers) missing in run \(run)"
        }
    }

    private struct Key: Hashable, Sendable {
        let camera: String
        let run: String
    }

    /// The gaps, in the order in which they were found.
    public private(set) var all: [Gap] = []
    /// Steps that came again, or after a later one.
    public private(set) var repeated = 0
    private var last: [Key: UInt64] = [:]

    /// No steps seen.
    public init() {}

    /// Takes note of a step that was read. The first one of a run may have any number: the reading may begin in the middle.
    public mutating func note(_ record: TraceRecord) {
        let key = Key(camera: record.camera, run: record.run)
        guard let previous = last[key] else {
            last[key] = record.seq
            return
        }
        guard record.seq > previous else {
            repeated += 1
            return
        }
        if record.seq - previous > 1 {
            all.append(Gap(camera: record.camera, run: record.run, missing: (previous + 1)...(record.seq - 1)))
        }
        last[key] = record.seq
    }
}
