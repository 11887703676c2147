extension MessageKind {
    static let triggerEntries: [MessageKind: MessageEntry] = [
        .eventBegan: MessageEntry(
            .notice, "event began", [Phrase("", .event), Phrase("by ", .cause, in: .clipCause), Phrase("", .trigger)],
            subject: "Event @VIGIL_EVENT@ began at camera @VIGIL_CAMERA@",
            explanation:
                "Begun by: @VIGIL_CAUSE@ @VIGIL_TRIGGER@. In event mode its media is recorded, with its pre-roll.",
            remedy: "Nothing to do."),
        .eventProlonged: MessageEntry(
            .info, "event prolonged", [Phrase("", .event), Phrase("by ", .durationMs, " ms"), Phrase("", .trigger)],
            subject: "Event @VIGIL_EVENT@ at camera @VIGIL_CAMERA@ was prolonged",
            explanation: "A further trigger moved the end of the event's window by @VIGIL_DURATION_MS@ ms.",
            remedy: "Nothing to do."),
        .eventEnded: MessageEntry(
            .notice, "event ended",
            [Phrase("", .event), Phrase("", .why, in: .clipEnd), Phrase("after ", .durationMs, " ms")],
            subject: "Event @VIGIL_EVENT@ at camera @VIGIL_CAMERA@ ended",
            explanation: "The event ended after @VIGIL_DURATION_MS@ ms, because of: @VIGIL_WHY@.",
            remedy: "Nothing to do. Where events end by \"limit\" too early, raise maxEventLength in the policy."),
        .detectionSuppressed: MessageEntry(
            .info, "detection suppressed", [Phrase("", .why), Phrase("", .trigger)],
            subject: "A detection at camera @VIGIL_CAMERA@ did not count",
            explanation: "Something was noticed but began no event, because of: @VIGIL_WHY@.",
            remedy: """
                sensitivity: raise it in the policy. zone: look at the zones. blind: shorten the blind time. disabled,
                privacy, off: recording was switched off at that moment.
                """),
        .commandRefused: MessageEntry(
            .notice, "command refused",
            [Phrase("", .request), Phrase("", .why), Phrase("from ", .user), Phrase("", .detail)],
            subject: "A command for camera @VIGIL_CAMERA@ was refused",
            explanation: "The command @VIGIL_REQUEST@ was refused: @VIGIL_WHY@. Nothing was changed.",
            remedy: "disabled: \"vigil enable\". privacy: \"vigil privacy CAMERA off\". off: change policy or schedule."
        ),
        .sourceExpired: MessageEntry(
            .warning, "source expired", [Phrase("", .source), Phrase("not refreshed for ", .durationMs, " ms")],
            subject: "The source @VIGIL_SOURCE@ of camera @VIGIL_CAMERA@ expired",
            explanation: """
                The source said "on" and was neither cleared nor refreshed within its stale time. Vigil takes it as
                cleared, so that a lost "off" cannot record for ever.
                """,
            remedy: "Look at whoever sends for this source; raise its stale time if it refreshes less often."),
    ]
}
