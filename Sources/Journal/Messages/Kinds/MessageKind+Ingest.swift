extension MessageKind {
    static let ingestEntries: [MessageKind: MessageEntry] = [
        .ingestBegan: MessageEntry(
            .notice, "pushed", [Phrase("stream ", .track), Phrase("by ", .detail)],
            subject: "Camera @VIGIL_CAMERA@ is pushed",
            explanation: """
                @VIGIL_DETAIL@ pushes media to the stream @VIGIL_TRACK@ of the camera. As long as something comes, nobody else
                may push there; it is told again when another does, when nothing came for ten seconds, and with a session of
                another name.
                """,
            remedy: "Nothing to do, if you know this pusher. Otherwise change the camera's credential."),
        .ingestRefused: MessageEntry(
            .warning, "push refused",
            [Phrase("stream ", .track), Phrase("", .why), Phrase("by ", .detail), Phrase("requests ", .count)],
            subject: "What is pushed to camera @VIGIL_CAMERA@ is not taken",
            explanation: """
                @VIGIL_DETAIL@ pushed something to the stream @VIGIL_TRACK@ that is not taken: @VIGIL_WHY@. VIGIL_COUNT says how
                often something was refused since it was told last; it is told once a minute at most.
                """,
            remedy: """
                Correct the pusher: the answer to it says what to change, and docs/design/ingest-in.md what is taken.
                """),
        .ingestKeysUnreadable: MessageEntry(
            .error, "nobody may push", [Phrase("", .detail)],
            subject: "Nobody may push to camera @VIGIL_CAMERA@",
            explanation: """
                The camera's credential, or the file of its pushCertificates, cannot be read: @VIGIL_DETAIL@. Until it can,
                what is pushed is refused.
                """,
            remedy: "Do what it says, and load the configuration again (systemctl reload vigil)."),
    ]
}
