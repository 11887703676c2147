internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Synchronization

/// Carries out the recorder's orders for one camera: opens clips from the ring, writes whole fragments, cuts, closes.
///
/// All files and catalog rows of the camera are touched on one serial queue, in the order of the orders; the rows of events
/// by an ``EventRecorder``. The input's thread only says that a fragment is whole (`arrived`), a queue entry a key frame.
///
/// `@unchecked Sendable`: everything mutable is confined to `queue`, but for `pace`, which has its own lock.
final class ClipRecorder: @unchecked Sendable {
    /// The most frames taken from the ring at once.
    static let readFrames = 4_096

    /// How long the ring keeps what a clip is owed after the last word about it, in milliseconds: as long as an opening or
    /// a slow disk may take.
    static let oweMs: Int64 = 30_000

    /// A clip that is open.
    struct OpenClip {
        let order: Camera.ClipOrder
        let id: ClipID
        let writer: ClipWriter
        /// Its files' path below the root, without extension.
        let stem: String
        /// Whether each fragment is made durable at once, because it may be sent then.
        let isLive: Bool
        /// Its first frame by both clocks.
        let begin: Moment
        let dial: UInt64
        /// Position of its first frame.
        let first: UInt64
        var cursor: UInt64
        /// The frames before this position are in its files; those up to `cursor` are collected.
        var written: UInt64
        var end: Instant
        var ended: ClipEnd?
        var lastSync: Instant
        /// Bytes of memory that the frames take which are collected.
        var collected = 0
        /// Nothing more is written; the machine has been told.
        var hasFailed = false
        /// Whether sound is recorded in it.
        let takesSound: Bool
        /// Sound came that is not in it.
        var leftSoundOut = false
    }

    let queue: any WorkQueue
    let camera: String
    let ring: PacketRing
    let storage: ClipStorage
    /// Knows the ids of events, on the same queue.
    private let events: EventRecorder
    let journal: Journal
    let inbox: CameraInbox
    let clock: any Clocks
    private let meter: CameraMeter
    var open: OpenClip? { didSet { shown.withLock { $0 = open?.id } } }
    /// Where the previous clip ended in the ring and by the clocks, and which it was: what starts there continues it.
    private var previous: (position: UInt64, dial: UInt64, end: Moment, id: ClipID?, event: EventNumber?)?
    private let pace = Mutex(ClipPace())
    /// Clips that were ordered closed at once, with the position before which they end, until the queue comes to it.
    private let givenUp = Mutex<[ClipNumber: UInt64]>([:])
    let sound: RecordedSound
    /// The open clip, for whoever asks.
    private let shown = Mutex<ClipID?>(nil)
    /// The same with what is in it so far, until its row is closed.
    private let reading = Mutex<GrowingClip?>(nil)

    init(
        camera: String, ring: PacketRing, storage: ClipStorage, events: EventRecorder, queue: any WorkQueue,
        sound: RecordedSound, clock: any Clocks, journal: Journal, inbox: CameraInbox, meter: CameraMeter
    ) {
        self.sound = sound
        self.meter = meter
        self.camera = camera
        self.ring = ring
        self.storage = storage
        self.journal = journal
        self.inbox = inbox
        self.events = events
        self.clock = clock
        self.queue = queue
    }

    /// The clip that is open; nil if none is.
    var current: ClipID? { shown.withLock { $0 } }

    /// The clip that is written, and what is in it so far, until its row is closed; nil if there is none.
    var growing: GrowingClip? { reading.withLock { $0 } }

    /// A frame was stored at `position`. Called by the input's thread; never blocks on a file.
    func arrived(_ frame: Frame, at position: UInt64, opensClip: Bool) {
        if pace.withLock({ $0.take(frame, opensClip: opensClip) }) {
            // As long as the clip is open, a disk that hangs costs nothing but room in the ring.
            ring.extendPin(until: frame.arrival + Self.oweMs)
            let end = opensClip ? position : position + 1
            queue.run { self.drain(upTo: end, isWhole: opensClip) }
        }
    }

