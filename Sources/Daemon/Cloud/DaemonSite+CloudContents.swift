internal import Catalog
internal import Cloud
internal import Foundation
internal import Machines
internal import ObjectStore
internal import Server

extension DaemonSite {
    func cloudDays(camera: String, month: CalendarMonth) async throws -> [CloudDay] {
        try await check(camera)
        let days = calendar.days(of: month)
        let boundaries = calendar.boundaries(of: month)
        let (stored, events) = try await Blocking.run { [catalog] in
            (
                try catalog.remoteMs(camera: camera, boundaries: boundaries),
                try catalog.remoteEventCounts(camera: camera, boundaries: boundaries)
            )
        }
        return days.indices.compactMap { index in
            guard stored[index] > 0 || events[index] > 0 else { return nil }
            let (day, interval) = days[index]
            return CloudDay(
                day: day.description, from: WallTime(ms: interval.lowerBound), to: WallTime(ms: interval.upperBound),
                storedMs: stored[index], events: events[index])
        }
    }

    func cloudSlices(camera: String, _ filter: CloudFilter) async throws -> [CloudSlice] {
        try await check(camera)
        return try await Blocking.run { [catalog] in
            let slices = try catalog.remoteSlices(
                camera: camera, fromWallMs: filter.from.ms, toWallMs: filter.to.ms, isGone: filter.isAlone,
                limit: ListFilter.pageMax + 1)
            guard slices.count <= ListFilter.pageMax else {
                throw SiteError(
                    .invalid, what: "the slices of camera \(camera)",
                    why: "there are more than \(ListFilter.pageMax) clips in this time",
                    remedy: "ask for a shorter time")
            }
            let local = try catalog.localClips(of: slices.map(\.id))
            return slices.map {
                CloudSlice(
                    clip: (local[$0.id] ?? ClipID(remote: $0.id)).rawValue, start: WallTime(ms: $0.startWallMs),
                    end: WallTime(ms: $0.endWallMs), isEvent: $0.mediaClass == .event, isComplete: $0.isComplete,
                    bytes: $0.bytes)
            }
        }
    }

    func cloudEvents(camera: String, _ filter: CloudFilter) async throws -> [CloudEvent] {
        try await check(camera)
        return try await Blocking.run { [catalog] in
            let events = try catalog.remoteEvents(
                camera: camera, fromWallMs: filter.from.ms, toWallMs: filter.to.ms, isGone: filter.isAlone,
                order: filter.order == .newest ? .newestFirst : .oldestFirst, offset: filter.offset,
                limit: filter.limit)
            let local = try catalog.localClips(of: Array(Set(events.flatMap(\.clips))))
            return events.map { found in
                let event = found.event
                return CloudEvent(
                    id: found.id, start: WallTime(ms: event.beganWallMs),
                    end: event.endedWallMs.map { WallTime(ms: $0) },
                    cause: event.cause, level: event.level?.rawValue, detections: event.detections, zones: event.zones,
                    hasPicture: event.picture != nil,
                    clips: found.clips.map { (local[$0] ?? ClipID(remote: $0)).rawValue },
                    event: found.local?.rawValue)
            }
        }
    }

    func cloudPicture(camera: String, event: Int64) async throws -> [UInt8] {
        let what = "the picture of event \(event) in the cloud"
        let found = try await Blocking.run { [catalog] in try catalog.remoteEvent(event) }
        guard let found, found.camera == camera, let picture = found.event.picture,
            let slash = picture.lastIndex(of: "/")
        else {
            throw SiteError(
                .notFound, what: what, why: "camera \(camera) has no such event there, or it has no picture",
                remedy: "`vigil cloud events \(camera)` lists what there is")
        }
        let (key, name) = (String(picture[..<slash]), String(picture[picture.index(after: slash)...]))
        let bytes = try await fromStore(what) { store in
            try await store.client.bytes(store.folder(of: key) + name, limit: Self.pictureBytesMax)
        }
        return CloudKeys.opened(name) == nil ? bytes : try await opened(bytes, of: name, key, what)
    }

    /// The largest picture of an event that is taken from the store, in bytes.
    private static let pictureBytesMax: UInt64 = 4 << 20

