/// What a failure leads to: another try after a wait, or an end (S19). How often and how long: `Timing`.
extension Upload {
    /// The try failed for this reason.
    mutating func fail(_ failure: Failure, at now: Instant) {
        switch failure {
        case .unreachable, .busy: waitForOutage(at: now)
        case .again where tries < timing.retries:
            tries += 1
            outages = 0
            wait(until: now + timing.waitMs(after: tries))
        case .again, .final:
            switch state.phase {
            case .encoding: end(.encodingFailed)
            case .removing: end(.removeFailed(state.aim ?? .cancelled))
            case .queued, .uploading, .uploadFailed, .encodingFailed, .done, .removeFailed, .cancelled, .purged,
                .deleted:
                end(.uploadFailed)
            }
        }
    }

    /// The network, the server or the catalog is away: again after a wait that grows to its bound. No try is counted (S19).
    mutating func waitForOutage(at now: Instant) {
        if outages == 0 || timing.growsAfter(outages) { outages += 1 }
        wait(until: now + timing.waitMs(after: outages))
    }

    private mutating func wait(until: Instant) {
        switch state.phase {
        case .encoding: state = .encodingWait(until: until)
        case .removing: state = .removingWait(state.aim ?? .cancelled, until: until)
        case .uploading where state.isAcknowledging: state = .ackWait(until: until)
        case .queued, .uploading, .uploadFailed, .encodingFailed, .done, .removeFailed, .cancelled, .purged, .deleted:
            state = .queuedWait(until: until)
        }
    }
}
