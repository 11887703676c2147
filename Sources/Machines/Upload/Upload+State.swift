// Where a job stands, and the bounds it works with.
extension Upload {
    /// Phase and step in one: what is waited for, with the deadline of the wait. Once the job is stopped no deadline counts.
    public enum State: Hashable, Sendable, Codable {
        /// Waits until uploads are allowed.
        /// Leads to: put (allowed), cancelled, deleted, removing.
        case queued
        /// Backs off after a failed try or an outage.
        /// Leads to: put, or queued if not allowed (`until` reached); removing.
        case queuedWait(until: Instant)
        /// The transfer is under way; without a deadline while it has sent all that an open clip holds.
        /// Leads to: ack (uploaded), queuedWait (outage, refused), uploadFailed (refused), queued (not allowed, drain), removing.
        case put(OrderNumber, moved: Int64, until: Instant?)
        /// The object is there and verified; its acknowledgement is being made durable.
        /// Leads to: done or start (acked), ackWait (failed, bound passed), removing.
        case ack(OrderNumber, until: Instant)
        /// The acknowledgement could not be made durable, or nobody said that it was.
        /// Leads to: ack (`until` reached), queued (drain), removing.
        case ackWait(until: Instant)
        /// No further try.
        /// Leads to: put or queued (reUpload), removing.
        case uploadFailed
        /// The encoder is to be asked: only for a moment, or in a job that is stopped.
        /// Leads to: start.
        case encoding
        /// Backs off after a failed try or an outage.
        /// Leads to: start (`until` reached), cancelled, removing.
        case encodingWait(until: Instant)
        /// The encoder has been asked.
        /// Leads to: run (started), done (webhook), encodingWait (outage, refused), encodingFailed (refused), cancelled, removing.
        case start(OrderNumber, until: Instant)
        /// The encoder works.
        /// Leads to: poll (`pollAt` reached), done (webhook), encodingWait or encodingFailed (failed), cancelled, removing.
        case run(Run, pollAt: Instant)
        /// The encoder has been asked how far it is.
        /// Leads to: run (running, no answer), done (finished), encodingWait or encodingFailed (failed, still running after its
        /// bound), cancelled, removing.
        case poll(OrderNumber, Run, until: Instant)
        /// No further try.
        /// Leads to: start (reEncode), cancelled, removing.
        case encodingFailed
        /// Uploaded, and encoded if that was wanted.
        /// Leads to: removing (purge, delete).
        case done
        /// What was sent is to be removed: only for a moment, or in a job that is stopped.
        /// Leads to: discard.
        case removing(Aim)
        /// Backs off after a failed try or an outage.
        /// Leads to: discard (`until` reached).
        case removingWait(Aim, until: Instant)
        /// What was sent is being removed.
        /// Leads to: cancelled, purged or deleted (discarded), removingWait (outage, refused), removeFailed (refused).
        case discard(OrderNumber, Aim, until: Instant)
        /// What was sent is still there, and no further try is made.
        /// Leads to: discard (cancel, purge, delete).
        case removeFailed(Aim)
        /// By order, or because the clip was deleted locally before it was there.
        /// Leads to: removing (purge, delete of what counts), deleted.
        case cancelled
        /// What was there is gone, because it outlived its plan.
        /// Leads to: put or queued (reUpload), deleted.
        case purged
        /// A person deleted the clip; nothing of it is there.
        /// Leads to: nothing.
        case deleted

        /// What the user is told.
        public var phase: Phase {
            switch self {
            case .queued, .queuedWait: .queued
            case .put, .ack, .ackWait: .uploading
            case .uploadFailed: .uploadFailed
            case .encoding, .encodingWait, .start, .run, .poll: .encoding
            case .encodingFailed: .encodingFailed
            case .done: .done
            case .removing, .removingWait, .discard: .removing
            case .removeFailed: .removeFailed
            case .cancelled: .cancelled
            case .purged: .purged
            case .deleted: .deleted
            }
        }

        /// What a removal leads to; nil if there is none.
        public var aim: Aim? {
            switch self {
            case .removing(let aim), .removingWait(let aim, _), .discard(_, let aim, _), .removeFailed(let aim): aim
            case .queued, .queuedWait, .put, .ack, .ackWait, .uploadFailed, .encoding, .encodingWait, .start, .run,
                .poll, .encodingFailed, .done, .cancelled, .purged, .deleted:
                nil
            }
        }

        /// The object is there, and its acknowledgement is written or will be.
        var isAcknowledging: Bool {
            switch self {
            case .ack, .ackWait: true
            case .queued, .queuedWait, .put, .uploadFailed, .encoding, .encodingWait, .start, .run, .poll,
                .encodingFailed, .done, .removing, .removingWait, .discard, .removeFailed, .cancelled, .purged,
                .deleted:
                false
            }
        }

        /// The run of the encoder whose job is known.
        public var run: Run? {
            switch self {
            case .run(let run, _), .poll(_, let run, _): run
            case .queued, .queuedWait, .put, .ack, .ackWait, .uploadFailed, .encoding, .encodingWait, .start,
                .encodingFailed, .done, .removing, .removingWait, .discard, .removeFailed, .cancelled, .purged,
                .deleted:
                nil
            }
        }

        /// The number of the `encode` order that is outstanding or running: what a webhook carries.
        public var encodeOrder: OrderNumber? {
            if case .start(let number, _) = self { number } else { run?.order }
        }

        /// The deadline of the step.
        var until: Instant? {
            switch self {
            case .put(_, _, let until): until
            case .queuedWait(let until), .ack(_, let until), .ackWait(let until), .encodingWait(let until),
                .start(_, let until), .run(_, pollAt: let until), .poll(_, _, let until), .removingWait(_, let until),
                .discard(_, _, let until):
                until
            case .queued, .uploadFailed, .encoding, .encodingFailed, .done, .removing, .removeFailed, .cancelled,
                .purged, .deleted:
                nil
            }
        }
    }

    /// The phases of a job.
    public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        case queued, uploading, uploadFailed, encoding, encodingFailed, done, cancelled
        case removing, removeFailed, purged, deleted
    }

    /// One run of the encoder.
    public struct Run: Hashable, Sendable, Codable {
        /// The number of the `encode` order that began it.
        public let order: OrderNumber
        /// The encoder's own name for it.
        public let job: EncoderJob
        /// When it counts as failed, if it still runs then.
        public let until: Instant

        /// A run.
        public init(order: OrderNumber, job: EncoderJob, until: Instant) {
            self.order = order
            self.job = job
            self.until = until
        }
    }

    /// The encoder's own name for a job.
    public struct EncoderJob: RawRepresentable, Hashable, Sendable, Codable {
        /// As the encoder gave it.
        public let rawValue: String

        /// The name `rawValue`.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name `rawValue`.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    /// Names one order of a job; one counter for all kinds, so an answer to an older one is known as late.
    public struct OrderNumber: RawRepresentable, Hashable, Sendable, Codable {
        /// 1 for the first order.
        public let rawValue: UInt32

        /// The number `rawValue`.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The number `rawValue`.
        public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    }
}
