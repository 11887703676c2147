public import Machines

/// A value that holds from one moment to the next at which it changes.
public struct ValueOverTime<Value: Sendable & Equatable>: Sendable {
    /// From when on a value holds.
    public struct Turn: Sendable {
        /// From when on.
        public let at: Instant
        /// The value.
        public let value: Value
    }

    /// The turns in the order of time; neighbours differ.
    private(set) var turns: [Turn]

    /// A value over time that begins with `value` at `at`; it had the same value before.
    public init(_ value: Value, at: Instant) { turns = [Turn(at: at, value: value)] }

    /// The value from now on; `at` is not before the last turn.
    public mutating func note(_ value: Value, at: Instant) {
        guard turns.last?.value != value else { return }
        turns.append(Turn(at: at, value: value))
    }

    /// The turn that holds at a moment.
    func turn(at moment: Instant) -> Turn {
        var (low, high) = (0, turns.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if turns[middle].at <= moment { low = middle } else { high = middle }
        }
        return turns[low]
    }

    /// The value at a moment.
    public func value(at moment: Instant) -> Value { turn(at: moment).value }

    /// The stretches before `end` in which the value is one of these, in order.
    func spans(until end: Instant, where isOne: (Value) -> Bool) -> [Range<Instant>] {
        var spans: [Range<Instant>] = []
        for (index, turn) in turns.enumerated() where isOne(turn.value) && turn.at < end {
            let next = index + 1 < turns.count ? min(turns[index + 1].at, end) : end
            if let last = spans.last, last.upperBound == turn.at {
                spans[spans.count - 1] = last.lowerBound..<next
            } else if turn.at < next {
                spans.append(turn.at..<next)
            }
        }
        return spans
    }
}
