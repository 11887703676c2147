/// The MESSAGE of a record: what a reader of plain `journalctl` sees. It is built from the kind's constant words and a few
/// of the fields; text from outside appears only escaped and bounded.
enum MessageText {
    /// `front: link lost: the camera closed the connection`.
    static func render(_ kind: MessageKind, camera: String?, fields: [(Field, String)]) -> String {
        let entry = kind.entry
        let shown = entry.phrases.compactMap { phrase in
            fields.first { $0.0 == phrase.field && !$0.1.isEmpty }.map { phrase.text($0.1) }
        }
        var text = camera.map { Escaping.visible($0) + ": " } ?? ""
        text += entry.text
        if !shown.isEmpty { text += ": " + shown.joined(separator: ", ") }
        return text
    }
}
