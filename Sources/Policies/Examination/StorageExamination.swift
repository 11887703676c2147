import Machines

/// Looks for ages and quotas that cannot be kept, and for pre-roll that cannot be held, at the rates that were measured.
struct StorageExamination {
    let loaded: LoadedConfiguration
    /// Nil where nothing was measured: then only what the files alone tell is looked at.
    let facts: SiteFacts?

    private static let dayMs: Int64 = 86_400_000

    /// What one camera needs for one class of recordings.
    private struct Need {
        let camera: String
        let policy: PolicyDocument
        /// The key that promises the age.
        let key: String
        let ageMs: Int64
        let bytesPerDay: Double
        /// How the rate came about.
        let rate: String

        var bytes: Double { bytesPerDay * Double(ageMs) / Double(StorageExamination.dayMs) }
        var line: TraceLine {
            TraceLine(
                "", "\(camera), \(key): \(rate) × \(DurationText.inWords(ageMs)) = \(StorageExamination.size(bytes))")
        }
    }

    /// Every finding, for all policies that cameras follow.
    func findings() -> [Diagnostic] {
        let needs = loaded.configuration.cameras.flatMap(needs)
        return disk(needs) + quotas(needs) + siteQuota() + rings()
    }

    private func needs(_ camera: Configuration.Camera) -> [Need] {
        guard let policy = loaded.policies[camera.policy], let measured = facts?.cameras[camera.name] else {
            return []
        }
        var needs: [Need] = []
        let share = policy.continuousShare
        if let age = policy.retention.continuousMs, let rate = measured.bytesPerSecond, share > 0 {
            let hours = share < 1 ? " × \(Self.tenths(share * 168)) h a week" : ""
            needs.append(
                Need(
                    camera: camera.name, policy: policy, key: "retention.continuous", ageMs: age,
                    bytesPerDay: rate * 86_400 * share, rate: Self.bits(rate) + hours))
        }
        if let age = policy.retention.eventsMs, let perDay = measured.eventBytesPerDay, perDay > 0, share < 1 {
            needs.append(
                Need(
                    camera: camera.name, policy: policy, key: "retention.events", ageMs: age, bytesPerDay: perDay,
                    rate: "\(Self.size(perDay)) of events a day"))
        }
        return needs
    }

    /// The room for recordings, and how it comes about.
    private func room(_ facts: SiteFacts) -> (bytes: Double, lines: [TraceLine]) {
        let storage = loaded.configuration.storage
        let reserve = storage.reserve.bytes(ofCapacity: facts.capacityBytes)
        let onDisk = max(0, facts.capacityBytes - reserve - facts.otherBytes)
        var lines = [
            TraceLine(
                "",
                "disk: \(Self.size(facts.capacityBytes)) − reserve \(Self.size(reserve)) − other files \(Self.size(facts.otherBytes)) = \(Self.size(onDisk))"
            )
        ]
        guard let bound = storage.maxBytes, bound < onDisk else { return (Double(onDisk), lines) }
        lines.append(TraceLine("", "storage.maxSize: \(Self.size(bound))"))
        return (Double(bound), lines)
    }

    private func disk(_ needs: [Need]) -> [Diagnostic] {
        guard let facts else { return [] }
        let (room, lines) = room(facts)
        let total = kept(needs)
        guard total > room else { return [] }
        let sum = needs.map(\.line) + quotaLines(needs) + [TraceLine("", "together: \(Self.size(total))")] + lines
        // One finding for each policy that promises an age, and for each key of it.
        var seen: Set<String> = []
        return needs.filter { seen.insert("\($0.policy.name) \($0.key)").inserted }.map { need in
            let fits = fitting(need, among: needs, room)
            let remedy =
                fits.map { "\($0) fits: set \(need.key) to it or less, or give the storage more room" }
                ?? "no age of these alone fits: shorten other policies too, or give the storage more room"
            return Diagnostic(
                PolicyPlaces(need.policy).retention(need.key.hasSuffix("events") ? "events" : "continuous"), .error,
                need.key, .retentionDisk,
                "recordings of \(DurationText.inWords(need.ageMs)) need \(Self.size(total)) with those of all cameras, and there is room for \(Self.size(room))",
                remedy, sum)
        }
    }

    /// What all needs come to, each camera's within its quota.
    private func kept(_ needs: [Need]) -> Double {
        Dictionary(grouping: needs, by: \.camera).values.reduce(0) { total, needs in
            let sum = needs.reduce(0) { $0 + $1.bytes }
            return total + (needs.first?.policy.retention.maxBytes.map { min(sum, Double($0)) } ?? sum)
        }
    }

    private func quotaLines(_ needs: [Need]) -> [TraceLine] {
        Dictionary(grouping: needs, by: \.camera).sorted { $0.key < $1.key }.compactMap { camera, needs in
            guard let quota = needs.first?.policy.retention.maxBytes, needs.reduce(0, { $0 + $1.bytes }) > Double(quota)
            else { return nil }
            return TraceLine("", "\(camera): no more than its maxSize \(Self.size(quota))")
        }
    }