    /// Opens a clip as ordered. What it begins with stays in the ring, however long the queue is busy with a slow disk.
    func openClip(_ order: Camera.ClipOrder, _ policy: RecordedPolicy) {
        let now = clock.now()
        // Where no clip at all could begin, that is told at once, however long a disk keeps the queue.
        guard ring.start(wanted: now) != nil else { return inbox.tell(.keyframeMissing(order.number)) }
        ring.pin(from: order.trigger + -order.preRollMs, until: now + Self.oweMs, now: now)
        queue.run { self.begin(order, policy) }
    }

    /// Tells of a key frame of `dial`, if one is there with which a clip could begin.
    func tellKeyframe(of dial: DialNumber) {
        queue.run {
            guard self.ring.start(wanted: self.clock.now(), notBefore: self.previous?.position) != nil else { return }
            self.inbox.tell(.keyframe(dial))
        }
    }

    /// Ends the clip at the next key frame, or with what has arrived by now.
    func closeClip(_ number: ClipNumber, _ point: Camera.ClosePoint, _ why: ClipEnd) {
        let end = ring.holding.next
        if point == .now { givenUp.withLock { $0[number] = end } }
        queue.run {
            if point == .now { self.givenUp.withLock { $0[number] = nil } }
            guard self.open?.order.number == number else { return }
            self.open?.ended = why
            if point == .now {
                self.drain(upTo: end, isWhole: false)
                self.finish(why, tellCut: false)
            }
        }
    }

    /// Keeps media in the ring from now on. What it still holds of a time before is not of the same dial for any reader, and
    /// is purged before a clip is opened.
    func keep() { ring.keep(at: clock.now()) }

    /// Stores nothing more from this moment, and empties the ring of what there is once the clip being closed has taken its
    /// part.
    func purge() {
        let end = ring.seal()
        queue.run {
            self.ring.purge(before: end)
            self.previous = nil
        }
    }

    /// Sound that comes from now on is recorded, or none. A clip that would have it in part ends at the next key frame.
    func recordSound(_ isRecorded: Bool) { sound.turn(isRecorded, from: ring.holding.next, at: clock.now()) }

    func setOpen(_ isOpen: Bool) { pace.withLock { $0 = ClipPace(isOpen: isOpen) } }

    // MARK: On the queue

    private func begin(_ order: Camera.ClipOrder, _ policy: RecordedPolicy) {
        // What follows a clip of the same event goes on where that one ended, which may be within the pre-roll.
        let isContinued = order.event != nil && previous?.event == order.event
        let wanted = isContinued ? Instant(ms: .min) : order.trigger + -order.preRollMs
        guard let start = ring.start(wanted: wanted, notBefore: previous?.position) else {
            return isGivenUp(order, at: .max) ? tellSlow(order) : inbox.tell(.keyframeMissing(order.number))
        }
        if isGivenUp(order, at: start.position) { return tellSlow(order) }
        guard case .frames(let frames, _) = ring.frames(from: start.position, dial: start.dial, limit: 1),
            let first = frames.first
        else { return inbox.tell(.openFailed(order.number)) }
        // A clip that was ended before the next frame had come ends with its last one, and nothing begins there.
        let before = previous.flatMap {
            $0.position == start.position && $0.dial == start.dial && $0.end.monotonicMs == start.instant.ms ? $0 : nil
        }
        let chained = before?.id
        let begin = storage.moment(start.instant, near: before?.end)
        let delivered = max(0, order.trigger - start.instant)
        let shortfall = delivered < order.preRollMs ? start.shortfall ?? .openedLate : nil
        do {
            let clip = try storage.open(
                camera: camera, order: order, policy: policy, first: first, begin: begin, chainedTo: chained,
                event: order.event.flatMap { events.id(of: $0) }, deliveredMs: delivered, shortfall: shortfall)
            open = OpenClip(
                order: order, id: clip.id, writer: clip.writer, stem: clip.stem, isLive: clip.isLive, begin: begin,
                dial: start.dial, first: start.position, cursor: start.position, written: start.position,
                end: start.instant, ended: nil, lastSync: clock.now(), takesSound: sound.includes(start.position))
            reading.withLock { $0 = GrowingClip(id: clip.id, stem: clip.stem, written: clip.writer.written) }
        } catch {
            journal.send(.clipOpenFailed, camera: camera, fields: [(.detail, "\(error)")])
            storage.failed(error)
            return inbox.tell(.openFailed(order.number))
        }
        owe(start.position)
        meter.noteClip(at: clock.now())
        tellOpened(order, start.instant, shortfall, chained)
        setOpen(true)
        inbox.tell(.opened(order.number, start: start.instant, shortfall: shortfall))
        // What the ring already holds is written up to its last key frame; from there `arrived` takes over.
        if let last = ring.start(wanted: clock.now(), notBefore: start.position), last.position > start.position {
            // What came after the clip was given up, while it was being opened too, is not its own.
            let end = givenUp.withLock { $0[order.number] } ?? .max
            drain(upTo: min(last.position, end), isWhole: last.position <= end)
        }
    }

