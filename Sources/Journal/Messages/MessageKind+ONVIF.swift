extension MessageKind {
    static let onvifEntries: [MessageKind: MessageEntry] = [
        .onvifSubscribed: MessageEntry(
            .notice, "the camera tells its events", [Phrase("", .url), Phrase("", .detail)],
            subject: "Camera @VIGIL_CAMERA@ tells its events by ONVIF",
            explanation: """
                Its own detector and its inputs at @VIGIL_URL@ are sources that are on or off from now on. What was on before begins
                no event; @VIGIL_DETAIL@.
                """,
            remedy: """
                Nothing to do. Where its clock is far from this machine's, let both take their time from one server (NTP).
                """),
        .cameraTurned: MessageEntry(
            .info, "the camera is turned", [Phrase("", .detail), Phrase("by ", .user)],
            subject: "Camera @VIGIL_CAMERA@ was turned or zoomed, or a position was kept",
            explanation: """
                @VIGIL_USER@ ordered: @VIGIL_DETAIL@. While a camera turns all of its picture moves, which the detector takes for
                movement.
                """,
            remedy: "Nothing to do. \"vigil ptz @VIGIL_CAMERA@\" says where it looks."),
        .onvifLost: MessageEntry(
            .warning, "the camera tells no events", [Phrase("", .url), Phrase("", .why)],
            subject: "Camera @VIGIL_CAMERA@ does not tell its events by ONVIF",
            explanation: """
                @VIGIL_WHY@. What its own detector and its inputs notice meanwhile begins no event; what was on counts for a minute
                at most. The recording and Vigil's own detector are not concerned.
                """,
            remedy: """
                "vigil discover ADDRESS --credential NAME --events 30s" shows what the camera answers. It is tried again by itself, at
                least every five minutes; each outage is told once.
                """),
    ]
}
