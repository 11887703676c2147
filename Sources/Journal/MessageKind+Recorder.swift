extension MessageKind {
    static let recorderEntries: [MessageKind: MessageEntry] = [
        .clipOpening: MessageEntry(
            .debug, "opening clip", [Phrase("", .clip), Phrase("for ", .cause, in: .clipCause)],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ is being opened",
            explanation: "The files are created and made durable before the clip is entered into the catalog.",
            remedy: "Nothing to do."),
        .clipOpened: MessageEntry(
            .info, "clip opened",
            [
                Phrase("", .clip), Phrase("for ", .cause, in: .clipCause), Phrase("chained to ", .chainedTo),
                Phrase("pre-roll ", .preRollDeliveredMs, " ms"), Phrase("of ", .preRollPromisedMs, " ms promised"),
                Phrase("", .shortfall, in: .shortfall),
            ],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ was opened",
            explanation: """
                The clip is entered and takes media. Delivered pre-roll: @VIGIL_PREROLL_DELIVERED_MS@ ms of
                @VIGIL_PREROLL_PROMISED_MS@ ms.
                """,
            remedy: "Nothing to do. Where pre-roll falls short by \"memory\", raise the limit of the pre-roll ring."),
        .clipOpenFailed: MessageEntry(
            .error, "clip could not be opened",
            [
                Phrase("", .clip), Phrase("", .path), Phrase("", .errno), Phrase("", .detail),
                Phrase("again in ", .retryMs, " ms"),
            ],
            subject: "A clip of camera @VIGIL_CAMERA@ could not be opened",
            explanation: """
                Creating the files or the row failed: @VIGIL_DETAIL@ (@VIGIL_ERRNO@). Vigil tries again with growing
                waits; what the pre-roll ring still holds by then is not lost.
                """,
            remedy: "Look at room, rights and health of the disk under @VIGIL_PATH@; \"vigil fsck\" checks the catalog."
        ),
        .clipCut: MessageEntry(
            .info, "clip cut", [Phrase("", .clip), Phrase("", .why), Phrase("after ", .durationMs, " ms")],
            subject: "A clip of camera @VIGIL_CAMERA@ was cut",
            explanation: "The clip reached its length; the next one follows without a hole and is chained to it.",
            remedy: "Nothing to do. \"forced\" means that no key frame came within the grace time: shorten the GOP."),
        .clipClosed: MessageEntry(
            .info, "clip closed",
            [
                Phrase("", .clip), Phrase("", .why, in: .clipEnd), Phrase("", .durationMs, " ms"),
                Phrase("", .bytes, " bytes"),
            ],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ is durable",
            explanation: "Its last fragment is on the disk and its row is closed. It ended because of: @VIGIL_WHY@.",
            remedy: "Nothing to do."),
        .clipIncomplete: MessageEntry(
            .error, "clip incomplete", [Phrase("", .clip), Phrase("", .errno), Phrase("", .detail)],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ could not be closed",
            explanation: """
                The end of the clip could not be made durable within its bound: @VIGIL_DETAIL@. What was synchronised
                before is safe; recovery closes the clip at the next start.
                """,
            remedy: "Look at the health of the disk; then \"vigil fsck\"."),
        .writeFailed: MessageEntry(
            .error, "write failed", [Phrase("", .clip), Phrase("", .path), Phrase("", .errno), Phrase("", .detail)],
            subject: "Media of camera @VIGIL_CAMERA@ could not be written",
            explanation:
                "Writing to @VIGIL_PATH@ failed: @VIGIL_DETAIL@ (@VIGIL_ERRNO@). The clip ends with what is written.",
            remedy: "Look at room, rights and health of the disk. Recording resumes by itself."),
        .ringOverrun: MessageEntry(
            .error, "packets dropped before they were written",
            [Phrase("", .count, " packets"), Phrase("", .durationMs, " ms"), Phrase("", .why)],
            subject: "Media of camera @VIGIL_CAMERA@ was dropped",
            explanation: """
                The disk took media more slowly than the camera sent it, until the ring in memory was full:
                @VIGIL_COUNT@ packets are lost. The clip has a hole and is ended before it.
                """,
            remedy: "Use a faster disk, fewer cameras on it, a lower bit rate, or a larger ring."),
    ]
}
