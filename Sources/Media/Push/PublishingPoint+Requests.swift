import Hashing
package import Machines
import Synchronization

/// What a pusher's requests say.
extension PublishingPoint {
    /// A request of `pusher` begins. Throws where somebody else pushes, or too many are under way. Each that has begun must be ended.
    /// Returns the generation of the right to push.
    func begin(_ pusher: Pusher, at now: Instant) throws(PushRefusal) -> UInt64 {
        let begun: Result<UInt64, PushRefusal> = state.withLock { state in
            if let other = state.pusher, other != pusher, now - state.lastAt < PushLimits.silenceMs {
                return .failure(
                    PushRefusal(
                        .conflict, "\(other) has pushed here for \((now - state.since) / 1_000) s",
                        "stop it, or try again \(PushLimits.silenceMs / 1_000) s after its last byte"))
            }
            guard state.requests < PushLimits.requestsMax else {
                return .failure(
                    PushRefusal(
                        .busy, "\(state.requests) requests are under way, which is the most",
                        "push one after the other"))
            }
            state.requests += 1
            return .success(state.generation)
        }
        return try begun.get()
    }

    /// The request is over, which held so many bytes.
    func end(holding bytes: Int) {
        state.withLock { state in
            state.requests -= 1
            state.bodyBytes -= bytes
        }
    }

    /// A request holds so many bytes more, or fewer. Throws where all together hold too many; they count all the same.
    func hold(_ bytes: Int) throws(PushRefusal) {
        let isTooMuch = state.withLock { state in
            state.bodyBytes += bytes
            return bytes > 0 && state.bodyBytes > PushLimits.waitingBytesMax
        }
        if isTooMuch {
            throw PushRefusal(
                .busy, "requests that are not whole hold \(PushLimits.waitingBytesMax) bytes, which is the most",
                "push shorter fragments, or one after the other")
        }
    }

    /// Something was refused.
    package func note(_ refusal: PushRefusal, of pusher: Pusher, at now: Instant) {
        let told = state.withLock { state -> ((@Sendable (Happening) -> Void), Int)? in
            state.refusals.count += 1
            guard now - state.refusals.toldAt >= Self.tellMs, let tell = state.tell else { return nil }
            defer { state.refusals = (0, now) }
            return (tell, state.refusals.count)
        }
        if let (tell, count) = told { tell(.refused(pusher, refusal, count: count)) }
    }

    /// Bytes of `pusher` came.
    func heard(_ pusher: Pusher, at now: Instant) {
        state.withLock { if $0.pusher == pusher { $0.lastAt = max($0.lastAt, now) } }
    }

    /// A header came, in a request that began in `generation`.
    func take(
        header tracks: [PushedTrack], digest: SHA256.Value, at path: PushPath, of pusher: Pusher,
        generation: UInt64, at now: Instant
    ) throws(PushRefusal) {
        let result: Result<(@Sendable () -> Void)?, PushRefusal> = state.withLock { state in
            if let other = state.pusher, other != pusher, now - state.lastAt < PushLimits.silenceMs {
                return .failure(PushRefusal(.conflict, "\(other) pushes here", "stop it"))
            }
            guard state.generation == generation else {
                return .failure(
                    PushRefusal(.unauthenticated, "who may push has changed", "push with the login that holds now"))
            }
            let isOther = state.pusher != pusher
            let isNew =
                isOther || now - state.lastAt >= PushLimits.silenceMs || state.session?.name != path.session
            // Nothing changes where it is refused.
            var after = state
            // The same camera goes on: at another address, or with other keys.
            let goesOn = state.sessionLogin == pusher.login && state.session?.has(path, digest) == true
            // A pusher without sessions that has done something else before. What else is under way may be long.
            let isAnew =
                state.requests <= 1
                && state.session.map { $0.knows(path) || now - $0.takenAt < PushLimits.silenceMs } == false
            do throws(PushRefusal) {
                // What another has named its sessions is no matter of this one.
                if isOther, !goesOn { after.ended = [] }
                if isOther && !goesOn || isAnew || after.session?.name != path.session {
                    try after.beginSession(path.session, isOther: isOther && !goesOn, at: now)
                }
                after.sessionLogin = pusher.login
                try after.session?.take(path, digest, tracks, at: now)
            } catch { return .failure(error) }
            if isOther || now - after.lastAt >= PushLimits.silenceMs { after.since = now }
            (after.pusher, after.lastAt) = (pusher, max(after.lastAt, now))
            state = after
            // Sessions of one pusher that follow each other fast are told now and then.
            guard isNew, let tell = state.tell, isOther || now - state.beganToldAt >= Self.tellMs else {
                return .success(nil)
            }
            state.beganToldAt = now
            return .success { tell(.began(pusher, session: path.session)) }
        }
        switch result {
        case .success(let tell): tell?()
        case .failure(let refusal): throw refusal
        }
    }

