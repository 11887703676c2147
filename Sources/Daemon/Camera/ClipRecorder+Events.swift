internal import Catalog
internal import Journal
internal import Machines

extension ClipRecorder {
    /// Enters an event that began, before its clip is opened on the same queue.
    func eventBegan(_ number: EventNumber, _ cause: ClipCause, _ level: Sensitivity?, at now: Instant) {
        queue.run {
            do {
                self.events[number] = try self.storage.eventBegan(
                    camera: self.camera, cause: cause, level: level, at: now)
            } catch {
                self.journal.send(.writeFailed, camera: self.camera, fields: [(.detail, "event: \(error)")])
                self.storage.failed(error)
            }
        }
    }

    /// Closes the event's row.
    func eventEnded(_ number: EventNumber, _ why: Trigger.Why, at now: Instant) {
        queue.run {
            guard let id = self.events.removeValue(forKey: number) else { return }
            do { try self.storage.eventEnded(id, why: why, at: now) } catch {
                self.journal.send(.writeFailed, camera: self.camera, fields: [(.detail, "event: \(error)")])
                self.storage.failed(error)
            }
        }
    }
}
