internal import Catalog
internal import Machines
internal import Server

extension DaemonSite {
    func cloudLapse(on: WallTime, in scope: CameraScope) async throws -> CloudLapse {
        let views = Dictionary(subscriptions.views.map { ($0.camera, $0) }, uniquingKeysWith: { first, _ in first })
        let bytesPerSecond = uploadQueue.reader.rate.bytesPerSecond
        let cameras = try await Blocking.run { [catalog, calendar] in
            try catalog.remoteUsage().map(\.camera).filter(scope.contains).map { camera in
                let view = views[camera]
                return try PlanLapse(view?.kept, ageMs: view?.ageMs, onMs: on.ms)
                    .clips(of: camera, in: catalog, calendar, bytesPerSecond: bytesPerSecond)
            }
        }
        return CloudLapse(on: on, bytesPerSecond: bytesPerSecond, cameras: cameras)
    }
}

/// What becomes of the clips of one camera if its plan ends at a moment. Until a plan ends the policy's age applies, and afterwards
/// the plan's retention alone, as `Subscriptions` does it.
struct PlanLapse {
    /// When all clips go that are left, UTC epoch milliseconds; nil: never.
    let goneMs: Int64?
    /// The age at which clips go while the plan lasts, in milliseconds, and when it ends, UTC epoch milliseconds; nil where no age
    /// applies.
    private let aging: (ageMs: Int64, endMs: Int64)?

    /// - Parameters:
    ///   - kept: the camera's subscription; nil where it has none: then nothing deletes its clips.
    ///   - ageMs: the age of its policy, in milliseconds; nil for none.
    ///   - onMs: when its plan is taken to end, unless it ends before or has ended, UTC epoch milliseconds.
    init(_ kept: CloudSubscription?, ageMs: Int64?, onMs: Int64) {
        switch kept?.plan {
        case .some(.active(let until)):
            let endMs = min(onMs, until)
            goneMs = endMs.addingClamped(max(kept?.retentionMs ?? 0, 0))
            aging = ageMs.map { (max($0, 0), endMs) }
        case .some(.expired), .some(.none):
            // It has ended: the dates are those that it has.
            if case .at(let wallMs)? = kept?.gone { goneMs = wallMs } else { goneMs = onMs }
            aging = nil
        case Optional.none: (goneMs, aging) = (nil, nil)
        }
    }

    /// Clips that end by this time go by their age, UTC epoch milliseconds.
    var agedByMs: Int64 { aging.map { $0.endMs.addingClamped(-$0.ageMs) } ?? .min }

    /// When the first and the last of some clips go, of which the first and the last ended at these times.
    func gone(_ firstEndMs: Int64, _ lastEndMs: Int64) -> (from: Int64, to: Int64)? {
        guard let goneMs else { return nil }
        func end(_ endMs: Int64) -> Int64 {
            guard let aging, endMs <= agedByMs else { return goneMs }
            return endMs.addingClamped(aging.ageMs)
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
