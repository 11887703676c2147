extension MessageKind {
    /// The fixed words of the kind.
    var entry: MessageEntry {
        // A test holds the table complete; the fallback says at least the kind's name.
        Self.entries[self]
            ?? MessageEntry(.info, name, subject: name, explanation: "A record of Vigil.", remedy: "Nothing to do.")
    }

    /// All entries, by group; looked up for every record, so built once.
    static let entries: [MessageKind: MessageEntry] = [
        daemonEntries, linkEntries, triggerEntries, recorderEntries, toggleEntries, storageEntries, machineEntries,
    ].reduce(into: [:]) { all, group in all.merge(group) { first, _ in first } }
}
