extension Upload {
    /// A fact that the shell tells the machine. Answers carry the number of the order they answer; an old number is late.
    public enum Event: Hashable, Sendable, Codable {
        /// Nothing happened but time: deadlines that are due are applied (as before every other event).
        case tick

        // MARK: The transfer

        /// So many bytes of the clip are known to have arrived in this transfer, with those that an earlier one left there.
        case progressed(OrderNumber, bytes: Int64)
        /// All that the open clip holds has been sent.
        case caughtUp(OrderNumber)
        /// The object is there; its size and digest were verified.
        case uploaded(OrderNumber)
        /// The transfer failed.
        case putFailed(OrderNumber, Failure)
        /// The record that came with `recordAck` is durable.
        case acked(OrderNumber)
        /// It could not be made durable.
        case ackFailed(OrderNumber)

        // MARK: The encoder

        /// The encoder has taken the job under this name.
        case encodeStarted(OrderNumber, EncoderJob)
        /// The encoder did not take it.
        case encodeRefused(OrderNumber, Failure)
        /// The encoder answered a poll.
        case polled(OrderNumber, Progress)
        /// The encoder did not answer a poll.
        case pollFailed(OrderNumber)
        /// The encoder told by itself; the number is that of the `encode` order. May come before `encodeStarted`.
        case webhook(OrderNumber, Outcome)

        // MARK: The removal

        /// Nothing of this job is there any more: no object, no part of one.
        case discarded(OrderNumber)
        /// It could not be removed.
        case discardFailed(OrderNumber, Failure)

        // MARK: The clip

        /// The clip is closed, in order or by recovery.
        case sealed(Seal)
        /// The clip was deleted locally by a rule, or recovery found nothing in it.
        case sourceGone

        // MARK: Orders to the job

        /// Whether uploads are allowed, by the subscription.
        case allow(Bool)
        /// The user gives it up.
        case cancel
        /// The retention of the plan is over: what is stored remotely goes, by the subscription.
        case purge
        /// A person deletes the clip, both copies.
        case delete
        /// The user asks to upload again after the last try, or after a purge.
        case reUpload
        /// The user asks to encode again after the last try.
        case reEncode
        /// Shut down: abort the transfer, stop.
        case drain
    }

    /// What a failure means for the next try.
    public enum Failure: String, Hashable, Sendable, Codable, CaseIterable {
        /// Nobody answered: an outage of the network or of the server. Costs no try.
        case unreachable
        /// The server asks to wait (503, 429, `SlowDown`). Costs no try.
        case busy
        /// It was refused, and may go well another time.
        case again
        /// It will not: the login is refused, the key holds other content.
        case final
    }

    /// How far the encoder is.
    public enum Progress: String, Hashable, Sendable, Codable, CaseIterable {
        case running, finished, failed
    }

    /// How the encoder ended.
    public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
        case finished, failed
    }
}
