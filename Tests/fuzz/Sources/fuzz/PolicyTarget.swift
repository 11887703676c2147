import Foundation
import Machines

@testable import Policies

/// The text of a policy, and edits of it: the first line says which, the rest is the policy.
enum PolicyTarget {
    private static let keys = [
        "name", "description", "recording.mode", "recording.sensitivity", "recording.zones", "recording.maxEventLength",
        "recording.preRoll", "schedule[0].from", "schedule[1].mode", "retention.maxAge", "retention.maxBytes",
        "retention", "recording", "schedule",
    ]
    private static let zones = ["Europe/Rome", "America/St_Johns", "Pacific/Apia", "UTC"].compactMap(
        TimeZone.init(identifier:))

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        let key = keys[Int(feed.byte()) % keys.count]
        let value = feed.line()
        let text = feed.text()
        guard let read = try? ConfigurationLoader.policy(text: text, file: "policy.yaml") else { return refused(text) }
        YAMLTarget.told(read.warnings)
        hold(!read.policy.explain().isEmpty, "a policy can be explained")
        for (index, moment) in [Int64(1_774_746_000_000), .min, .max, Int64(bytes.count) &* 86_412_345].enumerated() {
            let zone = zones[index % zones.count]
            let effective = read.policy.effective(atUnixMs: moment, in: zone)
            if let until = effective.untilUnixMs, moment.magnitude < 1 << 50 {
                hold(until > moment, "what changes, changes later")
            }
        }
        edit(text, key, value, read.policy)
    }

    private static func refused(_ text: String) {
        do {
            _ = try ConfigurationLoader.policy(text: text, file: "policy.yaml")
        } catch {
            hold(!error.diagnostics.isEmpty, "a refusal has a reason")
            YAMLTarget.told(error.diagnostics)
        }
    }

    private static func edit(_ text: String, _ key: String, _ value: String, _ policy: PolicyDocument) {
        if let changed = try? PolicyEditor.set(text, keyPath: key, value: value) {
            hold((try? ConfigurationLoader.policy(text: changed, file: "policy.yaml")) != nil, "an edit is a policy")
            if let again = try? PolicyEditor.set(changed, keyPath: key, value: value) {
                hold(again == changed, "the same edit changes nothing more")
            }
            compare(text, changed)
        }
        guard let changed = try? PolicyEditor.unset(text, keyPath: key) else { return }
        hold((try? ConfigurationLoader.policy(text: changed, file: "policy.yaml")) != nil, "an edit is a policy")
        hold((try? PolicyEditor.unset(changed, keyPath: key)) == nil, "what was taken out is gone")
        compare(text, changed)
    }

    /// The difference holds each line of the new text that is marked as new, and nothing for equal texts.
    private static func compare(_ old: String, _ new: String) {
        let diff = UnifiedDiff.diff(from: old, to: new, oldName: "old", newName: "new")
        hold(diff.isEmpty == (old == new), "a difference is told")
        hold(UnifiedDiff.diff(from: new, to: new, oldName: "old", newName: "new").isEmpty, "equal texts do not differ")
    }
}
