extension MessageKind {
    static let planEntries: [MessageKind: MessageEntry] = [
        .planChanged: MessageEntry(
            .notice, "cloud plan",
            [
                Phrase("", .to, in: .subscription), Phrase("before: ", .from, in: .subscription),
                Phrase("end of the plan: ", .planEnd), Phrase("recordings in the cloud are deleted at: ", .goneAt),
            ],
            subject: "The cloud plan of camera @VIGIL_CAMERA@ is another one, or has other dates",
            explanation: """
                Before it was @VIGIL_FROM@, now it is @VIGIL_TO@. Clips are sent to the cloud while the plan is active. After its
                end what is there stays for the plan's retention, and is then deleted. Local recordings depend on none of it.
                """,
            remedy:
                "Where the plan has ended: renew it before the date of deletion, or fetch what you need."
        ),
        .planLoadFailed: MessageEntry(
            .warning, "cloud plans cannot be checked", [Phrase("", .detail), Phrase("", .url)],
            subject: "The cloud plans cannot be checked at @VIGIL_URL@",
            explanation: """
                @VIGIL_DETAIL@ (@VIGIL_WHY@). It is asked again every 5 min. The plans that are known hold on until their end, and
                recording depends on none of them.
                """,
            remedy:
                "For unauthorized look at the credential of cloud.subscription, else at the network and the service."
        ),
        .planLoaded: MessageEntry(
            .notice, "cloud plans can be checked again", [Phrase("after ", .durationMs, " ms")],
            subject: "The cloud plans can be checked again",
            explanation: "The service did not answer as it should for @VIGIL_DURATION_MS@ ms.",
            remedy: "Nothing to do."),
        .planUnkept: MessageEntry(
            .error, "cloud plan cannot be kept yet", [Phrase("", .detail)],
            subject: "What follows from a cloud plan cannot be written into the catalog",
            explanation: """
                It is tried again every 5 s, and until then nothing follows from it: uploads stay allowed, or not, as they were.
                The cause: @VIGIL_DETAIL@.
                """,
            remedy: "Look at the storage: \"vigil status\", its room, its mount, the kernel's log for the device."),
        .cloudPurged: MessageEntry(
            .warning, "recordings go from the cloud",
            [Phrase("", .count, " clips"), Phrase("by rule ", .rule), Phrase("end of the plan: ", .planEnd)],
            subject: "All @VIGIL_COUNT@ clips of camera @VIGIL_CAMERA@ that were in the cloud are deleted there",
            explanation: """
                The camera's plan ended, and its retention has passed (rule @VIGIL_RULE@). The clips are in no list any more, and
                their objects are being deleted. Local recordings are not touched.
                """,
            remedy: "Nothing to do. With a new plan, \"vigil cloud push\" sends again what is still there locally."),
        .cloudClipsExpired: MessageEntry(
            .info, "old recordings go from the cloud", [Phrase("", .count, " clips"), Phrase("by rule ", .rule)],
            subject: "@VIGIL_COUNT@ clips of camera @VIGIL_CAMERA@ are deleted from the cloud",
            explanation:
                "They are older than the policy keeps clips there (rule @VIGIL_RULE@). Local recordings are not touched.",
            remedy: "Nothing to do. To keep such clips longer, raise cloud.retention of the camera's policy."),
    ]
}
