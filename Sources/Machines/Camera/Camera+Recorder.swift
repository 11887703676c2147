// Clips: opening, cutting, closing.
extension Camera {
    // MARK: Events

    mutating func opened(
        _ number: ClipNumber, _ start: Instant, _ shortfall: Shortfall?, at now: Instant, _ effects: inout [Effect]
    ) {
        guard case .opening(let clip, _) = recorder.state, clip.number == number else {
            return ignore(number, early: false, &effects)
        }
        effects.append(.report(.clipOpened(number, start: start, shortfall: shortfall)))
        recorder.wantedSince = nil
        if let event = clip.event { recorder.eventWithClip = event }
        recorder.state = .writing(clip, cutAt: min(start, now) + clipLengthMs)
    }

    mutating func openFailed(_ number: ClipNumber, at now: Instant, _ effects: inout [Effect]) {
        if case .opening(let clip, _) = recorder.state, clip.number == number {
            recorder.state = .idle
            return retryLater(number, at: now, &effects)
        }
        unopened(number, &effects)
    }

    /// The storage has done nothing wrong: no wait, no failure. The clip is ordered anew when the link streams again.
    mutating func keyframeMissing(_ number: ClipNumber, at now: Instant, _ effects: inout [Effect]) {
        guard case .opening(let clip, _) = recorder.state, clip.number == number else {
            return unopened(number, &effects)
        }
        recorder.state = .idle
        synchronizeAnew(at: now, &effects)
    }

    /// A clip that is not being opened any more could not be.
    private mutating func unopened(_ number: ClipNumber, _ effects: inout [Effect]) {
        guard let index = recorder.closing.firstIndex(where: { $0.number == number }) else {
            return ignore(number, early: false, &effects)
        }
        guard !recorder.closing[index].opened else { return effects.append(.ignored(.duplicate)) }
        // It was given up while it was opening: there is nothing to close.
        recorder.closing.remove(at: index)
        effects.append(.report(.clipFailed(number, retryMs: nil)))
    }

    mutating func cut(_ number: ClipNumber, _ end: Instant, at now: Instant, _ effects: inout [Effect]) {
        guard case .cutting(let clip, let why, _) = recorder.state, clip.number == number else {
            return ignore(number, early: true, &effects)
        }
        release(clip, why, end: end, at: now, &effects)
    }

    mutating func streamChanged(
        _ number: ClipNumber, _ end: Instant, at now: Instant, _ effects: inout [Effect]
    ) {
        switch recorder.state {
        case .writing(let clip, _) where clip.number == number,
            .cutting(let clip, _, _) where clip.number == number:
            release(clip, .streamChanged, end: end, at: now, &effects)
        default: ignore(number, early: true, &effects)
        }
    }

    mutating func writeFailed(_ number: ClipNumber, at now: Instant, _ effects: inout [Effect]) {
        switch recorder.state {
        case .writing(let clip, _) where clip.number == number,
            .cutting(let clip, _, _) where clip.number == number:
            closeNow(clip, .storage, at: now, &effects)
            retryLater(number, at: now, &effects)
        default: ignore(number, early: true, &effects)
        }
    }

    mutating func closed(_ number: ClipNumber, complete: Bool, _ effects: inout [Effect]) {
        guard let index = recorder.closing.firstIndex(where: { $0.number == number }) else {
            return ignore(number, early: true, &effects)
        }
        recorder.closing.remove(at: index)
        if complete { recorder.failures = 0 }
        effects.append(.report(.clipClosed(number, complete: complete)))
    }

    // MARK: Deadlines

    mutating func recorderDeadline(at now: Instant, _ effects: inout [Effect]) {
        switch recorder.state {
        case .idle: recorder.retryAt = nil
        case .opening(let clip, _):
            closeNow(clip, .storage, at: now, &effects)
            retryLater(clip.number, at: now, &effects)
        case .writing(let clip, let cutAt):
            if let end = knownEnd(after: cutAt) {
                recorder.state = .writing(clip, cutAt: end)
            } else {
                cutClip(clip, .length, at: now, &effects)
            }
        case .cutting(let clip, let why, _): endGrace(of: clip, why, at: now, &effects)
        }
    }

