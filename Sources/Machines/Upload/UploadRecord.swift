extension Upload {
    /// What is kept over a restart, durably, before anything is ordered that depends on it.
    public struct Record: Hashable, Sendable, Codable {
        /// Where the job stood; `uploading` is kept as `queued`.
        public let phase: Phase
        /// Failed tries.
        public let tries: UInt8
        /// Some transfer was ever ordered.
        public let sent: Bool
        /// The acknowledgement is durable.
        public let counted: Bool
        /// The encoder's job, while one is known to run.
        public let job: EncoderJob?

        /// A record.
        public init(phase: Phase, tries: UInt8 = 0, sent: Bool = false, counted: Bool = false, job: EncoderJob? = nil) {
            self.phase = phase == .uploading ? .queued : phase
            self.tries = tries
            self.sent = sent
            self.counted = counted
            self.job = job
        }
    }

    /// The record as it stands.
    public var record: Record {
        Record(phase: state.phase, tries: tries, sent: sent, counted: counted, job: state.run?.job)
    }

    /// What the record becomes when the acknowledgement is durable: an upload counts with it and not before.
    var acknowledged: Record { Record(phase: encode ? .encoding : .done, sent: true, counted: true) }

    /// A job as an earlier run left it; it orders nothing by itself. Uploads are not allowed until the subscription says so.
    /// An encoder job that is known is polled after a while, under the number 1 and with its bound anew; encoding without one
    /// waits as after the first failed try and asks again.
    ///
    /// A record that contradicts itself is read by its phase: what is to be uploaded does not count, what was is counted.
    public init(restoring record: Record, encode: Bool, timing: Timing = Timing(), at now: Instant) {
        self.init(encode: encode, timing: timing)
        tries = min(record.tries, timing.retries)
        switch record.phase {
        case .queued, .uploading, .uploadFailed: counted = false
        case .encoding, .encodingFailed, .done: counted = true
        case .cancelled: counted = record.counted
        }
        sent = record.sent || counted
        switch record.phase {
        case .queued, .uploading: state = .queued
        case .uploadFailed: state = .uploadFailed
        case .encoding:
            if let job = record.job {
                state = .run(Run(order: order(), job: job, until: now + timing.runMs), pollAt: now + timing.pollMs)
            } else {
                state = .encodingWait(until: now + timing.waitMs(tries: 1))
            }
        case .encodingFailed: state = .encodingFailed
        case .done: state = .done
        case .cancelled: state = .cancelled
        }
    }
}
