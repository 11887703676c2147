/// The message catalog that `journalctl -x` reads, made from the kinds: `systemd/vigil.catalog`.
public enum MessageCatalog {
    /// The whole file. Entries are in the order of the kinds.
    public static var text: String {
        header + MessageKind.allCases.map(entry).joined(separator: "\n")
    }

    private static let header = """
        # The message catalog of Vigil, generated from MessageKind in Sources/Journal; a test compares.
        # Installed to /usr/lib/systemd/catalog/, read by journalctl -x after journalctl --update-catalog.


        """

    private static func entry(_ kind: MessageKind) -> String {
        let entry = kind.entry
        return """
            -- \(kind.id)
            Subject: \(entry.subject)
            Defined-By: Vigil
            Documentation: man:vigil(8)

            \(entry.explanation)

            What to do: \(entry.remedy)

            """
    }
}