    /// Whether the disk was so slow that the machine has closed what is not open yet. What came before that is still recorded.
    private func isGivenUp(_ order: Camera.ClipOrder, at position: UInt64) -> Bool {
        givenUp.withLock { $0[order.number] }.map { position >= $0 } ?? false
    }

    private func tellSlow(_ order: Camera.ClipOrder) {
        journal.send(
            .clipOpenFailed, camera: camera, fields: [(.detail, "the disk was so slow that the clip was given up")])
        inbox.tell(.openFailed(order.number))
    }

    /// Frames from `position` on are still to be written, or belong to the clip that follows without a hole.
    private func owe(_ position: UInt64) { ring.pin(position, until: clock.now() + Self.oweMs) }

    /// Takes frames up to `end` out of the ring and writes them as fragments. `isWhole`: a key frame is at `end`.
    private func drain(upTo end: UInt64, isWhole: Bool) {
        while let clip = open, !clip.hasFailed, clip.cursor < end {
            let limit = min(Int(end - clip.cursor), Self.readFrames)
            switch ring.frames(from: clip.cursor, dial: clip.dial, limit: limit) {
            case .frames(let frames, _):
                guard !frames.isEmpty else { return }
                guard take(frames) else { return }
            case .dialEnded:
                // The link's loss is on its way to the machine, which will order the close.
                return writeOut()
            case .overrun(let oldest):
                writeOut()
                guard open?.hasFailed == false else { return }
                journal.send(
                    .ringOverrun, camera: camera,
                    fields: [(.clip, "\(clip.id.rawValue)"), (.count, "\(oldest - clip.cursor)")])
                return fail(Overrun(), number: clip.order.number)
            }
        }
        guard let clip = open, !clip.hasFailed, clip.cursor >= end else { return }
        writeOut()
        owe(end)
        guard isWhole, let after = open, !after.hasFailed else { return }
        if let why = after.ended { return finish(why, tellCut: true) }
        // The key frame at the end would be taken with its group only; a change of the stream must be told now.
        guard case .frames(let frames, _) = ring.frames(from: end, dial: after.dial, limit: 1), let next = frames.first
        else { return }
        if !after.writer.accepts(next) {
            streamChanged(at: next, after)
        } else if soundChanged(after) {
            let words = ("recorded", "not recorded")
            self.end(after, at: next, track: .audio, after.takesSound ? words : (words.1, words.0))
        }
    }

    /// Whether sound is recorded now and left out of the clip, or the other way round.
    private func soundChanged(_ clip: OpenClip) -> Bool {
        sound.isOn != clip.takesSound && (sound.isOn ? clip.leftSoundOut : clip.writer.hasSound)
    }

    /// The clip ends before `frame`, which needs another one.
    private func streamChanged(at frame: Frame, _ clip: OpenClip) {
        let before = clip.writer.configuration(of: frame.track)?.words ?? "none"
        end(clip, at: frame, track: frame.kind, (before, frame.configuration.words))
    }

    /// The clip ends before `frame`, because a track is no longer what it was.
    private func end(_ clip: OpenClip, at frame: Frame, track: TrackKind, _ words: (from: String, to: String)) {
        inbox.tell(.streamChanged(clip.order.number, at: frame.arrival))
        journal.send(
            .streamChanged, camera: camera,
            fields: [
                (.clip, "\(clip.id.rawValue)"), (.track, track.rawValue), (.from, words.from), (.to, words.to),
            ])
        finish(.streamChanged, tellCut: false)
    }