    /// No key frame has come to a due cut. A clip that ends here loses nothing where nobody wants what comes now. Otherwise it
    /// would lose what comes until the next key frame, so it goes on; where none comes at all, the next dial brings one.
    private mutating func endGrace(
        of clip: Recorder.Clip, _ why: ClipEnd, at now: Instant, _ effects: inout [Effect]
    ) {
        guard mediaWanted, let most = timing.moreGraces else { return closeNow(clip, why, at: now, &effects) }
        let before = recorder.graces ?? 0
        guard before < most else { return give(up: .noKeyFrame, at: now, &effects) }
        if before == 0, let dial = link.current { effects.append(.report(.noKeyFrame(dial))) }
        recorder.graces = before + 1
        recorder.state = .cutting(clip, why, grace: now + timing.graceMs)
    }

    mutating func closingDeadline(at now: Instant, _ effects: inout [Effect]) {
        guard let index = recorder.closing.firstIndex(where: { $0.deadline <= now }) else { return }
        effects.append(.report(.clipOverdue(recorder.closing.remove(at: index).number)))
    }

    // MARK: What follows

    /// S6: what is not wanted is closed in this very step; what is wanted is opened as soon as it can be.
    mutating func settleRecorder(at now: Instant, _ effects: inout [Effect]) {
        if let why = whyNotNow, let clip = recorder.clip {
            closeNow(clip, why, at: now, &effects)
        } else if case .writing(let clip, _) = recorder.state, let why = clip.ended ?? (wants(clip) ? nil : .policy) {
            cutClip(clip, why, at: now, &effects)
        }
        guard mediaWanted, link.phase == .streaming else { return recorder.wantedSince = nil }
        let isNew = recorder.clip == nil && recorder.wantedSince == nil
        if isNew { recorder.wantedSince = now }
        guard recorder.state == .idle, recorder.retryAt == nil, recorder.closing.count < Recorder.maxClosing else {
            return
        }
        openClip(isNew: isNew, at: now, &effects)
    }

    /// The event's end decides the end of its clip, in every mode: the clip follows it to the next key frame. A clip of
    /// continuous mode belongs to no event and goes on.
    mutating func eventEnded(_ event: EventNumber, _ why: ClipEnd) {
        guard var clip = recorder.clip, clip.event == event else { return }
        clip.ended = why
        switch recorder.state {
        case .idle, .cutting: break
        case .opening(_, let deadline): recorder.state = .opening(clip, deadline: deadline)
        case .writing(_, let cutAt): recorder.state = .writing(clip, cutAt: cutAt)
        }
    }

    /// S7: toggle, privacy and mode decide what the ring may hold. Kept before a clip is opened …
    mutating func keepMedia(_ effects: inout [Effect]) {
        guard intent.eventsAllowed, !keepsMedia else { return }
        keepsMedia = true
        effects.append(.keepMedia(true))
    }

    /// … and purged after the open clip has been closed, so that what the clip owns is not lost with it.
    mutating func purgeMedia(_ effects: inout [Effect]) {
        guard !intent.eventsAllowed, keepsMedia else { return }
        keepsMedia = false
        effects.append(.keepMedia(false))
    }

    /// `isNew`: media has not been wanted before; what a transport wants of the time before has no clip yet.
    private mutating func openClip(isNew: Bool, at now: Instant, _ effects: inout [Effect]) {
        recorder.clips &+= 1
        let number = ClipNumber(recorder.clips)
        var order = ClipOrder(
            number: number, cause: .continuous, event: nil, trigger: recorder.wantedSince ?? now,
            preRollMs: isNew ? max(intent.policy.transportPreRollMs ?? 0, 0) : 0)
        if intent.policy.mode == .event, let (event, window) = trigger.active {
            let first = recorder.eventWithClip != event
            order = ClipOrder(
                number: number, cause: window.cause, event: event, trigger: window.began,
                preRollMs: first ? max(intent.policy.preRollMs, 0) : 0)
        }
        recorder.state = .opening(
            Recorder.Clip(number: number, event: order.event, ended: nil), deadline: now + timing.openMs)
        effects.append(.openClip(order))
    }

