public import Logging

/// Sends the statements of swift-log to the journal: the message stays as it is written in the source, metadata becomes
/// fields (`VIGIL_` and the key in upper case; `camera` becomes VIGIL_CAMERA).
public struct JournalLogHandler: LogHandler {
    /// Fields from metadata that one record carries at most; further ones are left out.
    static let metadataFieldsMax = 64

    /// The least level that is recorded.
    public var logLevel: Logger.Level = .info
    /// Metadata of every statement of this logger.
    public var metadata: Logger.Metadata = [:]
    /// Metadata of the task, asked at each statement.
    public var metadataProvider: Logger.MetadataProvider?

    private let journal: Journal
    private let label: String

    /// A handler for the logger `label` over `journal`.
    public init(label: String, journal: Journal, metadataProvider: Logger.MetadataProvider? = nil) {
        self.label = label
        self.journal = journal
        self.metadataProvider = metadataProvider
    }

    /// One piece of the logger's metadata.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Records one statement. Never blocks.
    public func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let given = event.metadata { all.merge(given) { _, new in new } }
        if let error = event.error { all["error"] = "\(error)" }
        let composer = RecordComposer(options: journal.options)
        let camera = all["camera"].map { composer.bounded(Redaction.clean("\($0)")) }
        let words = Escaping.visible(Redaction.clean(event.message.description), scalarsMax: 1_000)
        let message = (camera.map { Escaping.visible($0) + ": " } ?? "") + words
        let priority = Self.priority(of: event.level)
        var record = [
            JournalField(RecordComposer.message, message.utf8),
            JournalField(RecordComposer.priority, "\(priority.rawValue)".utf8),
            JournalField(RecordComposer.identifier, journal.options.identifier.utf8),
            JournalField(.run, journal.run.value),
            JournalField(.logger, composer.bounded(label)),
            JournalField(.source, composer.bounded(event.source)),
            JournalField(FieldName(wellKnown: .codeFile), event.file.utf8),
            JournalField(FieldName(wellKnown: .codeLine), "\(event.line)".utf8),
            JournalField(FieldName(wellKnown: .codeFunction), event.function.utf8),
        ]
        // Sorted, so that the same statement gives the same record.
        for (key, value) in all.sorted(by: { $0.key < $1.key }).prefix(Self.metadataFieldsMax) {
            let text = composer.bounded(Redaction.clean("\(value)"))
            record.append(JournalField(FieldName(metadataKey: key), text.utf8))
        }
        journal.send(record, line: (priority, camera, words + Self.suffix(all)))
    }

    /// The syslog priority of a level; trace and debug are one.
    static func priority(of level: Logger.Level) -> Priority {
        switch level {
        case .trace, .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }

    /// Lines have no fields, so they show the metadata behind the message.
    private static func suffix(_ metadata: Logger.Metadata) -> String {
        metadata.filter { $0.key != "camera" }.sorted { $0.key < $1.key }.prefix(metadataFieldsMax)
            .map { " \(Escaping.visible($0.key))=" + Escaping.visible(Redaction.clean("\($0.value)")) }.joined()
    }
}
