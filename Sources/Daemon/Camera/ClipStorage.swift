internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// What of the policy in force goes into a clip's row.
struct RecordedPolicy: Sendable {
    let name: String
    let revision: String
    let mode: Mode
}

/// Opens and closes clips in the storage by the procedures of docs/design/durability.md: file, directory, row; then
/// fragments; then data, row. Blocking; each camera calls it on its own queue.
final class ClipStorage: Sendable {
    /// A clip that has been opened.
    struct Opened {
        let id: ClipID
        let writer: ClipWriter
        /// Its files' path below the root, without extension.
        let stem: String
        /// Whether what is written of it may go up at once.
        let isLive: Bool
    }

    /// The longest time that written media may be undurable, in milliseconds.
    let syncMs: Int64
    let catalog: Catalog
    let bootID: String
    private let host: any Host
    private let journal: Journal
    private let uploads: UploadChoices
    private let notifications: NotificationChoices
    private let live: LiveClips
    private let onFailure: @Sendable (any Error) -> Void
    private let onClosed: @Sendable () -> Void
    /// Clips whose files or row could not be closed, with what they ended with; closed as soon as the storage can.
    private let owed = Mutex<[ClipID: Owed]>([:])

    /// Events whose row could not be closed.
    private let owedEvents = Mutex<[EventID: (end: Moment, why: EventEnd)]>([:])

    private struct Owed {
        let camera: String
        let end: Moment
        let why: ClipEnd
    }

    /// `onFailure` is told each error of file or catalog, to find out whether the storage is lost; `onClosed`, that a clip was
    /// closed, whose job may be due now.
    init(
        catalog: Catalog, bootID: String, syncMs: Int64, uploads: UploadChoices,
        notifications: NotificationChoices, live: LiveClips, host: any Host,
        journal: Journal, onFailure: @escaping @Sendable (any Error) -> Void, onClosed: @escaping @Sendable () -> Void
    ) {
        self.catalog = catalog
        self.bootID = bootID
        self.syncMs = syncMs
        self.host = host
        self.journal = journal
        self.uploads = uploads
        self.notifications = notifications
        self.live = live
        self.onFailure = onFailure
        self.onClosed = onClosed
    }

    /// An error that may mean that the storage is lost.
    func failed(_ error: any Error) { onFailure(error) }

    /// The wall time of an instant, by the offset of the two clocks at present. With `near`, a moment not long before it: on
    /// the scale of that one, unless the wall clock was set since. So what joins without a hole does so by both clocks.
    func moment(_ instant: Instant, near: Moment? = nil) -> Moment {
        let present = host.clock.wallMs() - (host.clock.now() - instant)
        let scaled = near.map { $0.wallMs + (instant.ms - $0.monotonicMs) }
        // Times of this machine's clocks.
        let wall = scaled.flatMap { abs($0 - present) <= Self.clockSetMs ? $0 : nil } ?? present
        return Moment(monotonicMs: instant.ms, wallMs: wall)
    }

    /// Where a clip ends that began at `begin`: by the present offset, so that a chain of clips follows a clock that is slewed;
    /// on the scale of its begin where the clock was set meanwhile, so that its length is right.
    func end(_ instant: Instant, begin: Moment) -> Moment {
        let present = moment(instant)
        let scaled = begin.wallMs + (instant.ms - begin.monotonicMs)
        // Times of this machine's clocks, here too.
        let isSet = abs(present.wallMs - scaled) > Self.clockSetMs
        return Moment(monotonicMs: instant.ms, wallMs: isSet ? scaled : max(present.wallMs, begin.wallMs))
    }

    /// Clocks whose offset changed by more than this during a clip were set, not slewed, in milliseconds.
    static let clockSetMs: Int64 = 500

