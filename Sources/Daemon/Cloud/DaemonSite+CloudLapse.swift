internal import Catalog
internal import Machines
internal import Server

extension DaemonSite {
    func cloudLapse(on: WallTime, in scope: CameraScope) async throws -> CloudLapse {
        let views = Dictionary(subscriptions.views.map { ($0.camera, $0) }, uniquingKeysWith: { first, _ in first })
        let bytesPerSecond = uploadQueue.reader.rate.bytesPerSecond
        let cameras = try await Blocking.run { [catalog, calendar] in
            try catalog.remoteUsage().map(\.camera).filter(scope.contains).map { camera in
                let lapse = PlanLapse(
                    onMs: on.ms, retentionMs: views[camera]?.kept.retentionMs, ageMs: views[camera]?.ageMs)
                return try lapse.clips(of: camera, in: catalog, calendar, bytesPerSecond: bytesPerSecond)
            }
        }
        return CloudLapse(on: on, bytesPerSecond: bytesPerSecond, cameras: cameras)
    }
}

/// What follows for the clips of one camera if its plan ends at a moment. Until then the policy's age applies, and afterwards
/// the plan's retention alone, as `Subscriptions` does it.
struct PlanLapse {
    /// When the plan ends, UTC epoch milliseconds.
    let onMs: Int64
    /// For how long clips outlive it, in milliseconds; nil where the camera has no plan: then nothing deletes them.
    let retentionMs: Int64?
    /// The age that clips reach while it lasts, in milliseconds; nil for no limit.
    let ageMs: Int64?

    /// When what is left goes, UTC epoch milliseconds; nil: never.
    var goneMs: Int64? { retentionMs.map { onMs.addingClamped(max($0, 0)) } }

    /// Clips that end by this time go by their age.
    var agedByMs: Int64 {
        guard retentionMs != nil, let ageMs else { return .min }
        return onMs.addingClamped(-max(ageMs, 0))
    }

    /// When the first and the last of some clips go, of which the first and the last ended at these times.
    func gone(_ firstEndMs: Int64, _ lastEndMs: Int64) -> (from: Int64, to: Int64)? {
        guard let goneMs else { return nil }
        func end(_ endMs: Int64) -> Int64 {
            guard let ageMs, endMs <= agedByMs else { return goneMs }
            return endMs.addingClamped(max(ageMs, 0))
        }
        // Clips that end later never go before those that end earlier.
        return (end(firstEndMs), end(lastEndMs))
    }

    /// A camera's clips by days. Blocking.
    func clips(
        of camera: String, in catalog: Catalog, _ calendar: SiteDays, bytesPerSecond: Int64?
    ) throws -> CloudLapse.Camera {
        var days: [CloudLapse.Day] = []
        var (stored, alone) = (CloudLapse.Sum(), CloudLapse.Sum())
        var from = Int64.min
        while days.count < SiteDays.listMax, let start = try catalog.remoteStart(camera: camera, fromWallMs: from),
            let day = calendar.day(atMs: start), let interval = calendar.interval(of: day)
        {
            let begin = max(interval.lowerBound, from)
            guard interval.contains(start),
                let sum = try catalog.remoteSum(
                    camera: camera, fromWallMs: begin, toWallMs: interval.upperBound, endedByWallMs: agedByMs)
            else { break }
            let gone = gone(sum.firstEndMs, sum.lastEndMs)
            let found = CloudLapse.Day(
                day: day.description, from: WallTime(ms: interval.lowerBound), to: WallTime(ms: interval.upperBound),
                stored: CloudLapse.Sum(clips: sum.clips, bytes: sum.bytes),
                alone: CloudLapse.Sum(clips: sum.aloneClips, bytes: sum.aloneBytes),
                aged: CloudLapse.Sum(clips: sum.agedClips, bytes: sum.agedBytes),
                goneFrom: gone.map { WallTime(ms: $0.from) }, goneTo: gone.map { WallTime(ms: $0.to) })
            stored.add(found.stored)
            alone.add(found.alone)
            days.append(found)
            from = interval.upperBound
        }
        return CloudLapse.Camera(
            camera: camera, goneAt: goneMs.map { WallTime(ms: $0) }, stored: stored, alone: alone,
            fetchSeconds: bytesPerSecond.map { (alone.bytes &+ $0 - 1) / $0 }, days: days)
    }
}

extension CloudLapse.Sum {
    fileprivate mutating func add(_ other: CloudLapse.Sum) {
        clips = clips.addingClamped(other.clips)
        bytes = bytes.addingClamped(other.bytes)
    }
}