    /// Hands frames to the writer; false if the clip ended under way.
    private func take(_ frames: [Frame]) -> Bool {
        for frame in frames {
            guard var clip = open, !clip.hasFailed else { return false }
            if frame.kind == .audio, !clip.takesSound || !sound.includes(clip.cursor, cameAt: frame.arrival) {
                open?.cursor += 1
                open?.leftSoundOut = true
                continue
            }
            guard clip.writer.accepts(frame) else {
                writeOut()
                streamChanged(at: frame, clip)
                return false
            }
            if frame.opensClip, frame.kind == .video, clip.writer.waitingCount > 0 {
                writeOut(next: frame)
                guard let after = open, !after.hasFailed else { return false }
                clip = after
            }
            clip.writer.append(frame)
            clip.cursor += 1
            clip.end = frame.arrival
            clip.collected += frame.cost
            open = clip
            // After a disk that was slow there may be a whole ring to collect, which then gives its own frames up.
            if clip.collected >= ClipPace.chunkBytes { writeOut() }
        }
        return true
    }

    /// Writes what is collected as one fragment a track; `next` is the frame that follows, if the caller knows it.
    private func writeOut(next: Frame? = nil) {
        guard let clip = open, !clip.hasFailed else { return }
        do {
            var next = next
            if next == nil, case .frames(let frames, _) = ring.frames(from: clip.cursor, dial: clip.dial, limit: 1) {
                next = frames.first
            }
            try storage.write(clip, next: next, isLast: false)
            open?.written = clip.cursor
            ring.note(writtenBefore: clip.cursor)
            open?.collected = 0
            if clip.isLive || clock.now() - clip.lastSync >= storage.syncMs {
                try storage.sync(clip)
                open?.lastSync = clock.now()
            }
        } catch {
            fail(error, number: clip.order.number)
        }
    }

    /// The clip cannot be written on: the machine is told, and will order it closed.
    private func fail(_ error: any Error, number: ClipNumber) {
        journal.send(
            .writeFailed, camera: camera,
            fields: [(.clip, "\(open?.id.rawValue ?? 0)"), (.detail, "\(error)")])
        storage.failed(error)
        open?.hasFailed = true
        setOpen(false)
        inbox.tell(.writeFailed(number))
    }

    /// The clip's media ends before the cursor: files are made durable and the row closed.
    private func finish(_ why: ClipEnd, tellCut: Bool) {
        guard var clip = open else { return }
        setOpen(false)
        if !clip.hasFailed {
            do {
                try storage.write(clip, next: nil, isLast: true)
                clip.written = clip.cursor
            } catch {
                journal.send(
                    .writeFailed, camera: camera, fields: [(.clip, "\(clip.id.rawValue)"), (.detail, "\(error)")])
                storage.failed(error)
                clip.hasFailed = true
            }
        }
        // What was collected and not written is still in the ring, for the next clip; but for what went into one track and
        // not into the other, and for what was held back. Then the next clip does not continue this one.
        if clip.writer.isTorn { clip.written = clip.cursor }
        let hasHole = clip.hasFailed && (clip.writer.isTorn || clip.writer.holdsBack)
        // A clip ends where the next one begins.
        var end = clip.end
        if case .frames(let frames, _) = ring.frames(from: clip.written, dial: clip.dial, limit: 1),
            let next = frames.first
        {
            end = next.arrival
        }
        let last = storage.end(max(end, Instant(ms: clip.begin.monotonicMs)), begin: clip.begin)
        if clip.written > clip.first {
            previous = (clip.written, clip.dial, last, hasHole ? nil : clip.id, clip.order.event)
        }
        open = nil
        if tellCut { inbox.tell(.cut(clip.order.number, at: end)) }
        let complete = storage.close(clip, camera: camera, end: last, why: why)
        reading.withLock { $0 = nil }
        inbox.tell(.closed(clip.order.number, complete: complete))
    }

    /// The writer was so slow that the ring had to give up frames it had not taken.
    private struct Overrun: Error, CustomStringConvertible {
        var description: String { "the disk took media more slowly than it came, and the ring was full" }
    }

    private func tellOpened(
        _ order: Camera.ClipOrder, _ start: Instant, _ shortfall: Shortfall?, _ chained: ClipID?
    ) {
        let message = StepMessage.clipOpened(
            order, start: start, shortfall: shortfall, clip: open.map { "\($0.id)" } ?? "",
            chainedTo: chained.map { "\($0)" })
        journal.send(message.kind, camera: camera, fields: message.known ?? [])
    }
}