    /// Creates the clip's first file, makes its directory entry durable, and enters the row.
    func open(
        camera: String, order: Camera.ClipOrder, policy: RecordedPolicy, first: Frame, begin: Moment,
        chainedTo: ClipID?, event: EventID?, deliveredMs: Int64, shortfall: Shortfall?
    ) throws -> Opened {
        guard let paths = ClipPaths(camera: camera, startWallMs: begin.wallMs, token: host.clipToken()) else {
            throw CatalogError(.openClip, path: camera, cause: .unsafePath)
        }
        try host.disk(.makeFolder, paths.folder) { try catalog.makeFolder(of: paths) }
        let stem = paths.stem
        let entry = Entry(catalog: catalog, upload: uploads.job(camera: camera, key: stem))
        let writer = ClipWriter(pathWithoutExtension: catalog.absolutePath(of: stem)) {
            [bootID, catalog, host] track in
            try host.disk(.syncFolder, paths.folder) { try catalog.syncFolder(of: paths) }
            let row = NewTrack(kind: track.kind, codec: track.codec, path: paths.path(track.kind))
            try host.disk(.insertRow, row.path) {
                try entry.add(row) {
                    NewClip(
                        camera: camera, bootID: bootID, start: begin, cause: order.cause, chainedTo: chainedTo,
                        event: event, policy: policy.name, policyRevision: policy.revision,
                        mediaClass: order.event == nil ? .continuous : .event, preRollPromisedMs: order.preRollMs,
                        preRollDeliveredMs: order.preRollMs > 0 ? deliveredMs : 0, shortfall: shortfall)
                }
            }
        }
        try host.disk(.createFile, stem) { try writer.begin(with: first) }
        guard let id = entry.id else { throw CatalogError(.openClip, path: camera, cause: .refused("no row was made")) }
        if entry.isLive { live.began(GrowingClip(id: id, stem: stem, written: writer.written)) }
        return Opened(id: id, writer: writer, stem: stem, isLive: entry.isLive)
    }

    /// Writes what the clip's writer has collected.
    func write(_ clip: ClipRecorder.OpenClip, next: Frame?, isLast: Bool) throws {
        try host.disk(.write, clip.stem) { try clip.writer.flush(next: next, isLast: isLast) }
    }

    /// Makes what was written durable.
    func sync(_ clip: ClipRecorder.OpenClip) throws {
        try host.disk(.syncFile, clip.stem) { try clip.writer.sync() }
        if clip.isLive { live.grew(clip.id) }
    }

    /// Makes the clip's files durable and closes its row; false if part of it could not be kept.
    func close(_ clip: ClipRecorder.OpenClip, camera: String, end: Moment, why: ClipEnd) -> Bool {
        defer { live.ended(clip.id) }
        do {
            let tracks = try host.disk(.finishFile, clip.stem) { try clip.writer.finish() }
            if tracks.allSatisfy({ $0.summary.index.entries.isEmpty }) {
                try host.disk(.delete, "empty") { try Deleter(catalog: catalog).discard(clip.id) }
                throw Empty()
            }
            let scanned = tracks.map { track in
                TrackScanning.row(
                    bytes: track.summary.bytes, fragments: track.summary.fragments,
                    durationMs: track.summary.durationMs, index: track.summary.index.encoded(),
                    codec: track.track.codec, damagedFrames: track.summary.index.damagedCount)
            }
            try host.disk(.closeRow, clip.stem) {
                try catalog.closeClip(
                    clip.id, ClosedClip(end: end, ended: why, incomplete: clip.hasFailed, tracks: scanned))
            }
            let damaged = scanned.reduce(0) { $0 + $1.damagedFrames }
            journal.send(
                .clipClosed, camera: camera,
                fields: [
                    (.clip, "\(clip.id)"), (.why, why.rawValue),
                    (.durationMs, "\(end.monotonicMs - clip.begin.monotonicMs)"),
                    (.bytes, "\(scanned.reduce(0) { $0 + $1.bytes })"),
                ] + (damaged > 0 ? [(.damagedFrames, "\(damaged)")] : []))
            onClosed()
            return !clip.hasFailed
        } catch {
            journal.send(.clipIncomplete, camera: camera, fields: [(.clip, "\(clip.id)"), (.detail, "\(error)")])
            if error is Empty { return false }
            clip.writer.abandon()
            owed.withLock { $0[clip.id] = Owed(camera: camera, end: end, why: why) }
            failed(error)
            return false
        }
    }

    /// Nothing of a clip could be written.
    private struct Empty: Error, CustomStringConvertible {
        var description: String { "nothing of it could be written; it was removed" }
    }

    /// The row of a clip that is being opened: the first track makes it, later ones are added to it.
    private final class Entry {
        private let catalog: Catalog
        private let upload: NewUpload?
        private(set) var id: ClipID?
        var isLive: Bool { upload?.isLive == true }

        init(catalog: Catalog, upload: NewUpload?) {
            self.catalog = catalog
            self.upload = upload
        }

        func add(_ track: NewTrack, _ clip: () -> NewClip) throws {
            if let id {
                _ = try catalog.addTrack(track, to: id)
            } else {
                id = try catalog.openClip(clip(), tracks: [track], upload: upload)
            }
        }
    }
}

extension ClipStorage {
    /// The id of the next event.
    func newEventID() -> EventID { catalog.newEventID() }