    func signedList(clip: Int64, _ list: SignedList, seconds: Int) async throws -> [UInt8] {
        let what = "clip \(clip) in the cloud"
        let (remote, description) = try await remote(clip, what)
        let presentation = try ClipPresentation(description)
        return try await fromStore(what) { store in
            let key = try lookup.remote.reader.keys.key(for: description, of: remote.key)?.address
            var addresses: [String: String] = [:]
            for name in description.tracks.flatMap(\.objects).map(\.name) {
                addresses[name] = try await store.client.presignedGet(
                    store.folder(of: remote.key) + name, seconds: seconds)
            }
            let isOpen = description.ended == nil
            let parts = presentation.playlists(isOpen: isOpen, key: key ?? CloudKeys.key) { addresses[$0] ?? $0 }
            guard let part = parts.first(where: { $0.name == list.rawValue }) else {
                throw SiteError(
                    .notFound, what: "\(list.rawValue) of \(what)", why: "the clip has no such track",
                    remedy: "ask for \(SignedList.index.rawValue)")
            }
            return [UInt8](part.body)
        }
    }

    /// What is known of a clip in the cloud, by its number there or on the disk.
    func remote(_ clip: Int64, _ what: String) async throws -> (RemoteClip, ClipDescription) {
        let id = ClipID(rawValue: clip)
        let remote = try await Blocking.run { [catalog] () -> (clip: RemoteClip, description: Data)? in
            if let id = id.remote { return try catalog.remoteOnly(id) }
            guard let key = try catalog.clip(id)?.tracks.first.flatMap({ ClipPaths(parsing: $0.path)?.stem }),
                let found = try catalog.remoteClip(key: key)
            else { return nil }
            return try catalog.remoteOnly(found.id)
        }
        guard let (remote, body) = remote else {
            throw SiteError(
                .notFound, what: what, why: "it is not there", remedy: "`vigil cloud queue` shows what is on its way")
        }
        return (remote, try ClipDescription(parsing: body))
    }

    /// What the store in use gives.
    private func fromStore<Result>(
        _ what: String, _ body: (CloudStore) async throws -> Result
    ) async throws -> Result {
        do {
            return try await body(lookup.remote.reader.current())
        } catch let error as StoreError {
            throw SiteError(.unavailable, what: what, why: "\(error)", remedy: error.remedy)
        } catch let error as DaemonFailure {
            throw SiteError(
                .conflict, what: what, why: error.description, remedy: "`vigil cloud status` says what is in the way")
        }
    }

    func fetch(clip: Int64, by caller: Caller) async throws -> CloudFetch {
        let what = "clip \(clip) in the cloud"
        let (remote, local) = try await Blocking.run { [catalog] () -> (RemoteClip?, ClipID?) in
            let id = ClipID(rawValue: clip)
            guard let remote = try id.remote.flatMap({ try catalog.remoteClip($0) }) else {
                return (nil, try catalog.clip(id)?.id)
            }
            return (remote, try catalog.localClips(of: [remote.id])[remote.id])
        }
        if let local {
            throw SiteError(
                .conflict, what: what, why: "the disk has it, as clip \(local)",
                remedy: "`vigil protect \(local)` keeps it there, whatever the rules say")
        }
        guard let remote else {
            throw SiteError(
                .notFound, what: what, why: "it is not there",
                remedy: "`vigil cloud slices` lists what is; clips that only the cloud has are below 0")
        }
        do { _ = try lookup.remote.reader.client(of: remote.store) } catch let error as DaemonFailure {
            throw SiteError(
                .conflict, what: what, why: error.description, remedy: "`vigil cloud status` says what is in the way")
        }
        guard let fetch = fetches.order(remote, by: "\(caller)") else {
            throw SiteError(
                .unavailable, what: what, why: "\(Fetches.waitingMax) clips are to be fetched before it",
                remedy: "ask again when some of them are there")
        }
        return fetch
    }

    func cancelFetch(clip: Int64) async throws -> CloudFetch {
        guard let fetch = ClipID(rawValue: clip).remote.flatMap(fetches.cancel) else {
            throw SiteError(
                .conflict, what: "clip \(clip) in the cloud", why: "it is not being fetched",
                remedy: "`vigil cloud fetch` without a clip lists what is")
        }
        return fetch
    }

    func cloudFetches(in scope: CameraScope) async throws -> [CloudFetch] {
        fetches.all.filter { scope.contains($0.camera) }
    }

    func rebuildCloud(by caller: Caller) async throws -> CloudRebuild {
        do { return try bucket.begin(by: "\(caller)") } catch let error as DaemonFailure {
            throw SiteError(
                .conflict, what: "the lists of the cloud", why: error.description,
                remedy: "name a store in vigil.yaml: cloud.store")
        }
    }

    func cloudRebuild() async throws -> CloudRebuild { bucket.now }
}
