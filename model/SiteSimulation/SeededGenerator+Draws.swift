internal import RandomSource

/// What a seed decides: the only source of chance in a simulation.
extension SeededGenerator {
    /// A number of the range.
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// True in `percent` of a hundred cases.
    mutating func chance(_ percent: Int64) -> Bool { number(0...99) < percent }

    /// One of them; the array is not empty.
    mutating func one<Value>(of values: [Value]) -> Value { values[Int(number(0...Int64(values.count - 1)))] }
}
