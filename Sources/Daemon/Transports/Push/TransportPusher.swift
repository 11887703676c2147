internal import Catalog
internal import Ingest
internal import Journal
internal import Machines
internal import Media
internal import Server
internal import Synchronization

/// Pushes what one transport records to its address (docs/design/ingest.md): takes the frames of the ring, makes segments of them, and
/// hands them over.
///
/// `@unchecked Sendable`: everything mutable is confined to `queue`.
final class TransportPusher: @unchecked Sendable {
    /// What of the options of a transport says how it is pushed.
    struct Settings: Hashable, Sendable {
        let point: IngestPoint
        let tlsEndpoint: Int
        let interface: IngestSession.Interface
        let names: [TrackKind: String]
        let segmentMs: Int64
        let chunkMs: Int64

        /// Nil where nothing is pushed: there is no address, or what is kept cannot be followed.
        init?(_ options: TransportOptions) {
            let cmaf = options.containerOptions?.cmafContainerOptions
            guard let point = options.url.flatMap(IngestPoint.init), let segmentMs = cmaf?.segmentDuration,
                let interface = cmaf?.cmafInterface.flatMap(IngestSession.Interface.init)
            else { return nil }
            var names: [TrackKind: String] = [:]
            names[.video] = options.videoStreams?.first?.name
            names[.audio] = options.audioStreams?.first?.name
            guard !names.isEmpty, names.values.allSatisfy(IngestSession.isName) else { return nil }
            (self.point, self.interface, self.names) = (point, interface, names)
            (self.segmentMs, chunkMs, tlsEndpoint) = (segmentMs, cmaf?.chunkDuration ?? 0, options.tlsEndpointID ?? 0)
        }
    }

    let settings: Settings
    /// The id of its transport.
    let transport: Int64
    /// Where the frames of its camera come from.
    let tap: RingTap
    /// The name of its camera.
    let camera: String
    private let number: Int
    private let catalog: Catalog
    private let host: any Host
    private let journal: Journal
    private let pusher: IngestPusher
    let queue: any WorkQueue
    private lazy var timer = queue.timer { [weak self] in self?.wake() }
    private var maker: SegmentMaker?
    private var reader: Int?
    /// The number of the session that is made; nil between sessions, and where it could not be had.
    private var session: Int64?
    /// Where the last recording ended in the ring.
    private var taken: UInt64 = 0
    /// The recording that is read, by its number.
    private var recording = 0
    /// Changed at once, while the queue may be waiting for a disk.
    private let permission = Mutex(PushPermission())

    /// The most bytes of memory that one holds besides what waits: what is cut, and the segment that is put, with its bytes as they
    /// are sent. The frames that it has not read are its camera's.
    static let bytesMax = 3 * SegmentMaker.bytesMax
    /// How often a recording is looked at while the camera sends nothing, in milliseconds.
    private static let lookMs: Int64 = 1_000

    init(
        _ settings: Settings, _ kept: KeptTransport, tap: RingTap, catalog: Catalog, host: any Host, journal: Journal,
        sender: @escaping @Sendable (Int) async -> Result<any IngestSender, IngestFailure>,
        onOver: @escaping @Sendable (TransportPusher) -> Void
    ) {
        (self.settings, self.tap, self.catalog, self.host, self.journal) = (settings, tap, catalog, host, journal)
        (transport, camera, number) = (kept.id, kept.camera, kept.number)
        queue = host.queue("vigil.push.\(kept.camera)")
        let clock = host.clock
        let words = Words(journal: journal, camera: kept.camera, number: kept.number)
        let relay = Relay()
        let endpoint = settings.tlsEndpoint
        pusher = IngestPusher(
            settings.point, seed: UInt64(bitPattern: kept.id), nowMs: { clock.now().ms },
            makeSender: { await sender(endpoint) }
        ) { news in
            words.tell(news)
            relay.tell(news)
        }
        relay.owner = self
        host.begin { [weak self, pusher] in
            await pusher.run()
            if let self { onOver(self) }
        }
    }

    /// Brings news of the pusher to the queue.
    private final class Relay: @unchecked Sendable {
        // Written once, before anything is pushed.
        weak var owner: TransportPusher?

        func tell(_ news: IngestPusher.News) {
            guard case .gaveUp(let session, _, _) = news, let owner else { return }
            owner.queue.run { owner.gaveUp(session) }
        }
    }

    /// How it stands.
    var state: IngestPusher.State { pusher.state }

    /// What may wait, in bytes.
    func bound(bytes: Int) { pusher.bound(bytes: bytes) }

    /// Its transport records from `instant` on, and what came `preRollMs` before.
    func begin(at instant: Instant, preRollMs: Int64) {
        let recording = permission.withLock { $0.begin() }
        queue.run {
            self.release()
            self.recording = recording
            self.maker = self.fresh()
            self.reader = self.tap.open(
                instant, preRollMs: preRollMs, notBefore: self.taken, kinds: Set(self.settings.names.keys)
            ) { [weak self] in
                guard let self else { return }
                self.queue.run { self.drain() }
            }
            self.drain()
            self.timer.set(afterMs: Self.lookMs)
        }
    }

