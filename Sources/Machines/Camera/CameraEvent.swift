extension Camera {
    /// A fact that the shell tells the machine. Answers carry the number of the order they answer; an old number is late.
    public enum Event: Hashable, Sendable, Codable {
        /// Nothing happened but time: deadlines that are due are applied (as before every other event).
        case tick

        // MARK: The link

        /// The dial reached the camera and its streams are described; media may follow.
        case dialed(DialNumber)
        /// The dial failed; its resources are freed.
        case dialFailed(DialNumber, LinkFailure)
        /// The first key frame of this dial, or the first after `keyframeMissing`, is in the ring.
        case keyframe(DialNumber)
        /// The latest packet of this dial arrived at `last`; sent when the silence bound would otherwise pass.
        case packets(DialNumber, last: Instant)
        /// The connection ended without having been ordered to; its resources are freed.
        case lost(DialNumber, LinkFailure)
        /// The ordered hang-up is complete; its resources are freed.
        case hungUp(DialNumber)

        // MARK: What triggers

        /// Motion was observed; `level` is the least sensitivity that notices it.
        case detected(level: Sensitivity, zones: Zones)
        /// A level source is on, or still on: it holds until it is cleared or not refreshed for `staleMs`.
        case asserted(SourceNumber, staleMs: Int64)
        /// A level source is off.
        case cleared(SourceNumber)
        /// Record now, with the command's own time control (its blind time is ignored).
        case commanded(TimeControl)

        // MARK: The recorder

        /// The clip is open; its media begins at `start`.
        case opened(ClipNumber, start: Instant, shortfall: Shortfall?)
        /// The clip could not be opened; nothing of it is left.
        case openFailed(ClipNumber)
        /// No frame has come with which the clip could begin: the last key frame is in the clip before, or came while recording
        /// was forbidden. Nothing is left of the clip. `keyframe` tells of the next one.
        case keyframeMissing(ClipNumber)
        /// The ordered cut has been made before the key frame that arrived at `at`; closing goes on in the background.
        case cut(ClipNumber, at: Instant)
        /// The stream changed its codec or picture with the frame that arrived at `at`; the clip was cut before it, closing
        /// goes on in the background.
        case streamChanged(ClipNumber, at: Instant)
        /// The clip cannot be written on: storage failed, or it fell behind and lost its place in the ring.
        case writeFailed(ClipNumber)
        /// The clip's last fragment is durable and its row closed; not complete if part of it could not be kept.
        case closed(ClipNumber, complete: Bool)

        // MARK: Intent

        /// The recording toggle.
        case enabled(Bool)
        /// The policy in force changed, by its file, an override or its schedule; the next change is due at `until`.
        case policy(Policy, until: Instant?)
        /// The privacy switches.
        case privacy(Privacy)
        /// The address, the login or the connect mode changed: dial anew at once.
        case connect(DialOrder)
        /// The number of live viewers.
        case viewers(Int)
        /// What the storage can do.
        case storage(Storage)
        /// Shut down: close, hang up, stop.
        case drain
    }
}
