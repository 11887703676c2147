internal import Machines
internal import Trace

extension Narrator {
    /// A record of the journal that is not what a step calls for, in lines.
    public func story(_ difference: ReportDifference) -> [String] {
        let step = "step \(difference.seq) of \(time(at: difference.at, wallMs: difference.wallMs))"
        let replayed = Self.shortened(difference.replayed ?? "nothing")
        let recorded = Self.shortened(difference.recorded ?? "nothing")
        let headline =
            switch difference.cause {
            case .missing: "the journal does not tell what the machine reported: \(replayed)"
            case .added: "the journal tells what the machine did not report: \(recorded)"
            case .altered: "the journal tells otherwise what the machine reported: \(replayed)"
            case .outOfOrder: "the journal tells in another place what the machine reported: \(replayed)"
            }
        return ["\(step): \(headline)"] + difference.parts.map { "  " + Self.words($0) }
    }

    /// What there is to say of what the journal tells of a camera.
    public func remark(_ ledger: ReportLedger?) -> String {
        guard let ledger else {
            return "reports: the journal that was read tells none of them, so only the steps are held"
        }
        let differing = ledger.differing == 0 ? "no difference" : "\(ledger.differing) different"
        return "reports: \(ledger.agreed) held, \(differing)"
    }
}