    /// Media is wanted in this clip. In event mode one that belongs to no event is left from continuous mode: the event's own clip
    /// follows it at the next key frame, so that the blind time waits for that one.
    private func wants(_ clip: Recorder.Clip) -> Bool {
        mediaWanted && (intent.policy.mode == .continuous || clip.event != nil)
    }

    /// Why an open clip must be closed without waiting for a key frame.
    private var whyNotNow: ClipEnd? {
        if intent.draining { return .draining }
        if intent.blocked { return .privacy }
        if !intent.enabled { return .disabled }
        if intent.policy.mode == .off { return .policy }
        if intent.storage == .lost { return .storage }
        return link.phase == .streaming ? nil : .linkLost
    }

    private mutating func cutClip(
        _ clip: Recorder.Clip, _ why: ClipEnd, at now: Instant, _ effects: inout [Effect]
    ) {
        recorder.state = .cutting(clip, why, grace: now + timing.graceMs)
        effects.append(.closeClip(clip.number, .keyframe, why))
    }

    private mutating func closeNow(
        _ clip: Recorder.Clip, _ why: ClipEnd, at now: Instant, _ effects: inout [Effect]
    ) {
        effects.append(.closeClip(clip.number, .now, why))
        release(clip, why, end: now, at: now, &effects)
    }

    /// The clip's media has ended at `end`; what came since is wanted in the next one.
    private mutating func release(
        _ clip: Recorder.Clip, _ why: ClipEnd, end: Instant, at now: Instant, _ effects: inout [Effect]
    ) {
        let opening = if case .opening = recorder.state { true } else { false }
        recorder.state = .idle
        recorder.graces = nil
        recorder.wantedSince = min(end, now)
        recorder.closing.append(
            Recorder.Closing(
                number: clip.number, event: clip.event, opened: !opening, deadline: now + timing.closeMs))
        effects.append(.report(.clipEnded(clip.number, why)))
    }

    private mutating func retryLater(_ number: ClipNumber, at now: Instant, _ effects: inout [Effect]) {
        recorder.failures = timing.counting(recorder.failures)
        let waitMs = timing.waitMs(timing.retryMs, failures: recorder.failures)
        recorder.retryAt = now + waitMs
        effects.append(.report(.clipFailed(number, retryMs: waitMs)))
    }

    private var clipLengthMs: Int64 { max(intent.policy.clipLengthMs, 1_000) }

    /// A known end so shortly after `cutAt` that a cut could leave a short rest before it: the clip may as well go on until then.
    /// At the schedule's change the clip ends at once, so the grace of the cut before it is taken from what would be left; at an
    /// event's end the last clip waits for a key frame itself.
    private func knownEnd(after cutAt: Instant) -> Instant? {
        func soon(_ end: Instant?, grace: Int64) -> Instant? {
            end.flatMap { $0 > cutAt && $0 - cutAt - timing.restMs < grace ? $0 : nil }
        }
        let event = intent.policy.mode == .event ? trigger.active?.window.due : nil
        return earliest(soon(event, grace: 0), soon(intent.policyUntil, grace: timing.graceMs))
    }

    /// `early`: what is said of the open clip cannot be true yet, rather than having been said before.
    private func ignore(_ number: ClipNumber, early: Bool, _ effects: inout [Effect]) {
        let known = number.rawValue > 0 && number.rawValue <= recorder.clips
        guard known, recorder.clip?.number == number else { return effects.append(.ignored(known ? .late : .unknown)) }
        effects.append(.ignored(early ? .early : .duplicate))
    }
}
