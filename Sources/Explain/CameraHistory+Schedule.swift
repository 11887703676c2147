public import Foundation
internal import Machines
public import Policies

extension CameraHistory {
    /// The policies that `document` puts in force during the history, its schedule applied at its boundaries in a time zone, for a
    /// camera with these zones; empty where no record tells what o'clock it was.
    public func policies(of document: PolicyDocument, in zone: TimeZone, zones: [String] = []) -> [PolicyChange] {
        guard var wallMs = beginWallMs, let endMs = endWallMs else { return [] }
        var changes: [PolicyChange] = []
        while wallMs <= endMs {
            let effective = document.effective(atUnixMs: wallMs, in: zone, zones: zones)
            changes.append(
                PolicyChange(
                    at: changes.isEmpty ? begin : told(walls.instant(atWallMs: wallMs) ?? end),
                    policy: effective.policy,
                    until: effective.untilUnixMs.flatMap(walls.instant(atWallMs:))))
            guard let until = effective.untilUnixMs, until > wallMs else { break }
            wallMs = until
        }
        return changes
    }

    /// How long after a boundary of the schedule the daemon may tell the machine, in milliseconds.
    private static let tellMs: Int64 = 1_000

    /// When the machine was told of a boundary, if it was: then a policy with the same boundaries is told with it.
    private func told(_ boundary: Instant) -> Instant {
        let told = occurrences.first { at, what in
            guard at >= boundary, case .event(.policy) = what else { return false }
            return true
        }
        guard let told, told.at <= boundary + Self.tellMs else { return boundary }
        return told.at
    }
}
