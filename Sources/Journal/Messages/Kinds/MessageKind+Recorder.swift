extension MessageKind {
    static let recorderEntries: [MessageKind: MessageEntry] = [
        .clipOpened: MessageEntry(
            .info, "clip opened",
            [
                Phrase("", .clip), Phrase("for ", .cause, in: .clipCause), Phrase("chained to ", .chainedTo),
                Phrase("pre-roll ", .preRollDeliveredMs, " ms"), Phrase("of ", .preRollPromisedMs, " ms promised"),
                Phrase("", .shortfall, in: .shortfall),
            ],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ was opened",
            explanation: """
                The clip is in the catalog and takes media. Where pre-roll was promised, the message says how much of it there
                was, and why it was less.
                """,
            remedy: "Nothing to do. Where pre-roll falls short by \"memory\", raise the limit of the pre-roll ring."),
        .clipOpenFailed: MessageEntry(
            .error, "clip could not be opened",
            [Phrase("", .detail), Phrase("again in ", .retryMs, " ms")],
            subject: "A clip of camera @VIGIL_CAMERA@ could not be opened",
            explanation: """
                Creating the files or the row failed: @VIGIL_DETAIL@. Vigil tries again with growing waits;
                what the pre-roll ring still holds by then is not lost.
                """,
            remedy: "Look at room, rights and health of the disk; \"vigil fsck\" checks the catalog."),
        .clipClosed: MessageEntry(
            .info, "clip closed",
            [
                Phrase("", .clip), Phrase("", .why, in: .clipEnd), Phrase("", .durationMs, " ms"),
                Phrase("", .bytes, " bytes"), Phrase("", .damagedFrames, " frames lack packets"),
            ],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ is durable",
            explanation: "Its last fragment is on the disk and its row is closed. It ended because of: @VIGIL_WHY@.",
            remedy: "Nothing to do."),
        .clipIncomplete: MessageEntry(
            .error, "clip incomplete", [Phrase("", .clip), Phrase("", .detail)],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ could not be closed",
            explanation: """
                The end of the clip could not be made durable within its bound: @VIGIL_DETAIL@. What was synchronised
                before is safe; recovery closes the clip at the next start.
                """,
            remedy: "Look at the health of the disk; then \"vigil fsck\"."),
        .writeFailed: MessageEntry(
            .error, "write failed", [Phrase("clip ", .clip), Phrase("", .detail)],
            subject: "Something could not be written",
            explanation: "Writing failed: @VIGIL_DETAIL@. If it was a clip, the clip ends with what is written.",
            remedy: "Look at room, rights and health of the disk. Recording resumes by itself."),
        .ringOverrun: MessageEntry(
            .error, "packets dropped before they were written",
            [Phrase("", .count, " packets"), Phrase("", .why)],
            subject: "Media of camera @VIGIL_CAMERA@ was dropped",
            explanation: """
                The disk took media more slowly than the camera sent it, until the ring in memory was full:
                @VIGIL_COUNT@ packets are lost. The clip has a hole and is ended before it.
                """,
            remedy: "Use a faster disk, fewer cameras on it, a lower bit rate, or a larger ring."),
    ]
}
