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
        .deviceSettingRestored: MessageEntry(
            .notice, "the camera had lost a setting",
            [Phrase("", .setting), Phrase("was ", .from), Phrase("set anew to ", .to)],
            subject: "Camera @VIGIL_CAMERA@ had lost a setting, which was set anew",
            explanation: """
                The camera said @VIGIL_SETTING@ @VIGIL_FROM@ where @VIGIL_TO@ is set, and was set to that again. A camera may lose it
                when it starts anew; or somebody set it on the camera's own page.
                """,
            remedy: """
                "vigil camera set @VIGIL_CAMERA@ @VIGIL_SETTING@=default" leaves it to the camera. Where it is told again and again,
                look on the camera's own page what else sets it.
                """),
        .deviceSettingRefused: MessageEntry(
            .warning, "the camera does not take a setting",
            [Phrase("", .setting), Phrase("to ", .to), Phrase("", .why)],
            subject: "Camera @VIGIL_CAMERA@ does not take what is set of it",
            explanation: """
                @VIGIL_SETTING@ is set to @VIGIL_TO@, and the camera says otherwise: @VIGIL_WHY@. It is tried again at least every five
                minutes, and told once for each reason.
                """,
            remedy: """
                Look on the camera's own page, or leave it to the camera with "vigil camera set @VIGIL_CAMERA@
                @VIGIL_SETTING@=default".
                """),
    ]
}
