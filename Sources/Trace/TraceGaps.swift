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

        /// How many they are; numbers come from outside and may be far apart, so this saturates.
        public var count: UInt64 {
            let (count, overflow) = (missing.upperBound - missing.lowerBound).addingReportingOverflow(1)
            return overflow ? .max : count
        }

        /// The gap in words.
        public var description: String {
            let numbers =
                count == 1 ? "step \(missing.lowerBound)" : "steps \(missing.lowerBound)–\(missing.upperBound)"
            return "\(camera): \(numbers) missing in run \(run)"
        }
    }

    /// Where a step stands among those read before it.
    public enum Place: Sendable, Hashable {
        /// Nothing was read of its camera and run before. It may have any number: the reading may begin in the middle.
        case first
        /// It follows the last one.
        case next
        /// Steps before it are missing.
        case behindGap
        /// It was missing, and comes after a later one.
        case late
        /// A step of its number was read before.
        case repeated
    }

    private struct Key: Hashable, Sendable {
        let camera: String
        let run: String
    }

    /// The gaps, in the order in which they were found.
    public private(set) var all: [Gap] = []
    /// Steps that came again.
    public private(set) var repeated = 0
    /// Steps that came after a later one.
    public private(set) var late = 0
    private var read: [Key: ClosedRange<UInt64>] = [:]

    /// No steps seen.
    public init() {}

    /// Takes note of a step that was read, and says where it stands.
    @discardableResult
    public mutating func note(_ record: TraceRecord) -> Place {
        let key = Key(camera: record.camera, run: record.run)
        guard let range = read[key] else {
            read[key] = record.seq...record.seq
            return .first
        }
        if record.seq < range.lowerBound {
            read[key] = record.seq...range.upperBound
            late += 1
            return .late
        }
        let previous = range.upperBound
        guard record.seq > previous else { return fill(record) }
        read[key] = range.lowerBound...record.seq
        guard record.seq - previous > 1 else { return .next }
        all.append(Gap(camera: record.camera, run: record.run, missing: (previous + 1)...(record.seq - 1)))
        return .behindGap
    }

    /// A step between the first and the last one: it was missing, or it comes again.
    private mutating func fill(_ record: TraceRecord) -> Place {
        let index = all.lastIndex {
            $0.camera == record.camera && $0.run == record.run && $0.missing.contains(record.seq)
        }
        guard let index else {
            repeated += 1
            return .repeated
        }
        late += 1
        let gap = all[index]
        var rest: [Gap] = []
        if record.seq > gap.missing.lowerBound {
            rest.append(Gap(camera: gap.camera, run: gap.run, missing: gap.missing.lowerBound...(record.seq - 1)))
        }
        if record.seq < gap.missing.upperBound {
            rest.append(Gap(camera: gap.camera, run: gap.run, missing: (record.seq + 1)...gap.missing.upperBound))
        }
        all.replaceSubrange(index...index, with: rest)
        return .late
    }
}
