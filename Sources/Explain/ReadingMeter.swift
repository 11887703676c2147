internal import Server

/// Bounds what one explanation may cost.
public struct ReadingMeter: Sendable {
    private let recordsMax: Int
    private let deadline: ContinuousClock.Instant?
    private var records = 0

    /// How many records are read between two looks at the clock.
    private static let lookEvery = 256

    /// At most so many records, and so many milliseconds from now on; nil: as long as it takes.
    public init(recordsMax: Int, durationMsMax: Int64?) {
        self.recordsMax = recordsMax
        deadline = durationMsMax.map { ContinuousClock.now + .milliseconds($0) }
    }

    /// No bound but the caller's patience.
    public static var unbounded: ReadingMeter { ReadingMeter(recordsMax: .max, durationMsMax: nil) }

    /// Counts one record; throws `tooLarge` where that is too many or the time is up.
    mutating func count() throws(SiteError) {
        records += 1
        guard records <= recordsMax else {
            throw Self.tooLarge("it would read more than \(recordsMax) steps of the trace")
        }
        if records % Self.lookEvery == 0 { try look() }
    }

    /// Throws `tooLarge` where the time is up.
    func look() throws(SiteError) {
        if let deadline, ContinuousClock.now > deadline { throw Self.tooLarge("it takes too long") }
    }

    private static func tooLarge(_ why: String) -> SiteError {
        SiteError(.tooLarge, what: "the explanation", why: why, remedy: "ask about a shorter time, or about one camera")
    }
}
