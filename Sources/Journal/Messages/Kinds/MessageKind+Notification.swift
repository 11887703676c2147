extension MessageKind {
    static let notificationEntries: [MessageKind: MessageEntry] = [
        .receiverFailing: MessageEntry(
            .warning, "a receiver cannot be told",
            [Phrase("", .receiver), Phrase("", .why), Phrase("", .url)],
            subject: "The receiver @VIGIL_RECEIVER@ at @VIGIL_URL@ takes no message",
            explanation: """
                @VIGIL_WHY@. What it is to be told waits, at most 1,000 messages and at most a day; recording and other receivers
                are not concerned.
                """,
            remedy: """
                Look at the receiver, at its address below notify and its credential. It is tried again by itself;
                "vigil notify test NAME" tries it at once.
                """),
        .receiverWorking: MessageEntry(
            .notice, "a receiver is told again",
            [
                Phrase("", .receiver), Phrase("after ", .durationMs, " ms"), Phrase("", .count, " messages had waited"),
            ],
            subject: "The receiver @VIGIL_RECEIVER@ takes messages again",
            explanation: "@VIGIL_COUNT@ messages had waited for it. They are sent now, the oldest first.",
            remedy: "Nothing to do."),
        .receiverRemoved: MessageEntry(
            .notice, "a receiver that could not be told is gone", [Phrase("", .receiver)],
            subject: "The receiver @VIGIL_RECEIVER@ is not configured any more",
            explanation: "It took no message when it was removed from notify. What waited for it is given up.",
            remedy: "Nothing to do if that was meant; else enter it below notify again."),
        .notificationGivenUp: MessageEntry(
            .warning, "a receiver was not told",
            [Phrase("", .receiver), Phrase("", .count, " messages"), Phrase("", .why)],
            subject: "@VIGIL_COUNT@ messages for the receiver @VIGIL_RECEIVER@ are given up",
            explanation: """
                @VIGIL_WHY@. "vigil notify list" shows them. The events themselves are recorded all the same.
                """,
            remedy: "Look at what the receiver says of them, and at its template where it has one."),
        .receiverTried: MessageEntry(
            .notice, "a receiver was sent a trial", [Phrase("", .receiver), Phrase("by ", .user), Phrase("", .why)],
            subject: "@VIGIL_USER@ sent the receiver @VIGIL_RECEIVER@ a trial",
            explanation: "It was taken, unless VIGIL_WHY says why it was not. A trial tells of no event.",
            remedy:
                "Nothing to do if it arrived; else look at the receiver, its address below notify and its credential."),
    ]
}
