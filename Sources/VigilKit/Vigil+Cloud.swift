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

    /// One page of the upload queue, the newest jobs first.
    public func uploads(_ filter: UploadFilter = UploadFilter()) async throws -> Page<UploadInfo> {
        let query: [(String, String?)] = [
            ("camera", filter.cameras?.joined(separator: ",")),
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
