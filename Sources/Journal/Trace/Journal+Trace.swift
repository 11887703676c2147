public import Machines
internal import Synchronization

extension Journal {
    /// A whole state is written with every step whose number is a multiple of this, with the first step of a camera in a
    /// run, and with the first one after records were lost.
    public static let stateInterval: UInt64 = 256

    /// Records one step of a camera's machine, for replay. Without journald nothing is written.
    ///
    /// - Parameters:
    ///   - camera: the camera whose machine stepped.
    ///   - seq: the number of the step; rises by one for each camera and run of the daemon.
    ///   - at: the instant that went into the step.
    ///   - input: the machine event.
    ///   - state: the state after the step.
    ///   - effects: what the step ordered, in order.
    ///   - visible: whether the step changed something that people want to see; then the record carries
    ///     VIGIL_CAMERA too.
    ///   - fields: what a reader should see of the step: `.event` (the machine event's name), `.from`, `.to`, `.why`.
    /// - Returns: the digest of the step; nil where nothing was written.
    /// - Throws: ``JournalError/notEncodable(subject:cause:)``.
    @discardableResult
    public func trace<Input: Encodable, State: Encodable, Effect: Encodable>(
        camera: String, seq: UInt64, at: Instant, input: Input, state: State, effects: [Effect], visible: Bool,
        fields: [(Field, String)] = []
    ) throws -> Digest? {
        observer?(.step(camera: camera, seq: seq, at: at, input: input, state: state, effects: effects))
        guard let native else { return nil }
        let inputText = Redaction.clean(try CanonicalJSON.text(of: input))
        let stateBytes = try CanonicalJSON.encode(state)
        let digest = Digest(
            at: at, input: inputText, stateBytes: stateBytes, effectsBytes: try CanonicalJSON.encode(effects))
        let composer = RecordComposer(options: options)
        let shown = composer.clean(fields)
        let message = MessageText.render(.machineStep, camera: camera, fields: [(.seq, "\(seq)")] + shown)
        var record = composer.head(.machineStep, message: message)
        if visible { record.append(JournalField(.camera, composer.bounded(camera))) }
        record.append(JournalField(.trace, composer.bounded(camera)))
        record.append(JournalField(.seq, "\(seq)"))
        record.append(JournalField(.at, "\(at.ms)"))
        record.append(JournalField(.boot, boot?.value ?? ""))
        record.append(JournalField(.version, options.version))
        record.append(JournalField(.digest, digest.description))
        record.append(JournalField(.input, inputText))
        if owesState(camera: camera, seq: seq, lost: native.lostEver) {
            record.append(JournalField(FieldName(.state), Redaction.clean(stateBytes)))
        }
        for (field, value) in shown where !Field.reserved.contains(field) {
            record.append(JournalField(field, value))
        }
        native.send(NativeFormat.encode(record))
        return digest
    }

    private func owesState(camera: String, seq: UInt64, lost: Int) -> Bool {
        stateWritten.withLock { written in
            // A camera that was removed and added again begins with step 1 once more.
            guard seq != 1, seq % Self.stateInterval != 0, written[camera] == lost else {
                written[camera] = lost
                return true
            }
            return false
        }
    }
}

extension Digest {
    /// The digest of a step, as in VIGIL_DIGEST: over the instant in milliseconds, the input as it was written, the canonical
    /// JSON of the state after the step, and that of the effects, with a newline between each two.
    ///
    /// - Throws: ``JournalError/notEncodable(subject:cause:)``.
    public init<State: Encodable, Effect: Encodable>(
        at: Instant, input: String, state: State, effects: [Effect]
    ) throws {
        self.init(
            at: at, input: input, stateBytes: try CanonicalJSON.encode(state),
            effectsBytes: try CanonicalJSON.encode(effects))
    }

    init(at: Instant, input: String, stateBytes: [UInt8], effectsBytes: [UInt8]) {
        var bytes = Array("\(at.ms)\n\(input)\n".utf8)
        bytes.reserveCapacity(bytes.count + stateBytes.count + 1 + effectsBytes.count)
        bytes += stateBytes
        bytes.append(UInt8(ascii: "\n"))
        bytes += effectsBytes
        self.init(of: bytes)
    }
}
