extension MessageKind {
    /// The MESSAGE_ID: 32 lower-case hexadecimal digits.
    public var id: String { rawValue }

    /// The kind's name, as in VIGIL_KIND.
    public var name: String { "\(self)" }

    /// The priority of a record of this kind unless the caller names another.
    public var priority: Priority { entry.priority }

    /// The constant words of the kind's MESSAGE.
    public var text: String { entry.text }

    /// The fixed words of the kind.
    var entry: MessageEntry {
        // A test holds the table complete; the fallback says at least the kind's name.
        Self.entries[self]
            ?? MessageEntry(.info, name, subject: name, explanation: "A record of Vigil.", remedy: "Nothing to do.")
    }

    /// The fields that its catalog entry names: each record of the kind has them, else `journalctl -x` shows a hole.
    package var needed: Set<Field> { Self.needs[self] ?? [] }

    private static let needs = entries.mapValues { entry in
        let pieces = [entry.subject, entry.explanation, entry.remedy].flatMap { words in
            words.split(separator: "@", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        }
        return Set(pieces.compactMap { Field(rawValue: String($0.element)) })
    }

    /// Whether a camera alone can bring such a record about, so that it is one of those that a camera may make in a minute. What
    /// people, the cloud, brokers and receivers bring about is no camera's doing; of the disk only what a camera's clips meet counts.
    var isByCamera: Bool { Self.byCameras.contains(self) }

    private static let byCameras = Set(
        [
            linkEntries, triggerEntries, recorderEntries, toggleEntries, machineEntries, ingestEntries, onvifEntries,
        ].flatMap(\.keys))

    /// All entries, by group; looked up for every record, so built once.
    static let entries: [MessageKind: MessageEntry] = [
        daemonEntries, linkEntries, triggerEntries, recorderEntries, toggleEntries, storageEntries, machineEntries,
        traceEntries, accountEntries, sessionEntries, uploadEntries, planEntries, webhookEntries,
        notificationEntries, transportEntries, ingestEntries, mqttEntries, onvifEntries,
    ].reduce(into: [:]) { all, group in all.merge(group) { first, _ in first } }
}
