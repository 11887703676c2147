import Machines

extension PublishingPoint.State {
    /// The session before, while what it has pushed is known.
    func previous(at now: Instant) -> PushSession? {
        previous.flatMap { now - $0.until < PushLimits.repeatsMs ? $0.session : nil }
    }

    /// What is wrong with new fragments of these kinds in the session before; nil: nothing.
    func refusal(ofPrevious kinds: Set<TrackKind>, at now: Instant) -> PushRefusal? {
        guard now >= previous?.until ?? now || kinds.contains(where: { session?.hasBegun($0) ?? false }) else {
            return nil
        }
        return PushRefusal(.conflict, "the next session has begun", "push the newest session alone")
    }

    /// Drops what waits: nothing that had come by now may come back.
    mutating func clear(at now: Instant) {
        drop()
        clearedAt = now
    }

    mutating func drop() {
        dropped += UInt64(queue.count)
        (queue, queuedBytes, holds) = ([], 0, false)
    }

    /// A name is for one session, for as long as another goes on: a camera that begins anew begins with its first name again.
    mutating func beginSession(_ name: String, isOther: Bool, at now: Instant) throws(PushRefusal) {
        let goesOn = !isOther && session.map { now - $0.takenAt < PushLimits.silenceMs } ?? false
        guard !goesOn || !ended.contains(name) || name.isEmpty else {
            throw PushRefusal(
                .conflict, "the session \(session?.name ?? "") has taken over from \(name)",
                "begin a session of another name, or try again when \(PushLimits.silenceMs / 1_000) s have passed")
        }
        ended.removeAll { $0 == name }
        previous = isOther ? nil : session.map { ($0, now + PushLimits.overlapMs) }
        if !isOther, let old = session, !old.name.isEmpty, old.name != name {
            ended.append(old.name)
            if ended.count > PublishingPoint.endedKept { ended.removeFirst() }
        }
        sessions = max(sessions, session?.number ?? 0) + 1
        session = PushSession(number: sessions, name: name, at: now)
    }

    mutating func take(
        _ fragments: [(track: Int, fragment: PushedFragment)], header: Int, ofPrevious: Bool, isKept: Bool,
        at now: Instant
    ) -> Result<PublishingPoint.Offer, PushRefusal> {
        var late = 0
        var taken = 0
        for (track, fragment) in fragments {
            // Changed in its place: what is known of it is large.
            guard
                let (verdict, item) = ofPrevious
                    ? previous?.session.judged(fragment, header: header, track: track, mayBeginAnew: false, at: now)
                    : session?.judged(fragment, header: header, track: track, mayBeginAnew: true, at: now)
            else { continue }
            switch verdict {
            case .repeated: repeated += 1
            case .late: late += 1
            case .new:
                guard isKept else {
                    dropped += 1
                    continue
                }
                taken += 1
                guard let item else { continue }
                queue.append(item)
                queuedBytes += fragment.cost
            }
        }
        guard late == 0 || taken > 0 else {
            return .failure(
                PushRefusal(
                    .conflict, "it lies before what was taken of its track, and is none of the latest fragments again",
                    "push fragments in order; push the header first where the times begin anew"))
        }
        return .success(.done)
    }
}

extension PushSession {
    /// What a fragment is, and how it goes on where it is new; nil where its header has no such track.
    mutating func judged(
        _ fragment: PushedFragment, header: Int, track: Int, mayBeginAnew: Bool, at now: Instant
    ) -> (Verdict, PublishingPoint.Item?)? {
        guard headers.indices.contains(header), headers[header].tracks.indices.contains(track) else { return nil }
        let verdict = judge(fragment, header: header, track: track, mayBeginAnew: mayBeginAnew, at: now)
        guard case .new(let missing) = verdict else { return (verdict, nil) }
        let delayMs = delayMs(of: fragment, header: header, track: track, at: now)
        let place = headers[header]
        return (
            verdict,
            PublishingPoint.Item(
                session: number, key: PublishingPoint.key(place.path, track), version: place.version,
                track: place.tracks[track], fragment: fragment, missing: missing, arrival: now, delayMs: delayMs)
        )
    }
}
