internal import Journal
internal import Machines

/// One step of a job's machine, and what follows from it.
extension Uploads {
    /// Takes a step, and carries out what it orders.
    @discardableResult
    func step(
        _ work: UploadWork, _ event: Upload.Event, by user: String? = nil, at instant: Instant? = nil
    ) -> [Upload.Effect] {
        let now = max(instant ?? host.clock.now(), work.last)
        let before = work.machine
        let effects = work.machine.step(event, at: now)
        work.last = now
        // A timer may fire a moment early: then nothing has happened.
        if event == .tick, work.seq > 0, work.machine == before {
            setTimer(work, now)
            return effects
        }
        work.seq += 1
        steps.step(
            upload: work.name, camera: work.camera, seq: work.seq, at: now, event: event, machine: work.machine,
            effects: effects, by: user)
        for effect in effects {
            guard perform(effect, of: event, work) else {
                // What the machine has become is not kept: it is made again from what is, as after a crash.
                isUnkept = true
                letGo(work)
                return effects
            }
        }
        setTimer(work, now)
        return effects
    }

    private func setTimer(_ work: UploadWork, _ now: Instant) {
        work.timer.set(afterMs: work.machine.nextDeadline.map { max($0 - now, 1) })
    }
}
