/// Puts a record together: the fixed fields, the cleaned values, the message in words.
struct RecordComposer: Sendable {
    let options: JournalOptions

    /// The values without secrets and within the limit.
    func clean(_ fields: [(Field, String)]) -> [(Field, String)] {
        fields.map { ($0.0, bounded(Redaction.clean($0.1))) }
    }

    func bounded(_ value: String) -> String {
        let limit = options.limits.valueBytesMax
        return value.utf8.count > limit ? Escaping.prefix(value, bytesMax: limit) + "…" : value
    }

    /// The fields of a record for journald; `fields` are clean.
    func fields(
        _ kind: MessageKind, camera: String? = nil, fields: [(Field, String)] = [], priority: Priority? = nil
    ) -> [JournalField] {
        var record = head(
            kind, message: MessageText.render(kind, camera: camera, fields: fields), priority: priority)
        if let camera { record.append(JournalField(.camera, bounded(camera))) }
        for (field, value) in fields { record.append(JournalField(field, value)) }
        return record
    }

    /// What every record of a kind begins with.
    func head(_ kind: MessageKind, message: String, priority: Priority? = nil) -> [JournalField] {
        [
            JournalField(Self.message, message.utf8),
            JournalField(Self.priority, "\((priority ?? kind.priority).rawValue)".utf8),
            JournalField(Self.messageID, kind.id.utf8),
            JournalField(Self.identifier, options.identifier.utf8),
            JournalField(.kind, kind.name),
            JournalField(.run, options.run.value),
        ]
    }

    func line(
        _ kind: MessageKind, camera: String? = nil, fields: [(Field, String)] = [], priority: Priority? = nil,
        format: LineFormat
    ) -> [UInt8]? {
        format.line(
            wallMs: MachineClock().wallMs(), priority: priority ?? kind.priority, camera: camera, fields: fields,
            message: MessageText.render(kind, camera: nil, fields: fields))
    }

    static let message = FieldName(wellKnown: .message)
    static let priority = FieldName(wellKnown: .priority)
    static let messageID = FieldName(wellKnown: .messageID)
    static let identifier = FieldName(wellKnown: .identifier)
}
