package import Machines
internal import Synchronization
public import Trace

extension Journal {
    /// Tells a step of a camera's machine to the observer of a simulation; false where there is none, which is when steps are
    /// to be written.
    package func observe<Input: Encodable, State: Encodable, Effect: Encodable>(
        camera: String, seq: UInt64, at: Instant, input: Input, state: State, effects: [Effect]
    ) -> Bool {
        guard let observer else { return false }
        observer(.step(camera: camera, seq: seq, at: at, input: input, state: state, effects: effects))
        return true
    }

    /// Whether steps go to the observer of a simulation and are not to be written.
    package var isObserved: Bool { observer != nil }

    /// No step of the machines of this name comes any more, or only of one that begins with its whole state.
    public func forgetTrace(of name: String) { stateWritten.withLock { $0[name] = nil } }

    /// Records one step of a camera's machine, for replay. Without journald nothing is written.
    ///
    /// - Parameters:
    ///   - step: the step with its whole state, free of secrets.
    ///   - visible: whether the step changed something that belongs into the camera's life; then the record carries
    ///     VIGIL_CAMERA too.
    ///   - fields: what a reader should see of the step: `.event` (the machine event's name), `.from`, `.to`, `.why`.
    public func trace(_ step: TraceStep, visible: Bool, fields: [(Field, String)] = []) {
        guard let native else { return }
        let composer = RecordComposer(options: options)
        let shown = composer.clean(fields)
        let message = MessageText.render(.machineStep, camera: step.name, fields: [(.seq, "\(step.seq)")] + shown)
        var record = composer.head(.machineStep, message: message)
        if visible { record.append(JournalField(.camera, composer.bounded(step.name))) }
        record.append(JournalField(.trace, composer.bounded(step.name)))
        if step.kind != .camera { record.append(JournalField(.machine, composer.bounded(step.kind.rawValue))) }
        record.append(JournalField(.seq, "\(step.seq)"))
        record.append(JournalField(.at, "\(step.at.ms)"))
        record.append(JournalField(.boot, boot?.value ?? ""))
        record.append(JournalField(.version, options.version))
        record.append(JournalField(.digest, step.digest.description))
        record.append(JournalField(.input, step.input))
        record.append(JournalField(.effects, step.effects))
        if owesState(step, lost: native.lostEver), let state = step.state { record.append(JournalField(.state, state)) }
        for (field, value) in shown where !Field.reserved.contains(field) {
            record.append(JournalField(field, value))
        }
        native.send(NativeFormat.encode(record))
    }

    private func owesState(_ step: TraceStep, lost: Int) -> Bool {
        stateWritten.withLock { written in
            // A camera that was removed and added again begins with step 1 once more.
            guard !step.isWhole, written[step.name]?[step.kind] == lost else {
                written[step.name, default: [:]][step.kind] = lost
                return true
            }
            return false
        }
    }
}
