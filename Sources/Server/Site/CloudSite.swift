/// What goes to the cloud: plans and the upload queue. `by` is for the journal; whether the caller may is decided before.
public protocol CloudSite: Sendable {
    /// The store, and the plans of the cameras of `scope` whose policy sends something.
    func cloud(in scope: CameraScope) async throws -> CloudStatus
    /// Asks the provider for news of these plans, and gives what was known before its answer.
    func refreshCloud(in scope: CameraScope) async throws -> CloudStatus
    /// What of the cameras of `scope` would go from the cloud, and when, if their plans ended at a moment.
    func cloudLapse(on: WallTime, in scope: CameraScope) async throws -> CloudLapse
    /// The days of a month with something of `camera` in the cloud.
    func cloudDays(camera: String, month: CalendarMonth) async throws -> [CloudDay]
    /// The clips of `camera` in the cloud that reach into a time, by start. `invalid` where they are more than
    /// `ListFilter.pageMax`.
    func cloudSlices(camera: String, _ filter: CloudFilter) async throws -> [CloudSlice]
    /// The events of `camera` in the cloud that began in a time, by begin.
    func cloudEvents(camera: String, _ filter: CloudFilter) async throws -> [CloudEvent]
    /// The picture of such an event, JPEG. `notFound` where the camera has no such event, or it has no picture.
    func cloudPicture(camera: String, event: Int64) async throws -> [UInt8]
    /// A list by which a clip plays from the store, with addresses that are signed for so many seconds. `notFound` where the
    /// cloud does not have the clip, or the clip no such track.
    func signedList(clip: Int64, _ list: SignedList, seconds: Int) async throws -> [UInt8]
    /// The key of an encrypted clip in the cloud. `notFound` where the cloud does not have it, `conflict` where it is not encrypted, or
    /// with a key that is not configured.
    func clipKey(clip: Int64) async throws -> CloudClipKey
    /// Begins to make the lists of the cloud anew from what the store has, or says how far that is. `conflict` where there is no
    /// store.
    func rebuildCloud(by caller: Caller) async throws -> CloudRebuild
    /// How far that is.
    func cloudRebuild() async throws -> CloudRebuild
    /// Begins to bring a clip back to the disk that the cloud has, and to protect it there; or says how far that is. `conflict`
    /// where the disk has it, or no store is configured; `unavailable` where too many wait.
    func fetch(clip: Int64, by caller: Caller) async throws -> CloudFetch
    /// Gives that up. `conflict` where nobody has asked for it, or it is over.
    func cancelFetch(clip: Int64) async throws -> CloudFetch
    /// The clips of the cameras of `scope` that are brought back, or were, since the daemon began: those asked for first come first.
    func cloudFetches(in scope: CameraScope) async throws -> [CloudFetch]
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
    /// A remote encoder tells of a job. `unauthenticated` where it is not signed as it must be, `notFound` where nobody waits for
    /// such a job.
    func encoderNotice(_ notice: EncoderNotice) async throws
    /// Gives every job up that waits, is at work, or failed.
    func cancelUploads(in scope: CameraScope, by caller: Caller) async throws -> OrderedUploads
}
