extension MessageKind {
    static let webhookEntries: [MessageKind: MessageEntry] = [
        .webhookFailing: MessageEntry(
            .warning, "the webhook cannot be told", [Phrase("", .why), Phrase("", .url)],
            subject: "The receiver of the webhook at @VIGIL_URL@ takes no notice",
            explanation: """
                @VIGIL_WHY@. Stages of uploads wait for it, at most 100,000; the journal and its stream have them at once, and
                uploads go on.
                """,
            remedy: "Look at the receiver, at cloud.webhook.url and its credential. It is tried again by itself."),
        .webhookWorking: MessageEntry(
            .notice, "the webhook is told again",
            [Phrase("after ", .durationMs, " ms"), Phrase("", .count, " notices had waited")],
            subject: "The receiver of the webhook takes notices again",
            explanation:
                "@VIGIL_COUNT@ notices had waited for it. They are sent now, those of each upload in their order.",
            remedy: "Nothing to do."),
        .webhookRefused: MessageEntry(
            .warning, "the webhook's receiver does not take a notice",
            [Phrase("job ", .job), Phrase("notice ", .notice), Phrase("stage ", .stage), Phrase("", .why)],
            subject: "The receiver of the webhook does not take notice @VIGIL_NOTICE@ of job @VIGIL_JOB@",
            explanation: """
                @VIGIL_WHY@. It is tried again, every 15 min at the latest; later stages of this upload wait behind it, those
                of others do not.
                """,
            remedy: "Look at what the receiver says of it. A notice that it does not want it may answer with 200."),
        .webhookDropped: MessageEntry(
            .warning, "notices for the webhook are given up", [Phrase("", .count), Phrase("", .why)],
            subject: "@VIGIL_COUNT@ notices are not told to the receiver of the webhook",
            explanation: "@VIGIL_WHY@. The journal has told each of these stages.",
            remedy:
                "Where the receiver needs them, \"vigil cloud queue --all\" shows where each upload stands."),
    ]
}
