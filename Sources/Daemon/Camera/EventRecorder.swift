internal import Catalog
internal import Journal
internal import Machines
internal import Server
internal import Synchronization

/// Carries out the orders of one camera's machine about events: enters their rows, what is kept of each, and the detections
/// that did not count.
///
/// It works on the queue on which the camera's clips are written, in the order of the orders: an event's row is entered before
/// the first clip that names it. An event's id is drawn when it begins, so that ids rise in the order of the orders.
///
/// `@unchecked Sendable`: everything mutable is confined to `queue`, but for `latest` and `zoneNames`, which have their own
/// locks.
final class EventRecorder: @unchecked Sendable {
    /// The last event that began.
    struct Event: Sendable {
        let number: EventNumber
        let id: EventID
        let began: Instant
        var isActive = true
        /// The names of what was recognised during it.
        var labels: Set<String> = []
    }

    /// Who says what nobody asked for, in the journal.
    static let device = "the camera"

    private let camera: String
    private let queue: any WorkQueue
    private let storage: ClipStorage
    private let journal: Journal
    private let clock: any Clocks
    /// The names of the camera's zones in their order.
    private let zoneNames = Mutex<[String]>([])
    private let latest = Mutex<Event?>(nil)
    /// Catalog ids of the events that are entered and not over.
    private var ids: [EventNumber: EventID] = [:]
    /// The last event whose end was entered.
    private var ended: (number: EventNumber, id: EventID)?
    /// What was learnt of events, and the detections that did not count, as far as they are not written.
    private var notes = EventNotes()
    /// Writes the notes on the queue.
    private lazy var timer = queue.timer { [weak self] in self?.write() }

    init(camera: String, queue: any WorkQueue, storage: ClipStorage, clock: any Clocks, journal: Journal) {
        self.camera = camera
        self.queue = queue
        self.storage = storage
        self.clock = clock
        self.journal = journal
    }

    /// The event of this number, if it was the last to begin.
    subscript(number: EventNumber) -> Event? { latest.withLock { $0?.number == number ? $0 : nil } }

    /// The event that is active.
    var active: Event? { latest.withLock { $0?.isActive == true ? $0 : nil } }

    /// The camera's zones have these names from now on.
    func name(zones: [String]) { zoneNames.withLock { $0 = zones } }

    // MARK: Orders

    /// Enters an event that begins, with what was recognised as it did and who said so: whoever is told of the begin finds it.
    func begin(
        _ number: EventNumber, _ cause: ClipCause, level: Sensitivity?, label: (name: String, user: String)? = nil,
        at now: Instant
    ) {
        let id = storage.newEventID()
        let labels = label.map { Set([$0.name]) } ?? []
        latest.withLock { $0 = Event(number: number, id: id, began: now, labels: labels) }
        queue.run {
            self.notes.begin(number)
            self.attempt {
                try self.storage.eventBegan(
                    id, camera: self.camera, cause: cause, level: level, label: label?.name, at: now)
                self.ids[number] = id
                if let label { self.tell(label.name, of: id, by: label.user) }
            }
        }
    }

    /// Enters an event's end, and what was learnt of it. `picture`: the arrival of the frame with most motion.
    func end(_ number: EventNumber, _ why: Trigger.Why, picture: Instant?, at now: Instant) {
        latest.withLock { if $0?.number == number { $0?.isActive = false } }
        queue.run {
            guard let id = self.ids.removeValue(forKey: number) else { return }
            self.ended = (number, id)
            self.notes.end(number, id, picture: picture, names: self.zoneNames.withLock { $0 })
            // What was learnt comes first: who is told of the end reads it.
            self.write()
            self.attempt { try self.storage.eventEnded(id, why: why, at: now) }
        }
    }

    /// A detection counts for an event.
    func noteDetection(_ number: EventNumber, _ zones: Zones) { queue.run { self.notes.passed(number, zones) } }

    /// Whether an event that is active keeps this name, or has it; so where none is.
    func hasRoom(for name: String) -> Bool {
        latest.withLock { event in
            guard let event, event.isActive else { return true }
            return event.labels.count < LabelInfo.ofEventMax || event.labels.contains(name)
        }
    }

    /// Something was recognised in a detection that counts for an event. The event keeps the first of each name while it has room,
    /// and tells of it when it is kept; of an event before the last nothing is kept.
    func label(_ number: EventNumber, _ name: String, _ box: LabelBox?, by user: String, at now: Instant) {
        let isNew = latest.withLock { event in
            guard event?.number == number, event?.labels.count ?? 0 < LabelInfo.ofEventMax else { return false }
            return event?.labels.insert(name).inserted ?? false
        }
        guard isNew else { return }
        queue.run {
            guard !self.keep(name, box, of: number, by: user, at: now) else { return }
            // It may be told again.
            self.latest.withLock { event in
                guard event?.number == number else { return }
                event?.labels.remove(name)
            }
        }
    }

    /// A detection does not count.
    func noteSuppressed(
        _ level: Sensitivity, _ why: Camera.Suppression, during number: EventNumber?, at now: Instant
    ) {
        queue.run {
            let id = number.flatMap { self.ids[$0] ?? (self.ended?.number == $0 ? self.ended?.id : nil) }
            self.notes.suppressed(level, why, during: id, at: self.storage.moment(now))
            self.timer.set(afterMs: EventNotes.gapMs)
        }
    }

    /// Writes what was learnt and is not written yet, also runs that could go on.
    func finish() { queue.run { self.write(all: true) } }

    // MARK: On the queue

    /// The id under which an event that is not over was entered; nil where it could not be.
    func id(of number: EventNumber) -> EventID? { ids[number] }

    /// Enters a name of an event, and tells of it; false where it could not be entered.
    private func keep(
        _ name: String, _ box: LabelBox?, of number: EventNumber, by user: String, at now: Instant
    ) -> Bool {
        guard let id = ids[number] ?? (ended?.number == number ? ended?.id : nil) else { return false }
        var isDone = false
        attempt {
            let label = EventLabel(name: name, at: storage.moment(now), box: box)
            let isNew = try storage.label(id, label, camera: camera)
            isDone = true
            guard isNew else { return }
            tell(name, of: id, by: user)
        }
        return isDone
    }

    private func tell(_ name: String, of event: EventID, by user: String) {
        journal.send(.eventLabelled, camera: camera, fields: [(.event, "\(event)"), (.label, name), (.user, user)])
    }

    private func attempt(_ work: () throws -> Void) {
        do { try work() } catch {
            journal.send(.writeFailed, camera: camera, fields: [(.detail, "event: \(error)")])
            storage.failed(error)
        }
    }

    /// Writes the details of events and the runs that are over. What cannot be written is tried again with what comes next.
    private func write(all: Bool = false) {
        let (details, runs) = notes.take(now: all ? nil : clock.now())
        if notes.hasRuns { timer.set(afterMs: EventNotes.gapMs) }
        guard !details.isEmpty || !runs.isEmpty else { return }
        do { try storage.keep(details, runs.map { $0.row(camera: camera) }, camera: camera) } catch {
            let lost = notes.putBack(details, runs)
            journal.send(
                .writeFailed, camera: camera, fields: [(.detail, "notes of events: \(error)"), (.count, "\(lost)")],
                priority: .debug)
        }
    }
}
