import GRDB

/// How a value is taken out of a row. The subscript of a row ends the process where a damaged database holds another kind of
/// value, or none; these say so instead, as `corrupt`. `.ci/tidy` keeps the subscript out of this module (H8).
extension Row {
    /// Times in milliseconds, sizes in bytes, counts and ids lie within ±2^50 (a pebibyte, 35 000 years); what a damaged row
    /// has beyond that is the nearest of it. So sums of thousands of them cannot overflow. A sum of SQLite's own that outgrows
    /// 64 bits is a REAL, which is the nearest as well.
    static let numberMax: Int64 = 1 << 50

    /// A column's value, of another kind than a number.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
        try decode(Value.self, atIndex: index)
    }

    /// A column's number, within ±`numberMax`.
    func value(_ index: Int) throws -> Int64 {
        do { return Self.bounded(try decode(Int64.self, atIndex: index)) } catch {
            return try nearest(index, or: error)
        }
    }

    /// The same where NULL is allowed.
    func value(_ index: Int) throws -> Int64? {
        do { return try decode(Int64?.self, atIndex: index).map(Self.bounded) } catch {
            return try nearest(index, or: error)
        }
    }

    /// The same as an `Int`.
    func value(_ index: Int) throws -> Int { Int(clamping: try value(index) as Int64) }

    /// The bound that a REAL lies beyond; what is no such number is `error`.
    private func nearest(_ index: Int, or error: any Error) throws -> Int64 {
        guard case .double(let number) = try decode(DatabaseValue.self, atIndex: index).storage,
            number.magnitude > Double(Self.numberMax)
        else { throw error }
        return number < 0 ? -Self.numberMax : Self.numberMax
    }

    private static func bounded(_ number: Int64) -> Int64 { Swift.min(Swift.max(number, -numberMax), numberMax) }
}
