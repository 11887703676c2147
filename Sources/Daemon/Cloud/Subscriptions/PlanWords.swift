internal import Catalog
internal import Journal
internal import Machines
internal import Server

/// What there is to tell of a plan, but for a load that failed: which of five states, and the dates.
struct PlanWords: Hashable, Sendable {
    /// From how far on a plan has no end that anybody would want to know, in milliseconds: 50 years. That of `always` is never
    /// nearer.
    static let endlessMs: Int64 = 50 * 365 * 86_400_000

    /// The state.
    let report: Subscription.Report
    /// When the plan ends or has ended, UTC epoch milliseconds; nil where it has no end, or the end is not known.
    let endWallMs: Int64?
    /// When what is stored is deleted, UTC epoch milliseconds; nil where nothing is stored or the plan covers it.
    let goneWallMs: Int64?

    /// What there is to tell at `wallMs`.
    init(_ kept: CloudSubscription, isStored: Bool, wallMs: Int64) {
        switch kept.plan {
        case .none: (report, endWallMs) = (.noService, nil)
        case .active(let until):
            report = isStored ? .validData : .noData
            endWallMs = until.subtractingReportingOverflow(wallMs).partialValue >= Self.endlessMs ? nil : until
        case .expired(let at): (report, endWallMs) = (isStored ? .expiredData : .expiredNoData, at)
        }
        guard isStored, case .at(let gone) = kept.gone else {
            goneWallMs = nil
            return
        }
        goneWallMs = gone
    }

    /// Whether the plan is active.
    var isActive: Bool { report == .validData || report == .noData }

    /// The dates, as fields of the journal.
    var fields: [(Field, String)] {
        (endWallMs.map { [(.planEnd, WallTime(ms: $0).rfc3339)] } ?? [])
            + (goneWallMs.map { [(.goneAt, WallTime(ms: $0).rfc3339)] } ?? [])
    }
}
