// Where a job stands, and the bounds it works with.
extension Upload {
    /// Phase and step in one: what is waited for, with the deadline of the wait. Once the job is stopped no deadline counts.
    public enum State: Hashable, Sendable, Codable {
        /// Waits until uploads are allowed.
        /// Leads to: put (allowed), cancelled.
        case queued
        /// Backs off after a failed try.
        /// Leads to: put, or queued if not allowed (`until` reached); cancelled.
        case queuedWait(until: Instant)
        /// The transfer is under way.
        /// Leads to: ack (uploaded), queuedWait or uploadFailed (failed, bound passed), queued (not allowed, drain), cancelled.
        case put(OrderNumber, until: Instant)
        /// The object is there and verified; its acknowledgement is being made durable.
        /// Leads to: done or start (acked), queuedWait or uploadFailed (failed, bound passed), cancelled.
        case ack(OrderNumber, until: Instant)
        /// No further try.
        /// Leads to: put or queued (reUpload), cancelled.
        case uploadFailed
        /// The encoder is to be asked: only for a moment, or in a job that is stopped.
        /// Leads to: start.
        case encoding
        /// Backs off after a failed try.
        /// Leads to: start (`until` reached), cancelled.
        case encodingWait(until: Instant)
        /// The encoder has been asked.
        /// Leads to: run (started), done (webhook), encodingWait or encodingFailed (refused, failed, bound passed), cancelled.
        case start(OrderNumber, until: Instant)
        /// The encoder works.
        /// Leads to: poll (`pollAt` reached), done (webhook), encodingWait or encodingFailed (failed, bound of the run),
        /// cancelled.
        case run(Run, pollAt: Instant)
        /// The encoder has been asked how far it is.
        /// Leads to: run (running, no answer), done (finished), encodingWait or encodingFailed (failed, bound of the run),
        /// cancelled.
        case poll(OrderNumber, Run, until: Instant)
        /// No further try.
        /// Leads to: start (reEncode), cancelled.
        case encodingFailed
        /// Uploaded, and encoded if that was wanted.
        /// Leads to: nothing.
        case done
        /// By order, or because the clip was deleted locally before it was there.
        /// Leads to: nothing.
        case cancelled

        /// What the user is told.
        public var phase: Phase {
            switch self {
            case .queued, .queuedWait: .queued
            case .put, .ack: .uploading
            case .uploadFailed: .uploadFailed
            case .encoding, .encodingWait, .start, .run, .poll: .encoding
            case .encodingFailed: .encodingFailed
            case .done: .done
            case .cancelled: .cancelled
            }
        }

        /// The run of the encoder whose job is known.
        public var run: Run? {
            switch self {
            case .run(let run, _), .poll(_, let run, _): run
            case .queued, .queuedWait, .put, .ack, .uploadFailed, .encoding, .encodingWait, .start, .encodingFailed,
                .done, .cancelled:
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
            case .queuedWait(let until), .put(_, let until), .ack(_, let until), .encodingWait(let until),
                .start(_, let until), .run(_, pollAt: let until), .poll(_, _, let until):
                until
            case .queued, .uploadFailed, .encoding, .encodingFailed, .done, .cancelled: nil
            }
        }
    }

    /// The phases of a job.
    public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        case queued, uploading, uploadFailed, encoding, encodingFailed, done, cancelled
    }

    /// One run of the encoder.
    public struct Run: Hashable, Sendable, Codable {
        /// The number of the `encode` order that began it.
        public let order: OrderNumber
        /// The encoder's own name for it.
        public let job: EncoderJob
        /// When it counts as failed.
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
