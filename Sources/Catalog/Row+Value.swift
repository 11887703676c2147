import GRDB

/// How a value is taken out of a row. The subscript of a row ends the process where a damaged database holds another kind of
/// value, or none; these say so instead, as `corrupt`. `.ci/tidy` keeps the subscript out of this module (H8).
extension Row {
    /// Times in milliseconds, sizes in bytes, counts and ids lie within ±2^50 (a pebibyte, 35 000 years); what a damaged row
    /// has beyond that is the nearest of it. So sums of thousands of them cannot overflow.
    static let numberMax: Int64 = 1 << 50

    /// A column's value, of another kind than a number.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
        try decode(Value.self, atIndex: index)
    }

    /// A column's number, within ±`numberMax`.
    func value(_ index: Int) throws -> Int64 { Self.bounded(try decode(Int64.self, atIndex: index)) }

    /// The same where NULL is allowed.
    func value(_ index: Int) throws -> Int64? { try decode(Int64?.self, atIndex: index).map(Self.bounded) }

    /// The same as an `Int`.
    func value(_ index: Int) throws -> Int { Int(clamping: try value(index) as Int64) }

    private static func bounded(_ number: Int64) -> Int64 { Swift.min(Swift.max(number, -numberMax), numberMax) }
}
