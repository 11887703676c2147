/// What goes to the cloud: plans and the upload queue. `by` is for the journal; whether the caller may is decided before.
public protocol CloudSite: Sendable {
    /// The store, and the plans of the cameras of `scope` whose policy sends something.
    func cloud(in scope: CameraScope) async throws -> CloudStatus
    /// Asks the provider for news of these plans, and gives what was known before its answer.
    func refreshCloud(in scope: CameraScope) async throws -> CloudStatus
    /// One page of jobs, the newest first.
    func uploads(_ filter: UploadFilter, in scope: CameraScope) async throws -> Page<UploadInfo>
    /// The queue at a glance.
    func uploadTotals(in scope: CameraScope) async throws -> UploadTotals
    /// The camera of a job; nil where there is none of this id.
    func camera(ofUpload job: Int64) async throws -> String?
    /// Enters a closed clip, whatever its policy says. `conflict` where it is being written, in the queue or in the cloud already,
    /// or where no store is configured.
    func push(clip: Int64, _ command: PushCommand, by caller: Caller) async throws -> UploadInfo
    /// Tries a job again that failed or was purged, and asks a store that refused. `conflict` where it did not fail.
    func retryUpload(_ job: Int64, by caller: Caller) async throws -> UploadInfo
    /// Tries again every job that failed, and asks a store that refused; those that cannot be are left out.
    func retryUploads(in scope: CameraScope, by caller: Caller) async throws -> OrderedUploads
    /// Gives a job up; what was sent of it goes. `conflict` where it is over already.
    func cancelUpload(_ job: Int64, by caller: Caller) async throws -> UploadInfo
    /// Gives every job up that waits, is at work, or failed.
    func cancelUploads(in scope: CameraScope, by caller: Caller) async throws -> OrderedUploads
}
