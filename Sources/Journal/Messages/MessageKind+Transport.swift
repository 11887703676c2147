extension MessageKind {
    static let transportEntries: [MessageKind: MessageEntry] = [
        .transportChanged: MessageEntry(
            .notice, "transport changed", [Phrase("", .transport), Phrase("", .to), Phrase("by ", .user)],
            subject: "Transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ is @VIGIL_TO@",
            explanation: """
                It was allocated, modified, set active or inactive, or taken away. A transport records the camera by a trigger of its
                own, beside the camera's own recording.
                """,
            remedy: "Nothing to do. \"vigil transport list @VIGIL_CAMERA@\" shows what holds."),
        .transportBegan: MessageEntry(
            .info, "transport records", [Phrase("", .transport), Phrase("", .cause)],
            subject: "Transport @VIGIL_TRANSPORT@ records camera @VIGIL_CAMERA@",
            explanation: """
                It was triggered by @VIGIL_CAUSE@. While it records, the media of the camera is kept as in continuous mode.
                """,
            remedy:
                "Nothing to do. \"vigil transport recordings @VIGIL_CAMERA@ @VIGIL_TRANSPORT@\" lists what it recorded."
        ),
        .transportEnded: MessageEntry(
            .info, "transport records no longer", [Phrase("", .transport), Phrase("", .why)],
            subject: "Transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ records no longer",
            explanation: "Its recording ended: @VIGIL_WHY@.",
            remedy: "Nothing to do."),
    ]
}
