extension MessageKind {
    static let machineEntries: [MessageKind: MessageEntry] = [
        .machineStep: MessageEntry(
            .debug, "step",
            [Phrase("", .seq), Phrase("", .event), Phrase("from ", .from), Phrase("to ", .to), Phrase("", .why)],
            subject: "Step @VIGIL_SEQ@ of the machine of camera @VIGIL_TRACE@",
            explanation: """
                The camera's machine took the input @VIGIL_INPUT@ at @VIGIL_AT@ ms; state and effects then had the digest
                @VIGIL_DIGEST@.
                """,
            remedy: "Nothing to do. \"vigil replay\" repeats the steps and compares the digests."),
        .machineIgnored: MessageEntry(
            .debug, "input ignored", [Phrase("", .event), Phrase("", .why)],
            subject: "The machine of camera @VIGIL_CAMERA@ ignored an input",
            explanation:
                "The input @VIGIL_EVENT@ did not fit the state (late, repeated or unknown): @VIGIL_WHY@. Nothing changed.",
            remedy: "Nothing to do; a rising count is worth a report to the developers."),
        .obligationOverdue: MessageEntry(
            .error, "overdue", [Phrase("", .obligation), Phrase("for ", .durationMs, " ms")],
            subject: "Camera @VIGIL_CAMERA@ is late with @VIGIL_OBLIGATION@",
            explanation: """
                It did not come within @VIGIL_DURATION_MS@ ms. The closing of a clip is no longer waited for. A connection
                whose hang-up is overdue still has a thread and sockets, and its camera is not dialled before it has ended.
                Where the deadlines of all cameras are overdue, systemd's watchdog restarts Vigil.
                """,
            remedy: """
                A hang-up: the thread is in a call that nothing interrupts. Look at the name server (or write the camera's
                number instead of its name), and for a file at its file system. Anything else: if it repeats, the records
                before it belong into a report to the developers.
                """),
        .journalLost: MessageEntry(
            .warning, "records were lost", [Phrase("", .count, " records")],
            subject: "@VIGIL_COUNT@ records were lost",
            explanation: """
                journald was too slow or gone for so long that @VIGIL_COUNT@ records at this place did not fit into the
                queue. Recording was not held up. "vigil replay" compares again from the next whole state of the trace on.
                """,
            remedy: "Look at the load of the disk under /var/log/journal and at \"systemctl status systemd-journald\"."),
        .clockStepped: MessageEntry(
            .warning, "wall clock stepped", [Phrase("by ", .stepMs, " ms")],
            subject: "The wall clock jumped by @VIGIL_STEP_MS@ ms",
            explanation: """
                Clips and deadlines go by the boot-time clock and are not affected; schedules and the times shown follow
                the new wall clock.
                """,
            remedy: "Nothing to do once; if it repeats, check NTP and the battery of the machine's clock."),
        .clockDoubted: MessageEntry(
            .warning, "wall clock doubted", [Phrase("", .why)],
            subject: "The wall clock is doubted for six hours",
            explanation: """
                It was set, or Vigil did not run for so long: @VIGIL_WHY@. Until it has stayed there for six hours nothing
                is deleted for its age and no plan ends. Recording goes on, and so do the rules of size and of free room.
                """,
            remedy: "Nothing to do where the clock is right. Set it right where it is not: what was kept stays."),
    ]
}
