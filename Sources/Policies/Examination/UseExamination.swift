import Machines

/// Looks for what a policy says in vain.
struct UseExamination {
    let document: PolicyDocument
    let places: PolicyPlaces

    /// What is found in the policy alone.
    func findings() -> [Diagnostic] {
        let rules = document.recording
        var found: [Diagnostic] = []
        if rules.timeControl.augmentationMs > rules.timeControl.maxMs {
            found.append(
                Diagnostic(
                    places.recording("augmentation"), .warning, "recording.augmentation", .augmentationOutlastsMax,
                    "longer than maxEventLength, so one movement more always fills the event up", "shorten augmentation"
                ))
        }
        if rules.connection == .onDemand, rules.preRollMs > 0 {
            found.append(
                Diagnostic(
                    places.recording("preRoll"), .warning, "recording.preRoll", .preRollOnDemand,
                    "a camera that is connected on demand has no picture from before the event",
                    "remove preRoll, or set connection: always"))
        }
        let modes = [rules.mode] + document.boundaryMinutes.map { document.policy(atMinuteOfWeek: $0).mode }
        if modes.allSatisfy({ $0 == .off }) {
            found.append(
                Diagnostic(
                    places.recording("mode"), .warning, "recording.mode", .neverRecords,
                    "the mode is off at every time of the week", "set another mode, also in the schedule"))
        }
        return found + cloud()
    }

    /// Keys of the cloud section that say nothing, each with what makes it so.
    private func cloud() -> [Diagnostic] {
        let rules = document.cloud
        var found: [(key: String, why: String, remedy: String)] = []
        if rules.upload == .none {
            let remedy = "set upload: events or all, or remove it"
            if rules.isLive { found.append(("live", "nothing is sent", remedy)) }
            if rules.encode != .none { found.append(("encode", "nothing is sent", remedy)) }
            if rules.keepLocal == .untilUploaded { found.append(("keepLocal", "nothing is sent", remedy)) }
        }
        if rules.upload == .all {
            let remedy = "set upload: events, or remove it"
            if !rules.levels.isEmpty { found.append(("levels", "every clip is sent", remedy)) }
            if !rules.causes.isEmpty { found.append(("causes", "every clip is sent", remedy)) }
        }
        if rules.upload == .events, !rules.levels.isEmpty, !rules.causes.isEmpty, !rules.causes.contains(.detection) {
            found.append(
                ("levels", "only detections have a level, and causes leaves them out", "add detection to causes"))
        }
        return found.map { key, why, remedy in
            Diagnostic(places.cloud(key), .warning, "cloud.\(key)", .cloudInVain, "\(why), so it says nothing", remedy)
        }
    }
}

/// Looks for zones and masks under which movement can never count, on the grid of the detector's coarsest picture.
struct ZoneExamination {
    /// The grid on which areas are compared.
    static let (columns, rows) = (64, 36)

    let camera: Configuration.Camera
    let document: PolicyDocument

    /// What is found; `at` is where the camera's policy is named.
    func findings(_ at: PolicyPlaces.Located) -> [Diagnostic] {
        let map = camera.zoneMap(columns: Self.columns, rows: Self.rows)
        let unmasked = camera.zones.isEmpty && camera.masks.isEmpty ? nil : map.zones(ofMoving: map.cells.indices)
        guard !camera.zones.isEmpty || !camera.masks.isEmpty else { return [] }
        let visible = unmasked ?? Zones(inside: 0, outside: false)
        let names = camera.zones.map(\.name)
        var seen: Set<[String?]> = []
        return document.filters.filter { seen.insert($0.zones).inserted }.compactMap { zones, mode in
            let dead = zones.filter { !passes($0, names, visible) }
            let isAll = zones.isEmpty ? unmasked == nil : dead.count == zones.count
            guard isAll || !dead.isEmpty else { return nil }
            let words =
                zones.isEmpty ? "anywhere" : dead.map { $0 ?? "the part outside every zone" }.joined(separator: ", ")
            let severity: Diagnostic.Severity = isAll && mode == .event ? .error : .warning
            return Diagnostic(
                at, severity, "cameras.\(camera.name).zones", .zoneNeverPasses,
                "policy \(document.name) waits for movement in \(words), and none can be noticed there",
                "make the masks smaller, or name other zones in the policy", trace(zones.isEmpty ? names : zones, map))
        }
    }

    private func passes(_ zone: String?, _ names: [String], _ visible: Zones) -> Bool {
        guard let zone else { return visible.outside }
        // A place among the camera's zones.
        return names.firstIndex(of: zone).map { visible.inside & 1 << UInt32($0) != 0 } ?? false
    }

    private func trace(_ zones: [String?], _ map: ZoneMap) -> [TraceLine] {
        let bare = ZoneMap(columns: map.columns, rows: map.rows, zones: camera.zones.map(\.polygon))
        let names = camera.zones.map(\.name)
        return zones.map { zone in
            let filter = Zones(
                // A place among the camera's zones.
                inside: zone.flatMap(names.firstIndex(of:)).map { 1 << UInt32($0) } ?? 0, outside: zone == nil)
            let cells = bare.cells.indices.filter { bare.zones(ofMoving: [$0])?.intersects(filter) == true }
            let masked = cells.count { map.isMasked($0) }
            return TraceLine(
                "", "\(zone ?? "outside every zone"): \(masked) of \(cells.count) cells of the picture are masked")
        }
    }
}

extension PolicyDocument {
    /// The zones that count at some time of the week, with the mode that holds then; not where it is off.
    fileprivate var filters: [(zones: [String?], mode: Mode)] {
        let moments = boundaryMinutes.map { minute in
            schedule.filter { $0.covers(minuteOfWeek: minute) }.reduce(into: recording) { $0.apply($1) }
        }
        // An entry that is empty of boundaries leaves the recording section in force all week.
        let all = schedule.isEmpty ? [recording] : moments
        return all.filter { $0.mode != .off }.sorted { ($0.mode == .event ? 0 : 1) < ($1.mode == .event ? 0 : 1) }
            .map { ($0.zones, $0.mode) }
    }
}
