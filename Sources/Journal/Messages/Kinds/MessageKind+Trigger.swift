extension MessageKind {
    static let triggerEntries: [MessageKind: MessageEntry] = [
        .eventBegan: MessageEntry(
            .notice, "event began",
            [
                Phrase("", .event), Phrase("by ", .cause, in: .clipCause), Phrase("", .trigger),
                Phrase("asked for by ", .user),
            ],
            subject: "Event @VIGIL_EVENT@ began at camera @VIGIL_CAMERA@",
            explanation:
                "It was begun by: @VIGIL_CAUSE@. In event mode its media is recorded, with pre-roll.",
            remedy: "Nothing to do."),
        .eventProlonged: MessageEntry(
            .info, "event prolonged",
            [Phrase("", .event), Phrase("ends in ", .durationMs, " ms"), Phrase("asked for by ", .user)],
            subject: "Event @VIGIL_EVENT@ at camera @VIGIL_CAMERA@ was prolonged",
            explanation:
                "A further trigger moved the end of the event's window: it ends in @VIGIL_DURATION_MS@ ms.",
            remedy: "Nothing to do."),
        .eventEnded: MessageEntry(
            .notice, "event ended",
            [Phrase("", .event), Phrase("", .why, in: .clipEnd), Phrase("after ", .durationMs, " ms")],
            subject: "Event @VIGIL_EVENT@ at camera @VIGIL_CAMERA@ ended",
            explanation: "The event ended after @VIGIL_DURATION_MS@ ms, because of: @VIGIL_WHY@.",
            remedy: "Nothing to do. Where events end by \"limit\" too early, raise maxEventLength in the policy."),
        .eventLabelled: MessageEntry(
            .notice, "event labelled", [Phrase("", .event), Phrase("", .label), Phrase("told by ", .user)],
            subject: "@VIGIL_LABEL@ was recognised in event @VIGIL_EVENT@ at camera @VIGIL_CAMERA@",
            explanation: """
                A program said so with a trigger that counts, or the doorbell rang. It is told once for each event and name,
                when the event has kept it; "vigil events --label" finds it.
                """,
            remedy: "Nothing to do."),
        .detectionSuppressed: MessageEntry(
            .info, "detection suppressed", [Phrase("", .why), Phrase("", .trigger), Phrase("asked for by ", .user)],
            subject: "A detection at camera @VIGIL_CAMERA@ did not count",
            explanation: "Something was noticed, but it neither began nor prolonged an event, because of: @VIGIL_WHY@.",
            remedy: """
                sensitivity: raise it in the policy. zone: look at the zones. blind: shorten the blind time. disabled,
                privacy, off: recording was switched off at that moment.
                """),
        .pictureImpaired: MessageEntry(
            .warning, "picture impaired", [Phrase("", .why)],
            subject: "The picture of camera @VIGIL_CAMERA@ is @VIGIL_WHY@",
            explanation: """
                frozen: pictures come, but nothing in them changes, not even their noise. covered: the picture shows next to
                nothing. moved: the camera looks elsewhere than before. It is recorded as it is; motion may go unnoticed.
                """,
            remedy: "Look at the camera: its lens, its mount, its own settings. A record tells when it is over."),
        .pictureRestored: MessageEntry(
            .notice, "picture restored", [Phrase("no longer ", .why), Phrase("after ", .durationMs, " ms")],
            subject: "The picture of camera @VIGIL_CAMERA@ is no longer @VIGIL_WHY@",
            explanation: "It lasted @VIGIL_DURATION_MS@ ms. \"moved\" also ends when Vigil has learnt the new view.",
            remedy: "Nothing to do."),
        .detectionLimited: MessageEntry(
            .warning, "detection over its budget", [Phrase("", .why)],
            subject: "Camera @VIGIL_CAMERA@ is not looked at all the time",
            explanation: """
                Looking for motion in its pictures took @VIGIL_WHY@. It is looked at only as far as that allows, and motion in
                between is not noticed. Other cameras are looked at as ever, and everything that its policy lets be recorded
                without motion is recorded.
                """,
            remedy: """
                Give the camera a sub-stream of a few hundred lines (sub), which detection then looks at, or have the camera
                send smaller pictures or fewer of them.
                """),
        .detectionWhole: MessageEntry(
            .notice, "detection keeps to its budget", [],
            subject: "Camera @VIGIL_CAMERA@ is looked at all the time again",
            explanation: "Looking for motion in its pictures has taken no more than it may for a minute.",
            remedy: "Nothing to do."),
        .substreamLost: MessageEntry(
            .warning, "sub-stream lost", [Phrase("", .why), Phrase("next attempt in ", .retryMs, " ms")],
            subject: "The sub-stream of camera @VIGIL_CAMERA@ cannot be read",
            explanation: """
                It is not recorded, but looked at by the detector and by viewers: @VIGIL_WHY@. The detector looks at the
                main stream instead, which costs more processor time; viewers of the sub-stream see nothing. It is tried
                again from time to time.
                """,
            remedy: "Correct the camera's sub address, or the camera; or say detection: main."),
        .substreamBack: MessageEntry(
            .notice, "sub-stream back", [Phrase("", .codec)],
            subject: "The sub-stream of camera @VIGIL_CAMERA@ is back",
            explanation: "Motion is looked for in the sub-stream again, and viewers see it.",
            remedy: "Nothing to do."),
        .substreamStreaming: MessageEntry(
            .info, "sub-stream streaming", [Phrase("", .codec)],
            subject: "The sub-stream of camera @VIGIL_CAMERA@ delivers",
            explanation: "The detector or a viewer wanted it. Both share one connection.",
            remedy: "Nothing to do."),
        .substreamClosed: MessageEntry(
            .info, "sub-stream closed", [Phrase("", .why)],
            subject: "The sub-stream of camera @VIGIL_CAMERA@ was closed",
            explanation: "Vigil closed it: @VIGIL_WHY@. It is dialled again when it is wanted.",
            remedy: "Nothing to do."),
        .doorbellRang: MessageEntry(
            .notice, "the doorbell rang", [Phrase("told by ", .user)],
            subject: "The doorbell of camera @VIGIL_CAMERA@ rang",
            explanation: """
                The source "doorbell" has gone on. This is told whether it counts or not, also under privacy; an event that it
                begins, or in which it rings, has the label "doorbell".
                """,
            remedy: "Nothing to do."),
        .commandTaken: MessageEntry(
            .info, "command taken",
            [
                Phrase("", .request), Phrase("", .source), Phrase("", .trigger), Phrase("for ", .durationMs, " ms"),
                Phrase("by ", .user),
            ],
            subject: "Camera @VIGIL_CAMERA@ was told to @VIGIL_REQUEST@",
            explanation: """
                @VIGIL_USER@ asked for it, and it counts. Where it began or prolonged an event, a record of that stands
                before this one. Requests that come within half a second of each other may be told together.
                """,
            remedy: "Nothing to do."),
        .commandRefused: MessageEntry(
            .notice, "command refused",
            [Phrase("", .request), Phrase("", .why), Phrase("asked for by ", .user)],
            subject: "A command for camera @VIGIL_CAMERA@ was refused",
            explanation: "The command @VIGIL_REQUEST@ was refused: @VIGIL_WHY@. Nothing was changed.",
            remedy: "disabled: \"vigil enable\". privacy: \"vigil privacy CAMERA off\". off: change policy or schedule."
        ),
        .sourceExpired: MessageEntry(
            .warning, "source expired", [Phrase("", .source), Phrase("not refreshed for ", .durationMs, " ms")],
            subject: "The source @VIGIL_SOURCE@ of camera @VIGIL_CAMERA@ expired",
            explanation: """
                The source said "on" and was neither cleared nor refreshed within its stale time. Vigil takes it as
                cleared, so that a lost "off" cannot record for ever. A warning where it has said "off" before; one that
                never does, such as a doorbell that calls an address, ends so each time.
                """,
            remedy: "Look at whoever sends for this source; raise its stale time if it refreshes less often."),
    ]
}
