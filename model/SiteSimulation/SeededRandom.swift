/// The only source of chance: SplitMix64 (Steele, Lea, Flood 2014) from a seed.
struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number of the range.
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// True in `percent` of a hundred cases.
    mutating func chance(_ percent: Int64) -> Bool { number(0...99) < percent }

    /// One of them; the array is not empty.
    mutating func one<Value>(of values: [Value]) -> Value { values[Int(number(0...Int64(values.count - 1)))] }
}
