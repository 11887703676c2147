extension Upload {
    /// What is kept over a restart, durably, before anything is ordered that depends on it.
    public struct Record: Hashable, Sendable, Codable {
        /// Where the job stood; `uploading` is kept as `queued`.
        public let phase: Phase
        /// Refusals.
        public let tries: UInt8
        /// Something may be there.
        public let sent: Bool
        /// The acknowledgement is durable.
        public let counted: Bool
        /// What the closed clip is; nil while it is open.
        public let seal: Seal?
        /// What a removal leads to; nil if there is none.
        public let aim: Aim?
        /// The last stage that became a notice.
        public let stage: Phase
        /// The number of the last notice.
        public let notices: UInt32
        /// The encoder's job, while one is known to run.
        public let job: EncoderJob?

        /// A record; by default its stage is its phase.
        public init(
            phase: Phase, tries: UInt8 = 0, sent: Bool = false, counted: Bool = false, seal: Seal? = nil,
            aim: Aim? = nil, stage: Phase? = nil, notices: UInt32 = 1, job: EncoderJob? = nil
        ) {
            self.phase = phase == .uploading ? .queued : phase
            self.tries = tries
            self.sent = sent
            self.counted = counted
            self.seal = seal
            self.aim = aim
            self.stage = stage ?? phase
            self.notices = notices
            self.job = job
        }
    }

    /// What a closed clip is: fixed once, with the object's content.
    public struct Seal: Hashable, Sendable, Codable {
        /// The digest of the object, as the shell writes it.
        public let digest: String
        /// The size of the object.
        public let bytes: Int64

        /// A seal. A size below 0 is read as 0.
        public init(digest: String, bytes: Int64) {
            self.digest = digest
            self.bytes = max(bytes, 0)
        }
    }

    /// A stage that a job reached. It is stored in the transaction of the record that says so, under job and number, where it
    /// is not stored yet; whoever hands it on may do so twice, with the same number.
    public struct Notice: Hashable, Sendable, Codable {
        /// Grows with each notice of the job, from 1; some numbers are left out, none is given twice.
        public let number: UInt32
        /// The stage.
        public let stage: Phase

        /// A notice.
        public init(number: UInt32, stage: Phase) {
            self.number = number
            self.stage = stage
        }
    }

    /// The record as it stands.
    public var record: Record {
        Record(
            phase: state.phase, tries: tries, sent: sent, counted: counted, seal: seal, aim: state.aim, stage: stage,
            notices: notices, job: state.run?.job)
    }

    /// The notice that comes with the acknowledgement, the same one however often it is written.
    var acknowledgedNotice: Notice { Notice(number: notices &+ 1, stage: encode ? .encoding : .done) }

    /// What the record becomes when the acknowledgement is durable: an upload counts with it and not before.
    var acknowledged: Record {
        Record(
            phase: acknowledgedNotice.stage, sent: true, counted: true, seal: seal, notices: acknowledgedNotice.number)
    }

    /// A job as an earlier run left it; it orders nothing by itself. Uploads are not allowed until the subscription says so.
    /// An encoder job that is known is polled after a while, under the number 1 and with its bound anew; encoding without one,
    /// and a removal, wait as after the first failed try and ask again. A clip that was open is closed by recovery: the shell
    /// says so with `sealed`, or `sourceGone`.
    ///
    /// A record that contradicts itself is read by its phase: what is to be uploaded does not count, what was is counted, what
    /// was removed is not there.
    public init(restoring record: Record, encode: Bool, timing: Timing = Timing(), at now: Instant) {
        self.init(encode: encode, seal: record.seal, timing: timing)
        tries = min(record.tries, timing.retries)
        stage = record.phase == .queued && record.stage == .uploading ? .uploading : record.phase
        notices = record.notices
        let aim = record.aim ?? .cancelled
        switch record.phase {
        case .queued, .uploading: (state, sent) = (.queued, record.sent)
        case .uploadFailed: (state, sent) = (.uploadFailed, record.sent)
        case .encoding: (state, sent, counted) = (.encodingWait(until: now + timing.waitMs(after: 1)), true, true)
        case .encodingFailed: (state, sent, counted) = (.encodingFailed, true, true)
        case .done: (state, sent, counted) = (.done, true, true)
        case .removing: (state, sent) = (.removingWait(aim, until: now + timing.waitMs(after: 1)), true)
        case .removeFailed: (state, sent) = (.removeFailed(aim), true)
        case .cancelled: (state, sent, counted) = (.cancelled, record.counted, record.counted)
        case .purged: state = .purged
        case .deleted: state = .deleted
        }
        if record.phase == .encoding, let job = record.job {
            state = .run(Run(order: order(), job: job, until: now + timing.runMs), pollAt: now + timing.pollMs)
        }
    }
}
