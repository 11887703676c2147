internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Synchronization

/// One job that the worker has in hand: its machine and what that has ordered. Confined to `Uploads`.
final class UploadWork {
    let id: UploadID
    /// Tells it from what was in hand for the same job before.
    let token: Int
    let camera: String
    let key: String
    /// The id of the key with which its clip is encrypted, empty where it is not decided yet; nil: it is sent as it is.
    var keyID: String?
    /// The clip; nil if a rebuild did not find it.
    let clip: ClipID?
    let timer: any WakeTimer
    var machine: Upload
    var seq: UInt64 = 0
    var last: Instant
    /// Whether its clip is sent while it is written, and when it does not matter.
    let isLive: Bool
    /// What goes up of its clip while that is being written.
    var live: LiveWork?
    /// Whether its clip is being written, as far as is known: the catalog keeps such a job apart.
    var isOpen: Bool
    /// Whether it waits after a failure only as long as a clip may that is being written.
    let waitsBriefly: Bool
    /// What is sent, once its digests are known.
    var source: UploadSource?
    /// What proved media that is there, by the objects' names.
    var proofs: [String: String] = [:]
    /// What is under way: digests, a transfer or a removal. The next one waits for its end. `turn` tells it from all others.
    var order: (number: Upload.OrderNumber?, turn: Int, task: Task<Void, Never>)?
    /// How many there were.
    var turns = 0
    /// Whether a transfer sent something before the one that is under way.
    var isRepeated: Bool
    /// Why the last try failed, in words.
    var failure: String?
    /// What proved the media of the transfer that was just reported, and the description that goes with it.
    var result: UploadResult?
    /// Bytes of media that are there.
    var sentBytes: Int64
    /// What is to be made of its clip once it is there.
    let encode: CloudRules.Encode
    /// The run of the local encoder that works for it, or is to.
    var encoding: EncodingRun?
    /// The remote encoder's name for the job, while one is known; what the order for it was called; and how much is done.
    var remoteJob: String?
    var orderedAs: String?
    var remotePerMille: Int?
    /// Whether no encoder has a place for it: it is taken again when one has.
    var waitsForEncoder = false

    init(_ job: UploadJob, token: Int, _ machine: Upload, timer: any WakeTimer, now: Instant) {
        id = job.id
        self.token = token
        camera = job.camera
        (key, keyID) = (job.key, job.keyID)
        clip = job.clip
        isLive = job.isLive
        isOpen = job.standing == .open
        waitsBriefly = isOpen
        self.machine = machine
        self.timer = timer
        last = now
        isRepeated = machine.sent
        failure = job.failure
        sentBytes = job.sentBytes
        encode = UploadRecord.encode(job)
        remoteJob = Uploads.remoteName(machine.record.job)
    }

    /// Its name in the trace.
    var name: String { "\(camera)/\(id).\(token)" }

    /// Whether it takes one of the places at work: it moves something, or is about to.
    var isAtWork: Bool {
        if isWithEncoder { return false }
        if order != nil { return true }
        switch machine.state {
        case .ack, .ackWait, .discard: return true
        // Of a clip that is sent live, between two rounds.
        case .put: return false
        case .queued, .queuedWait, .uploadFailed, .encoding, .encodingWait, .start, .run, .poll, .encodingFailed, .done,
            .removing, .removingWait, .removeFailed, .cancelled, .purged, .deleted:
            return false
        }
    }

    /// Whether its clip is there, and what it waits for is the encoder: that takes no place of a transfer.
    var isWithEncoder: Bool { machine.state.phase == .encoding }

    /// Whether an encoder works for it.
    var isAtEncoder: Bool { machine.state.encodeOrder != nil }

    /// Whether it waits for its next try.
    var isWaiting: Bool {
        switch machine.state {
        case .queuedWait, .removingWait: order == nil
        default: false
        }
    }

    /// Whether a transfer is under way.
    var isSending: Bool { if case .put = machine.state { true } else { false } }

    /// The order that waits for its next round, and for a place: there is more of a clip that is being written, or it is closed.
    var waitingRound: Upload.OrderNumber? {
        guard order == nil, case .put(let number, _, _) = machine.state else { return nil }
        return live.map(\.hasMore) ?? (source != nil) ? number : nil
    }

    /// Whether the worker needs it no more: it is over, rests until somebody asks, or waits for leave to send.
    var isIdle: Bool {
        isOver || order == nil && (machine.state == .queued && !machine.allowed || waitsForEncoder)
    }

    /// Whether it is over, or rests until somebody asks.
    var isOver: Bool {
        let standing = UploadRecord.standing(machine.state.phase)
        return order == nil && (standing == .over || standing == .failed)
    }
}

/// A clip that is sent while it is written: round by round, so that it takes a place at work only while it has something to send.
struct LiveWork {
    /// The clip.
    let clip: GrowingClip
    /// What is in the bucket; nil where that is to be read from the catalog.
    var state: LiveState?
    /// Whether more of it may be durable than was sent.
    var hasMore = true
    /// When its last round ended.
    var lastRound = Instant(ms: .min)
    /// Who hears of its rounds, for as long as one order lasts.
    var told: (number: Upload.OrderNumber, listener: any TransferListener)?
}

/// A run of the local encoder.
final class EncodingRun {
    /// The order that it carries out.
    let order: Upload.OrderNumber
    /// How much is done, 0 to 1000.
    var perMille = 0
    var task: Task<Void, Never>?

    init(_ order: Upload.OrderNumber) { self.order = order }
}

/// What a transfer came to.
struct UploadResult: Sendable {
    /// The clip as it is there.
    let remote: NewRemoteClip
}
