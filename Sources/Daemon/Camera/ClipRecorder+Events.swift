internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Synchronization

extension ClipRecorder {
    /// Enters an event that began, before its clip is opened on the same queue; gives the id that it will have.
    func eventBegan(_ number: EventNumber, _ cause: ClipCause, _ level: Sensitivity?, at now: Instant) -> EventID {
        let id = storage.newEventID()
        queue.run {
            do {
                self.notes.begin(number)
                try self.storage.eventBegan(id, camera: self.camera, cause: cause, level: level, at: now)
                self.events[number] = id
            } catch {
                self.journal.send(.writeFailed, camera: self.camera, fields: [(.detail, "event: \(error)")])
                self.storage.failed(error)
            }
        }
        return id
    }

    /// Closes the event's row, and keeps what was learnt of it. `picture`: the arrival of the frame with most motion.
    func eventEnded(_ number: EventNumber, _ why: Trigger.Why, picture: Instant?, at now: Instant) {
        queue.run {
            guard let id = self.events.removeValue(forKey: number) else { return }
            self.lastEvent = (number, id)
            self.notes.end(number, id, picture: picture, names: self.zoneNames.withLock { $0 })
            defer { self.writeNotes() }
            do { try self.storage.eventEnded(id, why: why, at: now) } catch {
                self.journal.send(.writeFailed, camera: self.camera, fields: [(.detail, "event: \(error)")])
                self.storage.failed(error)
            }
        }
    }

    /// A detection passed while the event was active, or began it.
    func passed(_ number: EventNumber, _ zones: Zones) { queue.run { self.notes.passed(number, zones) } }

    /// A detection did not count.
    func suppressed(_ level: Sensitivity, _ why: Camera.Suppression, during number: EventNumber?, at now: Instant) {
        queue.run {
            let id = number.flatMap { number in
                self.events[number] ?? (self.lastEvent?.number == number ? self.lastEvent?.id : nil)
            }
            self.notes.suppressed(level, why, during: id, at: self.storage.moment(now))
            self.noteTimer.set(afterMs: EventNotes.gapMs)
        }
    }

    /// Writes what was learnt and is not written yet, also runs that could go on.
    func keepNotes() { queue.run { self.writeNotes(all: true) } }

    /// Writes the details of events and the runs that are over. What cannot be written is tried again with what comes next.
    func writeNotes(all: Bool = false) {
        let (details, runs) = notes.take(now: all ? nil : clock.now())
        if notes.hasRuns { noteTimer.set(afterMs: EventNotes.gapMs) }
        guard !details.isEmpty || !runs.isEmpty else { return }
        do { try storage.keep(details, runs.map { $0.row(camera: camera) }, camera: camera) } catch {
            let lost = notes.putBack(details, runs)
            journal.send(
                .writeFailed, camera: camera, fields: [(.detail, "notes of events: \(error)"), (.count, "\(lost)")],
                priority: .debug)
        }
    }
}
