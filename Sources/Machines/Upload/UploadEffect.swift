extension Upload {
    /// An order to the shell, carried out in the order of the array.
    public enum Effect: Hashable, Sendable, Codable {
        /// End this transfer, whatever it is doing; its answer would be late.
        case abortPut(OrderNumber)
        /// The encoder need not go on with what this order began; its answers would be late.
        case cancelEncode(OrderNumber)
        /// Make the record durable, and the notice with it in one transaction, if there is one; the effects that follow are
        /// carried out only after that. Records are written in the order in which they come, `recordAck` among them.
        case save(Record, Notice?)
        /// The clip is uploaded for good: it may be deleted locally by rules that ask for a verified upload.
        case release
        /// Transfer the clip under its key, if it is still open the fragments that are durable; the key makes a repeat harmless.
        /// Answered by `uploaded` or `putFailed`; on the way by `progressed`, and by `caughtUp` while the clip is open.
        case put(OrderNumber)
        /// Make this record durable, which says that the upload counts, with its notice, in one transaction. Answered by `acked`
        /// or `ackFailed`. May come again with the same notice.
        case recordAck(OrderNumber, Record, Notice)
        /// Ask the encoder, with key and try. Answered by `encodeStarted` or `encodeRefused`, at any time by `webhook`.
        case encode(OrderNumber)
        /// Ask the encoder how far its job is. Answered by `polled` or `pollFailed`.
        case poll(OrderNumber, EncoderJob)
        /// Remove the object and the parts of an unfinished transfer, if they are there. The rule by which they go is journaled
        /// (S12). Answered by `discarded` or `discardFailed`.
        case discard(OrderNumber, Rule)
        /// Remove what the encoder has made of the clip, as far as it is there: the clip stays and counts, and is not to be encoded.
        case dropEncoded
        /// Tell: the phase changed.
        case report(Phase)
        /// The order cannot be followed and changed nothing; tell who gave it.
        case refused(Refusal)
        /// The event did not fit and changed nothing; count and journal it.
        case ignored(Ignored)
        /// Nothing is owed any more; the job ignores everything from now on.
        case stopped
    }

    /// By which rule a remote object is deleted.
    public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
        /// Its job was cancelled before it counted.
        case cancelled
        /// It has outlived its plan by the plan's retention.
        case planRetention
        /// A person deleted the clip.
        case deleted
    }

    /// Why an order was refused.
    public enum Refusal: String, Hashable, Sendable, Codable, CaseIterable {
        /// The job is done.
        case done
        /// The job was cancelled before.
        case cancelled
        /// What was there is being removed, or is gone.
        case removed
        /// The job has not failed in what is to be done again.
        case notFailed
    }

    /// Why an event was ignored.
    public enum Ignored: String, Hashable, Sendable, Codable, CaseIterable {
        /// It answers an order that is over.
        case late
        /// It says what the state already holds.
        case duplicate
        /// No order with this number was ever given.
        case unknown
        /// The job has no need of it.
        case notNeeded
        /// Too little more has arrived, or more than there is.
        case noProgress
        /// The clip is still open: its upload cannot have ended.
        case notSealed
        /// The job has stopped.
        case stopped
    }
}
