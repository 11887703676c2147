extension MessageKind {
    static let uploadEntries: [MessageKind: MessageEntry] = [
        .uploadStage: MessageEntry(
            .info, "upload", [Phrase("", .stage), Phrase("clip ", .clip), Phrase("job ", .job)],
            subject: "Upload @VIGIL_JOB@ of camera @VIGIL_CAMERA@ is @VIGIL_STAGE@",
            explanation: "The clip goes to the cloud as @VIGIL_PATH@; @VIGIL_OWNER@ asked for it.",
            remedy: "Nothing to do. \"vigil cloud queue\" shows how far it is."),
        .uploadDone: MessageEntry(
            .info, "upload done",
            [
                Phrase("clip ", .clip), Phrase("job ", .job), Phrase("", .bytes, " bytes"),
                Phrase("verified by ", .verified),
            ],
            subject: "A clip of camera @VIGIL_CAMERA@ is in the cloud",
            explanation: """
                Every byte of it is there, and the store has confirmed it (@VIGIL_VERIFIED@). It plays from
                @VIGIL_URL@.
                """,
            remedy: "Nothing to do."),
        .uploadFailed: MessageEntry(
            .warning, "upload failed",
            [Phrase("", .stage), Phrase("clip ", .clip), Phrase("job ", .job), Phrase("", .why)],
            subject: "Upload @VIGIL_JOB@ of camera @VIGIL_CAMERA@ failed",
            explanation: "After its tries the job rests (@VIGIL_STAGE@): @VIGIL_WHY@. The local clip is not touched.",
            remedy: "Mend the cause, then \"vigil cloud retry @VIGIL_JOB@\"."),
        .uploadEnded: MessageEntry(
            .info, "upload ended", [Phrase("", .stage), Phrase("clip ", .clip), Phrase("job ", .job)],
            subject: "Upload @VIGIL_JOB@ of camera @VIGIL_CAMERA@ has ended: @VIGIL_STAGE@",
            explanation: """
                Nothing of the clip @VIGIL_PATH@ is in the cloud, or no more: it was cancelled, its local copy went
                before it was sent, or somebody or a rule deleted it.
                """,
            remedy: "Nothing to do. \"vigil cloud push\" sends a clip that is still there locally."),
        .uploadsWait: MessageEntry(
            .warning, "upload waits", [Phrase("job ", .job), Phrase("", .why)],
            subject: "An upload waits for this machine",
            explanation: "What is to be sent, or kept of it, cannot be read or written here: @VIGIL_WHY@.",
            remedy: "Look at the storage (\"vigil storage\"). It is tried again by itself."),
        .uploadPiecesDiffer: MessageEntry(
            .error, "upload begins anew", [Phrase("job ", .job), Phrase("", .path)],
            subject: "What was sent of a clip is not what is on the disk",
            explanation: """
                While the clip was recorded, pieces of it were sent to the cloud; the file that is there now (@VIGIL_PATH@)
                has other bytes, or fewer. It is sent as a whole. The pieces stay beside it until the clip goes.
                """,
            remedy:
                "Look at the disk: it may have lost what it had said to be written. \"vigil fsck --deep\" reads all clips."
        ),
        .cloudKeyUnusable: MessageEntry(
            .error, "nothing is sent to the cloud", [Phrase("", .why)],
            subject: "Clips wait for the key that encrypts them",
            explanation: "@VIGIL_WHY@. Recording goes on; clips wait, and none is sent unencrypted.",
            remedy: "Look at the key file that cloud.encryption.keyFile names. It is read again as soon as it changes."),
        .cloudKeyUsable: MessageEntry(
            .notice, "clips are sent to the cloud again", [Phrase("", .detail)],
            subject: "The key for clips in the cloud can be used",
            explanation: "Clips that waited for the key are sent: @VIGIL_DETAIL@.",
            remedy: "Nothing to do."),
        .storeUnreachable: MessageEntry(
            .warning, "the cloud's store cannot be reached", [Phrase("", .why)],
            subject: "The store in the cloud cannot be reached",
            explanation: "@VIGIL_WHY@. Recording goes on; clips wait for as long as it takes, and none is lost.",
            remedy: "Check the network, the address in cloud.store.endpoint and the store. It is tried again by itself."
        ),
        .storeRefused: MessageEntry(
            .error, "the cloud's store refuses every clip", [Phrase("", .why)],
            subject: "The store in the cloud takes no clip",
            explanation: """
                @VIGIL_WHY@. Nothing is sent until that is mended, so that the store is asked a few times an hour and
                no more; recording goes on, and clips wait.
                """,
            remedy:
                "Mend what it says. \"vigil cloud retry\" tries at once; else it is tried every 15 minutes at the latest."
        ),
        .credentialExposed: MessageEntry(
            .warning, "others may read a credential of the cloud", [Phrase("", .why)],
            subject: "Others may read what opens the store in the cloud",
            explanation:
                "@VIGIL_WHY@. Clips are sent all the same; whoever has the credential may read and delete them.",
            remedy: "Do what it says, and change the credential if others use this machine."),
        .storeReachable: MessageEntry(
            .notice, "the cloud's store takes clips again", [Phrase("after ", .durationMs, " ms")],
            subject: "The store in the cloud takes clips again",
            explanation: "What waited is sent now, the most important first.",
            remedy: "Nothing to do."),
        .remoteDeleted: MessageEntry(
            .info, "clip deleted from the cloud", [Phrase("", .path), Phrase("by rule ", .rule)],
            subject: "A clip of camera @VIGIL_CAMERA@ was deleted from the cloud",
            explanation: "Nothing is left there below @VIGIL_PATH@. The deletion followed the rule @VIGIL_RULE@.",
            remedy: "Nothing to do. To keep such clips longer, change the policy's cloud retention or renew the plan."),
        .remoteDeletionFailed: MessageEntry(
            .warning, "clip not deleted from the cloud yet",
            [Phrase("", .path), Phrase("by rule ", .rule), Phrase("", .why)],
            subject: "A clip of camera @VIGIL_CAMERA@ could not be deleted from the cloud yet",
            explanation: "It is in no list any more, and its objects are still there: @VIGIL_WHY@.",
            remedy: "Nothing to do: it is tried again. If it goes on, give the credentials the right to delete."),
        .dayListFailed: MessageEntry(
            .warning, "list of a day in the cloud not made yet", [Phrase("", .path), Phrase("", .why)],
            subject: "The lists of days in the cloud are not made anew",
            explanation: """
                @VIGIL_PATH@ could not be written or removed: @VIGIL_WHY@. Until it can, lists of days may lack clips, or name
                some that are gone. Clips and their own lists are there.
                """,
            remedy:
                "Nothing to do: it is tried again. If it goes on, give the credentials the right to write and delete below days/."
        ),
        .cloudRebuilt: MessageEntry(
            .notice, "clips found in the cloud", [Phrase("", .count), Phrase("", .detail), Phrase("", .why)],
            subject: "@VIGIL_COUNT@ clips were found in the cloud",
            explanation: """
                @VIGIL_USER@ had the lists of the cloud made anew from what the store has: @VIGIL_DETAIL@. Days, slices,
                events and pictures of these clips are there from now on.
                """,
            remedy: "Nothing to do. \"vigil cloud rebuild\" names what was left out, and may be repeated."),
        .clipFetched: MessageEntry(
            .notice, "clip fetched from the cloud", [Phrase("clip ", .clip), Phrase("", .bytes, " bytes")],
            subject: "A clip of camera @VIGIL_CAMERA@ came back from the cloud",
            explanation: """
                @VIGIL_USER@ asked for what the camera recorded from @VIGIL_FROM@ to @VIGIL_TO@. It is on the disk as clip
                @VIGIL_CLIP@, is what was sent byte for byte, and is protected: no rule deletes it. The cloud's copy stays.
                """,
            remedy: "Nothing to do. \"vigil protect --release @VIGIL_CLIP@\" gives it back to the rules."),
        .clipFetchFailed: MessageEntry(
            .warning, "clip not fetched from the cloud", [Phrase("clip ", .clip), Phrase("", .why)],
            subject: "A clip of camera @VIGIL_CAMERA@ could not be fetched from the cloud",
            explanation:
                "@VIGIL_USER@ asked for clip @VIGIL_CLIP@ of the cloud: @VIGIL_WHY@. Nothing of it is on the disk.",
            remedy: "Mend the cause, then ask again: \"vigil cloud fetch @VIGIL_CLIP@\"."),
    ]
}
