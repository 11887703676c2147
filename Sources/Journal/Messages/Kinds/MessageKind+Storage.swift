extension MessageKind {
    static let storageEntries: [MessageKind: MessageEntry] = [
        .storageLow: MessageEntry(
            .warning, "storage is low", [Phrase("", .freeBytes, " bytes free"), Phrase("", .path)],
            subject: "The storage under @VIGIL_PATH@ is low",
            explanation: "@VIGIL_FREE_BYTES@ bytes are free. Recording goes on; retention deletes by its rules.",
            remedy: "Lower the retention, or give the storage more room."),
        .storageLost: MessageEntry(
            .critical, "storage lost, recording stopped",
            [Phrase("", .path), Phrase("", .why)],
            subject: "Nothing can be written under @VIGIL_PATH@",
            explanation: """
                The storage is full with nothing that may be deleted, read-only, or gone: @VIGIL_WHY@.
                No camera is recorded until it is back.
                """,
            remedy: "Make room, mount it, or replace it. Recording resumes by itself."),
        .storageOk: MessageEntry(
            .notice, "storage is all right",
            [Phrase("", .freeBytes, " bytes free"), Phrase("was ", .from), Phrase("", .path)],
            subject: "The storage under @VIGIL_PATH@ is all right again",
            explanation:
                "Before it was @VIGIL_FROM@; @VIGIL_FREE_BYTES@ bytes are free. Recording goes by the policies again.",
            remedy: "Nothing to do."),
        .clipProtected: MessageEntry(
            .notice, "clip protected", [Phrase("", .clip), Phrase("by ", .user)],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ is protected",
            explanation: "No retention rule deletes it until it is released. Asked for by @VIGIL_USER@.",
            remedy: "Nothing to do. \"vigil protect --release @VIGIL_CLIP@\" releases it."),
        .clipReleased: MessageEntry(
            .notice, "clip released", [Phrase("", .clip), Phrase("by ", .user)],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ is no longer protected",
            explanation: "Its retention rules hold for it again. Asked for by @VIGIL_USER@.",
            remedy: "Nothing to do."),
        .clipDeleted: MessageEntry(
            .info, "clip deleted",
            [
                Phrase("", .clip), Phrase("by rule ", .rule), Phrase("", .bytes, " bytes"),
                Phrase("asked for by ", .user),
            ],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ was deleted",
            explanation:
                "The deletion followed the rule @VIGIL_RULE@ (\"command\": somebody asked for it). Its time keeps the label \"deleted\" with this rule.",
            remedy: "Nothing to do. To keep such clips longer, change the retention or protect them."),
        .retentionBlocked: MessageEntry(
            .error, "retention is blocked",
            [Phrase("", .why), Phrase("", .freeBytes, " bytes free")],
            subject: "Room is needed and nothing may be deleted",
            explanation:
                "Every clip that is left is protected or too young for its rule: @VIGIL_WHY@. Soon nothing can be written.",
            remedy: "Release protected clips, lower the retention, or give the storage more room."),
        .recoveryFinished: MessageEntry(
            .notice, "recovery finished",
            [Phrase("clips closed: ", .count), Phrase("after ", .durationMs, " ms"), Phrase("", .detail)],
            subject: "Recovery closed @VIGIL_COUNT@ clips",
            explanation:
                "What the last run left open was checked against its files and closed before anything new began.",
            remedy: "Nothing to do."),
        .clipRecovered: MessageEntry(
            .notice, "clip recovered",
            [Phrase("", .clip), Phrase("", .durationMs, " ms kept")],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ was recovered",
            explanation: """
                The last run ended while the clip was open. Its whole fragments are kept; a torn last one
                was cut off. It carries the reason "interrupted".
                """,
            remedy: "Nothing to do. If Vigil did not stop by a power cut or kill, look for a crash before this record."),
        .fileSetAside: MessageEntry(
            .warning, "file set aside", [Phrase("", .from), Phrase("to ", .to)],
            subject: "A file that the catalog does not know was set aside",
            explanation: "@VIGIL_FROM@ belongs to no clip. It was moved to @VIGIL_TO@ and not deleted.",
            remedy: "Look at it, then delete it or move it elsewhere."),
        .catalogCorrupt: MessageEntry(
            .critical, "catalog is damaged", [Phrase("", .path), Phrase("", .detail)],
            subject: "The catalog @VIGIL_PATH@ is damaged",
            explanation: "SQLite finds it malformed: @VIGIL_DETAIL@. The clips' files are not touched.",
            remedy: "Check the disk, then run \"vigil fsck\": it rebuilds the catalog from the files."),
    ]
}
