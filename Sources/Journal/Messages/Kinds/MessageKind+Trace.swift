extension MessageKind {
    static let traceEntries: [MessageKind: MessageEntry] = [
        .traceFailed: MessageEntry(
            .warning, "trace cannot be written", [Phrase("", .why), Phrase("steps waiting: ", .count)],
            subject: "The trace of the machines cannot be written",
            explanation: """
                The disk does not take it: @VIGIL_WHY@. Recording is not held up. Steps wait in memory, and those that find
                no room there are lost. It is tried again every 5 s.
                """,
            remedy: "Look at the storage: room, mount, the kernel's log for the device."),
        .traceResumed: MessageEntry(
            .notice, "trace is written again", [Phrase("steps lost: ", .count), Phrase("after ", .durationMs, " ms")],
            subject: "The trace is written again; @VIGIL_COUNT@ steps were lost",
            explanation: """
                The disk was slow or gone. What waited is written; a record stands in the place of the @VIGIL_COUNT@ steps that
                found no room. Replay goes on behind it from each camera's next whole state, which was written at once.
                """,
            remedy: "Nothing to do. If it repeats, look at the load of the disk."),
        .traceCut: MessageEntry(
            .notice, "torn end of the trace cut off",
            [Phrase("", .bytes, " bytes"), Phrase("behind record ", .seq), Phrase("", .path)],
            subject: "@VIGIL_BYTES@ bytes at the end of @VIGIL_PATH@ were cut off",
            explanation: """
                Vigil was killed, or the power failed, while a record was being written: behind record @VIGIL_SEQ@ nothing was
                whole. The trace goes on there and says so.
                """,
            remedy: "Nothing to do. If Vigil did not stop by a power cut or kill, look for a crash before this record."),
        .traceDamaged: MessageEntry(
            .error, "trace is damaged",
            [Phrase("", .count, " records"), Phrase("from record ", .seq, " on"), Phrase("", .path)],
            subject: "@VIGIL_COUNT@ records of @VIGIL_PATH@ do not fit into the chain",
            explanation: """
                The first of them would be record @VIGIL_SEQ@. They were altered, removed or damaged since they were written.
                Nothing of the file was changed; the records behind them are good.
                """,
            remedy: "\"vigil trace verify\" names each. Check the disk, and who may write to it."),
        .traceFileSkipped: MessageEntry(
            .warning, "file of the trace left as it is", [Phrase("", .path), Phrase("", .why)],
            subject: "@VIGIL_PATH@ in the folder of the trace is left as it is",
            explanation: """
                It cannot be read, or not be deleted: @VIGIL_WHY@. The trace goes on in another file, and what is in this one is
                missing from it.
                """,
            remedy: "Look at what it is, and at the kernel's log for the device; move it out of the folder."),
        .traceDeleted: MessageEntry(
            .info, "file of the trace deleted",
            [Phrase("", .path), Phrase("by rule ", .rule), Phrase("", .bytes, " bytes")],
            subject: "@VIGIL_PATH@ was deleted",
            explanation: """
                The deletion followed the rule @VIGIL_RULE@. What Vigil decided in that time cannot be asked for any more; the
                recordings are not touched.
                """,
            remedy: "Nothing to do. To keep the trace longer, raise trace.keep or trace.maxSize."),
    ]
}
