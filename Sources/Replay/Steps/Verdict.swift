public import Machines

/// What comes of one record.
public enum MachineVerdict<Machine: ReplayedMachine>: Sendable, Hashable {
    /// The machine answered as it did then: same state, same effects.
    case agrees
    /// Something is not as the record says.
    case differs(MachineDifference<Machine>)
    /// Its whole state was taken as it stands, to go on from; nothing could be compared.
    case adopted
    /// Nothing could be compared, and no whole state stands in the record.
    case unchecked
    /// A step of its number was read before; it was left out.
    case repeated
    /// It comes after a later step; it was left out.
    case late

    /// The machine answered as it did then, whatever else stands in the record.
    var isAnswered: Bool {
        switch self {
        case .agrees: true
        case .differs(let difference):
            switch difference.cause {
            case .effects, .wholeState: true
            case .answer, .instant, .unknownInput, .unknownState: false
            }
        case .adopted, .unchecked, .repeated, .late: false
        }
    }
}

/// What comes of one record of a camera.
public typealias Verdict = MachineVerdict<Camera>

/// Why a stretch of records could not be compared.
public enum Obstacle: String, Sendable, Hashable, Codable, CaseIterable {
    /// The beginning of the run is not there, and no whole state had been read yet.
    case noBeginning
    /// Steps before it are missing, and no whole state had been read since.
    case missing
    /// A step before it differs, and no whole state had been read since.
    case difference
}

/// Records in a row that were not compared.
public struct Unchecked: Sendable, Hashable {
    /// Numbers of the steps, first to last.
    public internal(set) var steps: ClosedRange<UInt64>
    /// Why.
    public let why: Obstacle
}

extension ClosedRange<UInt64> {
    /// How many steps these are; saturates, for their numbers come from outside.
    public var length: UInt64 { (upperBound - lowerBound).added(1) }
}

extension UInt64 {
    /// The sum; saturates.
    public func added(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
