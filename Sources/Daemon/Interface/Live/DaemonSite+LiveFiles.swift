internal import Journal
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    func liveFile(
        _ file: LiveFile, _ request: LiveRequest, player id: String?, from awaited: LiveAwaited?
    ) async throws -> [UInt8] {
        guard let id else { return try await main(request) }
        guard let player = players.player(id, of: request.camera) else {
            throw gone(file, request, "its view is over: it ended, or nothing was asked for a while")
        }
        guard Self.isNear(file, awaited, player.segments) else {
            throw gone(file, request, "it is older than what is kept, or further ahead than what is waited for")
        }
        let clock = clock
        let found = await player.wait { segments in
            segments.bytes(of: file, from: awaited) {
                LivePlaylist(segments: segments, query: "player=\(id)", wall: clock.wall)
            }
        }
        if let found { return found }
        guard player.segments == nil else {
            throw SiteError(
                .unavailable, what: "the file \(file.name) of camera \(request.camera)'s live view",
                why: "nothing came for \(LivePlayer.waitMsMax / 1_000) s", remedy: "ask again when the camera is back")
        }
        throw gone(file, request, "its view has ended")
    }

    /// Begins a view, and says what there is as soon as the first part is there.
    private func main(_ request: LiveRequest) async throws -> [UInt8] {
        let place = try players.places.take(for: request.caller)
        let player = players.begin(request, try await watch(request), place, clock: clock)
        let clock = clock
        let main = await player.wait { segments -> String? in
            guard let first = segments.segments.first, first.wholeParts.contains(where: { $0 > 0 }) else { return nil }
            let list = LivePlaylist(segments: segments, query: "player=\(player.id)", wall: clock.wall)
            return list.main(bitsPerSecond: first.bitsPerSecond)
        }
        guard let main else {
            player.leave()
            throw SiteError(
                .unavailable, what: "the playlist of camera \(request.camera)'s live view",
                why: "the camera has sent nothing within \(LivePlayer.waitMsMax / 1_000) s, or its picture was hidden",
                remedy: "`vigil state \(request.camera)` tells how its link is; ask again later")
        }
        return Array(main.utf8)
    }

    private func gone(_ file: LiveFile, _ request: LiveRequest, _ why: String) -> SiteError {
        SiteError(
            .notFound, what: "the file \(file.name) of camera \(request.camera)'s live view", why: why,
            remedy: "begin again with main.m3u8")
    }

    /// Whether what is asked for is there or can come soon; others are not waited for.
    private static func isNear(_ file: LiveFile, _ awaited: LiveAwaited?, _ segments: LiveSegments?) -> Bool {
        guard let segments else { return false }
        let (first, last) = (segments.segments.first?.number ?? 0, segments.segments.last?.number ?? 0)
        switch file {
        case .main, .header: return true
        case .playlist: return awaited.map { $0.number <= last + 2 } ?? true
        case .segment(_, let number), .part(_, let number, _): return (first...(last + 1)).contains(number)
        }
    }
}

extension LiveSegments {
    /// A file of the view; nil while it is not there.
    func bytes(of file: LiveFile, from awaited: LiveAwaited?, _ list: () -> LivePlaylist) -> [UInt8]? {
        switch file {
        case .main: return nil
        case .playlist(let track):
            // Players that know no parts give up a list without a segment.
            guard holds(awaited, track), segments.contains(where: \.isWhole) else { return nil }
            return Array(list().list(track).utf8)
        case .header(let track, let run):
            return self.track(track.kind, in: run).flatMap { runs[run]?[$0].header.encoded() }
        case .segment(let track, let number):
            guard let segment = segments.first(where: { $0.number == number }), segment.isWhole,
                let place = self.track(track.kind, in: segment.run)
            else { return nil }
            return segment.tracks[place].flatMap(\.bytes)
        case .part(let track, let number, let part):
            guard let segment = segments.first(where: { $0.number == number }),
                let place = self.track(track.kind, in: segment.run)
            else { return nil }
            if part < segment.wholeParts[place] { return segment.tracks[place][part].bytes }
            // A part that was announced and never came: the next segment begins with what it would hold (RFC 8216bis, 6.2.2).
            guard segment.isWhole, let next = segments.first(where: { $0.number == number + 1 }),
                let place = self.track(track.kind, in: next.run), next.run == segment.run, next.wholeParts[place] > 0
            else { return nil }
            return next.tracks[place][0].bytes
        }
    }

    /// Whether a list has what was waited for.
    private func holds(_ awaited: LiveAwaited?, _ track: LiveFile.Track) -> Bool {
        guard let awaited, let last = segments.last else { return awaited == nil }
        if last.number > awaited.number { return true }
        guard last.number == awaited.number else { return false }
        if last.isWhole { return true }
        guard let part = awaited.part, let place = self.track(track.kind, in: last.run) else { return false }
        return last.wholeParts[place] > part
    }
}

extension LiveFile.Track {
    /// What such a track carries.
    var kind: TrackKind { self == .video ? .video : .audio }
}

extension LiveSegments.Segment {
    /// How much it is a second, for a player that chooses: what it was so far, and half of that more.
    fileprivate var bitsPerSecond: Int {
        let durationUs = tracks.indices.map(durationUs).max() ?? 0
        guard durationUs > 0 else { return 1_000_000 }
        let bits = Double(bytes) * 8 * 1_000_000 / Double(durationUs) * 1.5
        return Int(min(1_000_000_000, max(100_000, bits)))
    }
}
