internal import Journal
internal import Policies

/// One policy whose text changed from one configuration in force to the next.
struct PolicyRevision {
    let old: PolicyDocument?
    let new: PolicyDocument?

    /// The policies that differ, by name; new ones and removed ones too.
    static func between(_ before: LoadedConfiguration, _ after: LoadedConfiguration) -> [PolicyRevision] {
        Set(before.policies.keys).union(after.policies.keys).sorted().compactMap { name in
            let revision = PolicyRevision(old: before.policies[name], new: after.policies[name])
            return revision.old?.revision == revision.new?.revision ? nil : revision
        }
    }

    /// What the journal says about it.
    var fields: [(Field, String)] {
        let file = (new ?? old)?.file ?? ""
        let (from, to) = (old?.revision ?? "none", new?.revision ?? "none")
        return [
            (.policy, (new ?? old)?.name ?? ""), (.from, from), (.to, to), (.path, file),
            (
                .difference,
                UnifiedDiff.diff(
                    from: old?.text ?? "", to: new?.text ?? "", oldName: "\(file) \(from)", newName: "\(file) \(to)")
            ),
        ]
    }
}