    /// Enters an event. `label`: what was recognised as it began.
    func eventBegan(
        _ id: EventID, camera: String, cause: ClipCause, level: Sensitivity?, label: String?, at now: Instant
    ) throws {
        let began = moment(now)
        let event = NewEvent(camera: camera, bootID: bootID, began: began, cause: cause.rawValue, level: level)
        let begun = notifications.begin(of: camera, cause, level, atWallMs: began.wallMs)
        let recognised = label.map { notifications.label($0, of: event, atWallMs: began.wallMs) } ?? []
        let told = NotificationChoices.merged(begun + recognised)
        let labels = label.map { [EventLabel(name: $0, at: began)] } ?? []
        try host.disk(.event, camera) { try catalog.beginEvent(id, event, labels: labels, notifying: told) }
        live.eventBegan()
        if !told.isEmpty { notifications.entered() }
    }

    /// Closes an event's row.
    func eventEnded(_ id: EventID, why: Trigger.Why, at now: Instant) throws {
        let end: EventEnd =
            switch why {
            case .quiet: .quiet
            case .limit: .limit
            case .disabled: .disabled
            case .privacy: .privacy
            case .policy: .policy
            case .draining: .draining
            }
        let last = moment(now)
        do { try close(id, last, end) } catch {
            owedEvents.withLock { $0[id] = (last, end) }
            throw error
        }
    }

    /// Keeps what was recognised during an event. False where the event has the name already, or is gone.
    func label(_ event: EventID, _ label: EventLabel, camera: String) throws -> Bool {
        let isKept = try host.disk(.event, camera) {
            try catalog.recordLabel(label, of: event) { notifications.label(label.name, of: $0, atWallMs: $1) }
        }
        if isKept { notifications.entered() }
        return isKept
    }

    /// Keeps what was learnt of events, and the detections that did not count.
    func keep(_ details: [(EventID, EventDetail)], _ runs: [SuppressedRun], camera: String) throws {
        try host.disk(.event, camera) {
            for (event, detail) in details { try catalog.recordDetail(detail, of: event) }
            try catalog.recordSuppressed(bootID: bootID, runs)
        }
    }

    private func close(_ event: EventID, _ end: Moment, _ why: EventEnd) throws {
        let isTold = try host.disk(.event, "") {
            try catalog.endEvent(event, at: end, why: why, notifying: notifications.end)
        }
        if isTold { notifications.entered() }
    }
}

extension ClipStorage {
    /// Closes the events and clips that could not be closed. Blocking.
    func settleOwed() {
        for (id, owed) in owedEvents.withLock({ $0 }).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            do { try close(id, owed.end, owed.why) } catch let error as CatalogError {
                // A row that is not active any more owes nothing; everything else is tried again.
                guard case .refused = error.cause else { continue }
            } catch { continue }
            owedEvents.withLock { $0[id] = nil }
        }
        settleClips()
    }

    /// Closes what could not be closed while the storage was lost: the files are scanned, as after a restart, and the row
    /// is closed with what the clip had ended with. What fails again is tried again. Blocking.
    private func settleClips() {
        for (id, owed) in owed.withLock({ $0 }).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            do {
                guard let clip = try catalog.clip(id), clip.state == .open else {
                    self.owed.withLock { $0[id] = nil }
                    continue
                }
                let tracks = try clip.tracks.map { try TrackScanning.scanner(catalog.absolutePath(of: $0.path), true) }
                if tracks.allSatisfy({ $0.fragments == 0 }) {
                    try host.disk(.delete, "empty") { try Deleter(catalog: catalog).discard(id) }
                    self.owed.withLock { $0[id] = nil }
                    continue
                }
                // What the row is about to promise must be on the disk before the row is. After a failed sync the kernel takes
                // pages for durable that are not: only what is written again is synced again.
                for track in clip.tracks {
                    let stem = String(track.path.dropLast(".cmfv".count))
                    try host.disk(.write, stem) { try catalog.rewriteFile(track.path) }
                    try host.disk(.syncFile, stem) { try catalog.syncFile(track.path) }
                }
                let duration = tracks.map(\.durationMs).max() ?? 0
                let kept = Moment(
                    monotonicMs: min(owed.end.monotonicMs, clip.start.monotonicMs + duration),
                    wallMs: min(owed.end.wallMs, clip.start.wallMs + duration))
                try host.disk(.closeRow, "") {
                    try catalog.closeClip(id, ClosedClip(end: kept, ended: owed.why, incomplete: true, tracks: tracks))
                }
                self.owed.withLock { $0[id] = nil }
                journal.send(
                    .clipRecovered, camera: owed.camera,
                    fields: [(.clip, "\(id)"), (.durationMs, "\(duration)")])
                onClosed()
            } catch {
                journal.send(
                    .clipIncomplete, camera: owed.camera, fields: [(.clip, "\(id)"), (.detail, "\(error)")],
                    priority: .debug)
            }
        }
    }
}
