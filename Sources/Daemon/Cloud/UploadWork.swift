internal import Catalog
internal import Journal
internal import Machines
internal import Synchronization

/// One job that the worker has in hand: its machine and what that has ordered. Confined to `Uploads`.
final class UploadWork {
    let id: UploadID
    /// Tells it from what was in hand for the same job before.
    let token: Int
    let camera: String
    let key: String
    /// The clip; nil if a rebuild did not find it.
    let clip: ClipID?
    let timer: any WakeTimer
    var machine: Upload
    var seq: UInt64 = 0
    var last: Instant
    /// What is sent, once its digests are known.
    var source: UploadSource?
    /// What is under way: digests, a transfer or a removal. The next one waits for its end.
    var order: (number: Upload.OrderNumber?, task: Task<Void, Never>)?
    /// Whether a transfer sent something before the one that is under way.
    var isRepeated: Bool
    /// Why the last try failed, in words.
    var failure: String?
    /// What proved the media of the transfer that was just reported, and the description that goes with it.
    var result: UploadResult?
    /// Bytes of media that are there.
    var sentBytes: Int64

    init(_ job: UploadJob, token: Int, _ machine: Upload, timer: any WakeTimer, now: Instant) {
        id = job.id
        self.token = token
        camera = job.camera
        key = job.key
        clip = job.clip
        self.machine = machine
        self.timer = timer
        last = now
        isRepeated = machine.sent
        failure = job.failure
        sentBytes = job.sentBytes
    }

    /// Its name in the trace.
    var name: String { "\(camera)/\(id).\(token)" }

    /// Whether it takes one of the places at work: it moves something, or is about to.
    var isAtWork: Bool {
        if order != nil { return true }
        switch machine.state {
        case .put, .ack, .ackWait, .discard: return true
        case .queued, .queuedWait, .uploadFailed, .encoding, .encodingWait, .start, .run, .poll, .encodingFailed, .done,
            .removing, .removingWait, .removeFailed, .cancelled, .purged, .deleted:
            return false
        }
    }

    /// Whether a transfer is under way.
    var isSending: Bool { if case .put = machine.state { true } else { false } }

    /// Whether the worker needs it no more: it is over, rests until somebody asks, or waits for leave to send.
    var isIdle: Bool {
        if order != nil { return false }
        switch UploadRecord.standing(machine.state.phase) {
        case .over, .failed: return true
        case .due: return machine.state == .queued && !machine.allowed
        case .open: return false
        }
    }
}

/// What a transfer came to.
struct UploadResult: Sendable {
    /// The clip as it is there.
    let remote: NewRemoteClip
}
