internal import HTTPTypes
public import Wire

extension Vigil {
    /// The store, and the plans of all cameras or of some.
    public func cloud(of cameras: [String]? = nil) async throws -> CloudStatus {
        try await ask(.get, "/v1/cloud", query: [("camera", cameras?.joined(separator: ","))]).answer
    }

    /// Asks the provider for news of the plans of all cameras or of some; gives what was known before its answer.
    public func refreshCloud(of cameras: [String]? = nil) async throws -> CloudStatus {
        try await ask(.post, "/v1/cloud/refresh", query: [("camera", cameras?.joined(separator: ","))]).answer
    }

    /// What of all cameras or of some would go from the cloud, and when, if their plans ended at a moment.
    public func cloudLapse(on: WallTime, of cameras: [String]? = nil) async throws -> CloudLapse {
        try await ask(
            .get, "/v1/cloud/lapse", query: [("on", on.rfc3339), ("camera", cameras?.joined(separator: ","))]
        ).answer
    }

    /// The days of a month (1…12) with something of a camera in the cloud, in the site's time zone.
    public func cloudDays(camera: String, year: Int, month: Int) async throws -> [CloudDay] {
        let text = "\(year)-\(month < 10 ? "0" : "")\(month)"
        return try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/cloud/days", query: [("month", text)]).answer
    }

    /// The clips of a camera in the cloud that reach into a time, by start. They are played like those of the disk.
    public func cloudSlices(camera: String, _ filter: CloudFilter) async throws -> [CloudSlice] {
        try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/cloud/slices",
            query: [
                ("from", filter.from.rfc3339), ("to", filter.to.rfc3339), ("alone", filter.isAlone ? "true" : nil),
            ]
        ).answer
    }

    /// The events of a camera in the cloud that began in a time, by begin.
    public func cloudEvents(camera: String, _ filter: CloudFilter) async throws -> [CloudEvent] {
        try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/cloud/events",
            query: [
                ("from", filter.from.rfc3339), ("to", filter.to.rfc3339), ("alone", filter.isAlone ? "true" : nil),
                ("order", filter.order.rawValue), ("offset", String(filter.offset)), ("limit", String(filter.limit)),
            ]
        ).answer
    }

    /// The picture of an event in the cloud, JPEG.
    public func cloudPicture(camera: String, event: Int64) async throws -> [UInt8] {
        try await collect(send(.get, "/v1/cameras/\(Percent.encode(camera))/cloud/events/\(event)/picture"))
    }

    /// A list by which a clip plays from the store without Vigil, for so many seconds, 60 to 604,800 (seven days). It is as
    /// good as a credential for that time.
    public func signedList(clip: Int64, _ list: SignedList, seconds: Int = SignedList.secondsDefault) async throws
        -> [UInt8]
    {
        try await collect(
            send(.get, "/v1/clips/\(clip)/cloud/\(seconds)/\(list.rawValue)"))
    }

    /// The key of an encrypted clip in the cloud: with it players that are given no list by ``signedList(clip:_:seconds:)`` play it from
    /// the store, and no other clip.
    public func clipKey(clip: Int64) async throws -> CloudClipKey {
        try await ask(.get, "/v1/clips/\(clip)/cloud/key").answer
    }

    /// Has a clip brought back to the disk that only the cloud has (a number below 0), where no rule deletes it then; asking again
    /// says how far it is.
    public func fetch(clip: Int64) async throws -> CloudFetch { try await ask(.post, "/v1/clips/\(clip)/fetch").answer }

    /// Gives that up.
    public func cancelFetch(clip: Int64) async throws -> CloudFetch {
        try await ask(.delete, "/v1/clips/\(clip)/fetch").answer
    }

    /// The clips of all cameras or of some that are brought back, or were: those asked for first come first.
    public func cloudFetches(of cameras: [String]? = nil) async throws -> [CloudFetch] {
        try await ask(.get, "/v1/cloud/fetches", query: [("camera", cameras?.joined(separator: ","))]).answer
    }

    /// Has the lists of the cloud made anew from what the store has; ``cloudRebuild()`` says how far that is.
    public func rebuildCloud() async throws -> CloudRebuild { try await ask(.post, "/v1/cloud/rebuild").answer }

    /// How far the last rebuild is.
    public func cloudRebuild() async throws -> CloudRebuild { try await ask(.get, "/v1/cloud/rebuild").answer }

    /// One page of the upload queue, the newest jobs first.
    public func uploads(_ filter: UploadFilter = UploadFilter()) async throws -> Page<UploadInfo> {
        let query: [(String, String?)] = [
            ("camera", filter.cameras?.joined(separator: ",")), ("clip", filter.clip.map(String.init)),
            (
                "standing",
                filter.standings.isEmpty ? nil : filter.standings.map(\.rawValue).sorted().joined(separator: ",")
            ),
            ("limit", String(filter.limit)), ("after", filter.after),
        ]
        let (items, next) = try await ask(.get, "/v1/uploads", query: query, as: [UploadInfo].self)
        return Page(items: items, next: next)
    }

    /// The upload queue at a glance, of all cameras or of some.
    public func uploadTotals(of cameras: [String]? = nil) async throws -> UploadTotals {
        try await ask(.get, "/v1/uploads/totals", query: [("camera", cameras?.joined(separator: ","))]).answer
    }

    /// Sends a closed clip to the cloud, whatever its policy says; `note` is told with each of its stages.
    public func push(clip: Int64, note: String? = nil) async throws -> UploadInfo {
        try await ask(.post, "/v1/clips/\(clip)/upload", body: PushCommand(note: note)).answer
    }

    /// Tries a job again that failed.
    public func retry(upload job: Int64) async throws -> UploadInfo {
        try await ask(.post, "/v1/uploads/\(job)/retry").answer
    }

    /// Tries every job again that failed, of all cameras or of some.
    public func retryUploads(of cameras: [String]? = nil) async throws -> OrderedUploads {
        try await ask(.post, "/v1/uploads/retry", query: [("camera", cameras?.joined(separator: ","))]).answer
    }

    /// Gives a job up; what was sent of it goes.
    public func cancel(upload job: Int64) async throws -> UploadInfo {
        try await ask(.post, "/v1/uploads/\(job)/cancel").answer
    }

    /// Gives every job up that waits, is at work, or failed, of all cameras or of some.
    public func cancelUploads(of cameras: [String]? = nil) async throws -> OrderedUploads {
        try await ask(.post, "/v1/uploads/cancel", query: [("camera", cameras?.joined(separator: ","))]).answer
    }
}
