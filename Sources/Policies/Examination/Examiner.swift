import Foundation

/// Examines policies beyond what a file's syntax tells: whether they can mean what they say. The loader calls it for what the
/// files alone tell, and refuses a configuration with an error of these; what must be measured is examined on request.
public struct Examiner: Sendable {
    private let nowUnixMs: Int64?

    /// An examiner that looks for clock changes after a moment (milliseconds since 1970); nil for the present of each look.
    public init(nowUnixMs: Int64? = nil) { self.nowUnixMs = nowUnixMs }

    /// What one policy by itself tells. Pure.
    static func alone(_ document: PolicyDocument) -> [Diagnostic] {
        let places = PolicyPlaces(document)
        return TimeExamination(document: document, places: places).findings()
            + UseExamination(document: document, places: places).findings()
            + ScheduleExamination(document: document, places: places).withoutEffect()
    }

    /// What the policies tell together with a time zone.
    public func clockChanges(_ policies: some Sequence<PolicyDocument>, zone name: String) -> [Diagnostic] {
        let scheduled = policies.filter { !$0.schedule.isEmpty }
        guard !scheduled.isEmpty, let zone = TimeZone(identifier: name) else { return [] }
        let now = nowUnixMs ?? Int64(Date().timeIntervalSince1970 * 1_000)
        let changes = ClockChange.upcoming(after: now, in: zone)
        return scheduled.sorted { $0.name < $1.name }.flatMap {
            ScheduleExamination(document: $0, places: PolicyPlaces($0)).findings(at: changes, zone: name)
        }
    }

    /// What a configuration that is loaded tells beyond its own findings: quotas, policies without a camera, and with `facts`
    /// what does not fit the disk or the memory. By file and place.
    public func examine(_ loaded: LoadedConfiguration, facts: SiteFacts?) -> [Diagnostic] {
        let used = Set(loaded.configuration.cameras.map(\.policy))
        let unused = loaded.policies.values.filter { !used.contains($0.name) }.map {
            Diagnostic(
                PolicyPlaces($0).name, .warning, "name", .unused, "no camera follows policy \($0.name)",
                "name it at a camera, or remove the file")
        }
        return (unused + StorageExamination(loaded: loaded, facts: facts).findings())
            .sorted(by: Diagnostic.inReadingOrder)
    }
}