    /// The longest age of this key, in whole days or else hours, with which everything fits; nil for none.
    private func fitting(_ need: Need, among needs: [Need], _ room: Double) -> String? {
        for unit in [Self.dayMs, Self.dayMs / 24] {
            var (low, high) = (Int64(0), need.ageMs / unit)
            while low < high {
                let middle = (low + high + 1) / 2
                let changed = needs.map { other in
                    guard other.policy.name == need.policy.name, other.key == need.key else { return other }
                    return Need(
                        camera: other.camera, policy: other.policy, key: other.key, ageMs: middle * unit,
                        bytesPerDay: other.bytesPerDay, rate: other.rate)
                }
                if kept(changed) <= room { low = middle } else { high = middle - 1 }
            }
            if low > 0 { return DurationText.text(milliseconds: low * unit) }
        }
        return nil
    }

    private func quotas(_ needs: [Need]) -> [Diagnostic] {
        Dictionary(grouping: needs, by: \.camera).sorted { $0.key < $1.key }.compactMap { camera, needs in
            guard let first = needs.first, let quota = first.policy.retention.maxBytes else { return nil }
            let sum = needs.reduce(0) { $0 + $1.bytes }
            let perDay = needs.reduce(0) { $0 + $1.bytesPerDay }
            guard sum > Double(quota), perDay > 0 else { return nil }
            return Diagnostic(
                PolicyPlaces(first.policy).retention("maxSize"), .warning, "retention.maxSize", .retentionQuota,
                "camera \(camera) fills its \(Self.size(quota)) in \(Self.tenths(Double(quota) / perDay)) days, so nothing is kept for \(DurationText.inWords(needs.map(\.ageMs).max() ?? 0))",
                "set a larger maxSize, or the ages that are really kept", needs.map(\.line))
        }
    }

    private func siteQuota() -> [Diagnostic] {
        guard let bound = loaded.configuration.storage.maxBytes else { return [] }
        let cameras = Dictionary(grouping: loaded.configuration.cameras, by: \.policy)
        return loaded.policies.values.sorted { $0.name < $1.name }.compactMap { policy in
            guard let quota = policy.retention.maxBytes, let count = cameras[policy.name]?.count,
                Double(quota) * Double(count) > Double(bound)
            else { return nil }
            return Diagnostic(
                PolicyPlaces(policy).retention("maxSize"), .warning, "retention.maxSize", .quotaSite,
                "\(count) × \(Self.size(quota)) is more than the site's storage.maxSize \(Self.size(bound)), which is reached first",
                "set a smaller maxSize, or a larger storage.maxSize")
        }
    }

    private func rings() -> [Diagnostic] {
        guard let facts else { return [] }
        var seen: Set<String> = []
        return loaded.configuration.cameras.compactMap { camera in
            guard let policy = loaded.policies[camera.policy], let rate = facts.cameras[camera.name]?.bytesPerSecond,
                rate > 0, policy.longestPreRollMs > 0
            else { return nil }
            let needed = rate * Double(policy.longestPreRollMs) / 1_000
            guard needed > Double(facts.ringBytes), seen.insert(policy.name).inserted else { return nil }
            let held = DurationText.text(milliseconds: Int64(Double(facts.ringBytes) / rate) * 1_000)
            let index = policy.schedule.firstIndex { $0.preRollMs == policy.longestPreRollMs }
            let places = PolicyPlaces(policy)
            let isBase = policy.recording.preRollMs == policy.longestPreRollMs
            return Diagnostic(
                isBase ? places.recording("preRoll") : places.entry(index ?? 0, "preRoll"), .error,
                isBase ? "recording.preRoll" : "schedule[\(index ?? 0)].preRoll", .preRollRing,
                "\(DurationText.text(milliseconds: policy.longestPreRollMs)) of camera \(camera.name) are more than the memory for pre-roll holds",
                "set preRoll to \(held) or less, or a lower bit rate at the camera",
                [
                    TraceLine(
                        "",
                        "\(camera.name): \(Self.bits(rate)) × \(DurationText.inWords(policy.longestPreRollMs)) = \(Self.size(needed))"
                    ), TraceLine("", "the memory holds \(Self.size(facts.ringBytes)), which is \(held)"),
                ])
        }
    }

    // MARK: Words

    private static func size(_ bytes: Int64) -> String { size(Double(bytes)) }

    /// `850 GB`, `1.3 TB`: three digits at most.
    private static func size(_ bytes: Double) -> String {
        var (value, index) = (bytes, 0)
        let units = ["B", "kB", "MB", "GB", "TB", "PB"]
        while value >= 999.5, index < units.count - 1 { (value, index) = (value / 1_000, index + 1) }
        return (value < 99.95 && index > 0 ? tenths(value) : "\(Int64(min(value, 9e15).rounded()))") + " "
            + units[index]
    }

    private static func bits(_ bytesPerSecond: Double) -> String { "\(tenths(bytesPerSecond * 8 / 1_000_000)) Mbit/s" }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int64((min(value, 9e14) * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension PolicyDocument {
    /// The share of the week in continuous mode, 0…1.
    fileprivate var continuousShare: Double {
        guard !schedule.isEmpty else { return recording.mode == .continuous ? 1 : 0 }
        let boundaries = boundaryMinutes
        var minutes = 0
        for (index, from) in boundaries.enumerated() where policy(atMinuteOfWeek: from).mode == .continuous {
            let to = index + 1 < boundaries.count ? boundaries[index + 1] : boundaries[0] + Days.minutesPerWeek
            minutes += to - from
        }
        return Double(minutes) / Double(Days.minutesPerWeek)
    }

    /// The longest pre-roll of the week, in milliseconds.
    fileprivate var longestPreRollMs: Int64 { max(recording.preRollMs, schedule.compactMap(\.preRollMs).max() ?? 0) }
}