    /// The tracks of the header to which a fragment at `path` belongs, with the header's place.
    func header(
        of path: PushPath, tracks: [UInt32], of pusher: Pusher, generation: UInt64, at now: Instant
    ) throws(PushRefusal) -> HeaderPlace {
        let missing = PushRefusal(
            .headerMissing, "no header of this track was pushed", "push the header, then this again")
        let found: Result<HeaderPlace, PushRefusal> = state.withLock { state in
            guard state.pusher == pusher, state.generation == generation, let session = state.session else {
                return .failure(missing)
            }
            if let before = state.previous(at: now), before.name == path.session, session.name != path.session,
                let place = before.header(of: path, tracks: tracks)
            {
                return .success(HeaderPlace(before, place))
            }
            if session.name != path.session, state.ended.contains(path.session) {
                return .failure(
                    PushRefusal(
                        .conflict, "the session \(session.name) has taken over from \(path.session)",
                        "push the newest session alone"))
            }
            guard session.name == path.session, let place = session.header(of: path, tracks: tracks) else {
                return .failure(missing)
            }
            return .success(HeaderPlace(session, place))
        }
        return try found.get()
    }

    /// Where the header of a fragment is, as it was when the fragment was taken apart.
    struct HeaderPlace: Sendable {
        let session: UInt64
        let place: Int
        let version: Int
        let tracks: [PushedTrack]

        init(_ session: PushSession, _ place: Int) {
            (self.session, self.place) = (session.number, place)
            (version, tracks) = (session.headers[place].version, session.headers[place].tracks)
        }
    }

    /// Offers the fragments of a chunk. Until it is `done`, nothing of it counts as taken.
    func offer(
        _ fragments: [(track: Int, fragment: PushedFragment)], header: HeaderPlace, of pusher: Pusher,
        generation: UInt64, since: Instant, at now: Instant
    ) throws(PushRefusal) -> Offer {
        let bytes = fragments.reduce(0) { $0 + $1.fragment.cost }
        var wake: (@Sendable () -> Bool)?
        let result: Result<Offer, PushRefusal> = state.withLock { state in
            let isPrevious =
                state.session?.number != header.session && state.previous(at: now)?.number == header.session
            let session = isPrevious ? state.previous?.session : state.session
            guard state.pusher == pusher, state.generation == generation, let session,
                session.number == header.session, session.headers.indices.contains(header.place),
                session.headers[header.place].version == header.version
            else {
                return .failure(PushRefusal(.conflict, "something else is pushed by now", "push its header again"))
            }
            if isPrevious,
                !fragments.allSatisfy({ session.knows($0.fragment, header: header.place, track: $0.track) }),
                let refusal = state.refusal(ofPrevious: Set(fragments.map { header.tracks[$0.track].kind }), at: now)
            {
                return .failure(refusal)
            }
            state.lastAt = max(state.lastAt, now)
            let isLate = now - since >= PushLimits.holdMs
            if state.reader == nil {
                if state.holds, state.holdsSince == nil { state.holdsSince = now }
                if state.holds, now - state.wokenAt >= PushLimits.wakeMs {
                    state.wokenAt = now
                    wake = state.wake
                }
                if let begin = state.holdsSince, now - begin >= PushLimits.holdMs { state.drop() }
            }
            let isKept = state.reader != nil || state.holds
            if isKept, !state.queue.isEmpty,
                state.queuedBytes + bytes > PushLimits.waitingBytesMax || state.queue.count >= PushLimits.waitingMax
            {
                guard isLate else { return .success(.again) }
                return .failure(
                    PushRefusal(.busy, "\(state.queuedBytes) bytes wait, which is the most", "push it again later"))
            }
            return state.take(fragments, header: header.place, ofPrevious: isPrevious, isKept: isKept, at: now)
        }
        if let wake, !wake() { clearUnread(at: now) }
        return try result.get()
    }
}
