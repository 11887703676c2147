public import Foundation
internal import Journal
internal import Machines
public import Policies
internal import Replay
public import Server
public import Trace

/// Answers why, simulate and ladder: what the daemon serves, and what the command line makes where none is asked. Each answer
/// reads the trace once. Every method blocks, and throws `JournalError` or `TraceError` where the trace cannot be read, `SiteError` where there
/// is none or the question goes beyond the bounds.
public struct Explanations: Sendable {
    /// Opens the trace for what a query asks for. Blocking.
    public typealias Trace = @Sendable (TraceQuery) throws -> TraceReader

    /// How long before the time that counts the trace is read, so that windows and blind time are right and a whole state is
    /// found, in milliseconds.
    static let contextMs: Int64 = 3 * 3_600_000

    private let time: LocalTime
    private let name: String
    private let isRepeatable: Bool
    private let meter: ReadingMeter
    private let onDamage: @Sendable (Int) -> Void
    private let trace: Trace

    /// Answers from `trace`, with the times of `zone` in what is said to people.
    /// - Parameters:
    ///   - name: What to call the trace.
    ///   - isRepeatable: It can be opened from any moment on; a pipe cannot.
    ///   - meter: What one answer may cost.
    ///   - onDamage: Called after a reading that left out so many records, because they do not fit into the trace's chain.
    public init(
        zone: TimeZone, name: String = "the journal", isRepeatable: Bool = true, meter: ReadingMeter = .unbounded,
        onDamage: @escaping @Sendable (Int) -> Void = { _ in }, trace: @escaping Trace
    ) {
        time = LocalTime(zone: zone)
        self.name = name
        self.isRepeatable = isRepeatable
        self.meter = meter
        self.onDamage = onDamage
        self.trace = trace
    }

    /// Why a camera was or was not recorded at a moment. Where the catalog knows the moment, its entry decides about the label,
    /// and a trace that cannot be read is a remark.
    public func why(_ camera: String, at moment: WallTime, ledger: LedgerEntry? = nil) throws -> WhyAnswer {
        var meter = meter
        let moments = MomentTrace(
            camera: camera, wallMs: moment.ms, isRepeatable: isRepeatable, onDamage: onDamage, open: trace)
        do {
            return WhyAnswer(try moments.explanation(&meter), ledger, time.narrator)
        } catch  where error is JournalError || error is TraceError {
            guard ledger != nil else { throw error }
            let nothing = Explainer(camera: camera, wallMs: moment.ms).explanation
            return WhyAnswer(nothing, ledger, time.narrator, without: "\(error)")
        }
    }

    /// What `policy` would have recorded in a time, beside what was in force: an answer for each camera of which there is a
    /// trace.
    /// - Parameters:
    ///   - zones: The names of the zones of a camera; nil where they are not known.
    ///   - rate: The bytes of a camera's clips for each of their milliseconds in the time; nil where it is not known.
    public func simulate(
        _ policy: PolicyDocument, in scope: CameraScope, _ range: Range<Int64>, zones: (String) -> [String]?,
        rate: (String) throws -> Double?
    ) throws -> [SimulateAnswer] {
        let read = try histories(scope, range)
        return try read.cameras.map { camera in
            let names = zones(camera)
            guard names != nil || !policy.namesZones else {
                throw SiteError(
                    .invalid, what: "the simulation of camera \(camera)",
                    why: "policy \(policy.name) names zones, and the camera's are not known",
                    remedy: "ask where the camera is configured, or give --config, which says what zones it has")
            }
            let histories = read.histories(of: camera)
            let policies = { (history: CameraHistory) in history.policies(of: policy, in: time.zone, zones: names ?? [])
            }
            let before = SimulatedRecording(histories, time: range) { $0.simulate() }
            try meter.look()
            let after = SimulatedRecording(histories, time: range) { $0.simulate(policies: policies($0)) }
            try meter.look()
            return SimulateAnswer(
                camera, policy, Comparison(before: before, after: after), try rate(camera),
                Unknown.all(histories, time: range, policies: policies), time.narrator)
        }
    }

    /// What each sensitivity and max event length would have recorded of a camera in a time.
    public func ladder(
        _ camera: String, _ range: Range<Int64>, asEvents: Bool, rate: (String) throws -> Double?
    ) throws -> LadderAnswer {
        let histories = try histories(.only([camera]), range).histories(of: camera)
        let ladder = try Ladder(histories, time: range, asEvents: asEvents, look: meter.look)
        return LadderAnswer(
            camera, ladder, range, try rate(camera), Unknown.all(histories, time: range), time.narrator)
    }

    /// The histories of the cameras that reach into the time.
    private func histories(_ scope: CameraScope, _ range: Range<Int64>) throws -> CameraHistoryReader {
        var (histories, meter) = (CameraHistoryReader(), meter)
        let names = scope.names
        let query = TraceQuery(
            camera: names?.count == 1 ? names?.first : nil, sinceMs: range.lowerBound - Self.contextMs,
            untilMs: range.upperBound)
        var reader = try trace(query)
        while let record = try reader.next() {
            try meter.count()
            if scope.contains(record.camera) { histories.take(record) }
        }
        if reader.damaged > 0 { onDamage(reader.damaged) }
        guard !histories.histories.isEmpty else {
            let whose = names?.count == 1 ? "camera \(names?.first ?? "")" : "a camera"
            throw SiteError(
                .notFound, what: "the simulation", why: "no trace of \(whose) in that time is in \(name)",
                remedy: "ask about a time in which Vigil ran")
        }
        return histories
    }
}

extension PolicyDocument {
    /// It cares for a part of the picture at some time.
    fileprivate var namesZones: Bool {
        (recording.zones + schedule.flatMap { $0.zones ?? [] }).contains { $0 != nil }
    }
}