    /// Its transport records no longer. What forbids recording forbids what waits, too.
    func end(_ why: PushTransport.Why, at instant: Instant) {
        switch why {
        case .quiet, .limit, .modified, .draining:
            queue.run {
                self.drain(before: instant)
                if var maker = self.maker { self.hand(maker.finish(at: instant)) }
                self.release()
            }
        case .inactive, .privacy, .disabled, .off, .deallocated, .expired: forbid(why)
        }
    }

    /// Nothing that was recorded until now may leave, whether its transport records at present or not.
    func forbid(_ why: PushTransport.Why) {
        // What is handed over before this is dropped, and nothing of these recordings after it.
        let last = permission.withLock { $0.forbid() }
        pusher.drop(why.rawValue)
        queue.run { if self.recording <= last { self.release() } }
    }

    /// Its transport is gone: what waits is put, and then nothing more.
    func close() { queue.run { self.pusher.close() } }

    /// Ends at once.
    func stop() { pusher.stop() }

    // MARK: On the queue

    private func release() {
        timer.set(afterMs: nil)
        if let reader { taken = max(taken, tap.close(reader)) }
        (reader, maker) = (nil, nil)
        if let session { pusher.end(session) }
        session = nil
    }

    private func fresh() -> SegmentMaker {
        let form = SegmentMaker.Form(
            segmentMs: settings.segmentMs, chunkMs: settings.chunkMs, kinds: Set(settings.names.keys))
        let clock = host.clock
        return SegmentMaker(form) { clock.wallMs().addingClamped($0 - clock.now()) }
    }

    private func wall(_ instant: Instant) -> Int64 { host.clock.wallMs().addingClamped(instant - host.clock.now()) }

    private func wake() {
        guard reader != nil else { return }
        timer.set(afterMs: Self.lookMs)
        drain()
        if tap.isLost { hand(maker?.idle(at: host.clock.now()) ?? []) }
    }

    private func drain(before end: Instant? = nil) {
        guard let reader else { return }
        while true {
            let frames = tap.take(reader)
            if frames.isEmpty { return }
            for taken in frames {
                if let end, taken.frame.arrival >= end { continue }
                hand(maker?.take(taken.frame, dial: taken.stretch) ?? [])
            }
        }
    }

    private func hand(_ items: [SegmentMaker.Item]) {
        for item in items {
            switch item {
            case .began(let tracks, let began): begin(tracks, at: began)
            case .segment(let segment):
                guard let session else { continue }
                permission.withLock { if $0.allows(recording) { pusher.add(segment, to: session) } }
            case .ended:
                if let session { pusher.end(session) }
                session = nil
            }
        }
    }

    private func begin(_ tracks: [SegmentMaker.Track], at began: Instant) {
        let beganWallMs = wall(began)
        do {
            let number = try host.disk(.event, "transport") {
                try catalog.beginSession(ofTransport: transport, atWallMs: beganWallMs)
            }
            session = number
            pusher.begin(
                IngestSession(
                    number: number, interface: settings.interface, segmentMs: settings.segmentMs,
                    beganWallMs: beganWallMs,
                    tracks: tracks.compactMap { track in
                        settings.names[track.kind].map { IngestSession.Track(name: $0, header: track.header) }
                    }))
        } catch {
            // What comes from the next key frame on is tried as another session.
            (session, maker) = (nil, fresh())
            journal.send(.writeFailed, camera: camera, fields: [(.detail, "session of transport \(number): \(error)")])
        }
    }

    /// A session is put no further: what comes from the next key frame on is another one.
    private func gaveUp(_ session: Int64) {
        guard self.session == session else { return }
        self.session = nil
        maker = fresh()
    }
}

/// The words of what becomes of sessions.
private struct Words: Sendable {
    let journal: Journal
    let camera: String
    let number: Int

    func tell(_ news: IngestPusher.News) {
        switch news {
        case .began(let session): send(.transportPushBegan, session, [])
        case .failing(let session, let why): send(.transportPushWaits, session, [(.why, why)])
        case .recovered(let session, let afterMs):
            send(.transportPushGoesOn, session, [(.durationMs, "\(afterMs)")])
        case .finished(let session, let sums): send(.transportPushed, session, fields(sums))
        case .gaveUp(let session, let sums, let why):
            send(.transportPushGivenUp, session, fields(sums) + [(.why, why)])
        }
    }

    private func fields(_ sums: IngestPusher.Sums) -> [(Field, String)] {
        let holes = sums.holesMs.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) ms" }
        return [(.count, "\(sums.segments)"), (.bytes, "\(sums.bytes)")]
            + (holes.isEmpty ? [] : [(.detail, "stands still or is missing: \(holes.joined(separator: ", "))")])
    }

    private func send(_ kind: MessageKind, _ session: Int64, _ more: [(Field, String)]) {
        journal.send(
            kind, camera: camera, fields: [(.transport, "\(number)"), (.session, "\(session)")] + more)
    }
}
