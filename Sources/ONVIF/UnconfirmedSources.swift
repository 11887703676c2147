/// When sources of a device were told last to be on, for the case that it cannot be asked whether they are on still: it is believed
/// for ten minutes. A value that is given the time; it belongs to one subscription.
struct UnconfirmedSources: Sendable {
    /// For how long a source is held on that a device cannot be asked about, in milliseconds.
    static let heldMs: Int64 = 600_000

    /// When each source was told last to be on, by camera and name.
    private var told: [String: [String: ContinuousClock.Instant]] = [:]

    /// Takes what the device told of a source of a camera.
    mutating func take(_ fact: DeviceSources.Fact, of camera: String, at now: ContinuousClock.Instant) {
        switch fact {
        case .on(let name): told[camera, default: [:]][name] = now
        case .off(let name): told[camera]?[name] = nil
        }
    }

    /// What holds at a device that cannot be asked, camera by camera: what is on is told again, and what was told for too long ago, or
    /// by a subscription before, is off and forgotten.
    func hold(
        _ sources: inout [String: DeviceSources], at now: ContinuousClock.Instant
    ) -> [(camera: String, fact: DeviceSources.Fact)] {
        var facts: [(camera: String, fact: DeviceSources.Fact)] = []
        for (camera, known) in sources.sorted(by: { $0.key < $1.key }) {
            for name in known.names.sorted() {
                if let last = told[camera]?[name], last.duration(to: now) < .milliseconds(Self.heldMs) {
                    facts.append((camera: camera, fact: .on(name)))
                } else {
                    sources[camera]?.forget(name)
                    facts.append((camera: camera, fact: .off(name)))
                }
            }
        }
        return facts
    }
}
