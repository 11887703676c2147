extension MessageKind {
    static let transportEntries: [MessageKind: MessageEntry] = [
        .transportChanged: MessageEntry(
            .notice, "transport changed", [Phrase("", .transport), Phrase("", .to), Phrase("by ", .user)],
            subject: "Transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ is @VIGIL_TO@",
            explanation: """
                It was allocated, modified, set active or inactive, or taken away. A transport records the camera by a trigger of its
                own, beside the camera's own recording.
                """,
            remedy: "Nothing to do. \"vigil transport list @VIGIL_CAMERA@\" shows what holds."),
        .transportBegan: MessageEntry(
            .info, "transport records", [Phrase("", .transport), Phrase("", .cause), Phrase("", .why)],
            subject: "Transport @VIGIL_TRANSPORT@ records camera @VIGIL_CAMERA@",
            explanation: """
                It was triggered by @VIGIL_CAUSE@; of a command, VIGIL_WHY is the activation reason. While it records, the media of the
                camera is kept as in continuous mode.
                """,
            remedy:
                "Nothing to do. \"vigil transport recordings @VIGIL_CAMERA@ @VIGIL_TRANSPORT@\" lists what it recorded."
        ),
        .transportEnded: MessageEntry(
            .info, "transport records no longer", [Phrase("", .transport), Phrase("", .why)],
            subject: "Transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ records no longer",
            explanation: "Its recording ended: @VIGIL_WHY@.",
            remedy: "Nothing to do."),
        .transportPushBegan: MessageEntry(
            .info, "transport is pushed", [Phrase("", .transport), Phrase("session ", .session)],
            subject: "Session @VIGIL_SESSION@ of transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ is pushed",
            explanation: "Its address took the first object of a session: what the transport records goes there.",
            remedy: "Nothing to do."),
        .transportPushed: MessageEntry(
            .info, "transport was pushed",
            [
                Phrase("", .transport), Phrase("session ", .session), Phrase("segments ", .count),
                Phrase("bytes ", .bytes),
                Phrase("", .detail),
            ],
            subject: "Session @VIGIL_SESSION@ of transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ was pushed whole",
            explanation: """
                Its address took every segment and the lists that close the session. What stands still or is missing of its time is
                told by reason: the camera sent nothing (link), the address was away for too long (receiver), or why the recording
                ended.
                """,
            remedy: "Nothing to do."),
        .transportPushWaits: MessageEntry(
            .warning, "transport is not taken",
            [Phrase("", .transport), Phrase("session ", .session), Phrase("", .why)],
            subject: "The address of transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ takes nothing",
            explanation: """
                @VIGIL_WHY@. It is tried again, with waits up to half a minute. What is recorded meanwhile waits for a minute; then it
                goes on as a still picture. Recording depends on none of it.
                """,
            remedy:
                "Look at the receiver, and at url and tlsEndpointID: \"vigil transport show @VIGIL_CAMERA@ @VIGIL_TRANSPORT@\"."
        ),
        .transportPushGoesOn: MessageEntry(
            .notice, "transport is taken again",
            [Phrase("", .transport), Phrase("session ", .session), Phrase("after ", .durationMs)],
            subject: "The address of transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ takes objects again",
            explanation: "What waited is being pushed.",
            remedy: "Nothing to do."),
        .transportPushGivenUp: MessageEntry(
            .warning, "transport is given up",
            [
                Phrase("", .transport), Phrase("session ", .session), Phrase("", .why), Phrase("segments ", .count),
                Phrase("bytes ", .bytes), Phrase("", .detail),
            ],
            subject:
                "Session @VIGIL_SESSION@ of transport @VIGIL_TRANSPORT@ of camera @VIGIL_CAMERA@ is pushed no further",
            explanation: """
                Its address refused the same object five times, or took nothing for ten minutes: @VIGIL_WHY@. What of the session was not
                pushed is pushed no more; it is in the clips of the camera. What is recorded from now on is another session.
                """,
            remedy:
                "Look at the receiver, and at url and tlsEndpointID: \"vigil transport show @VIGIL_CAMERA@ @VIGIL_TRANSPORT@\"."
        ),
    ]
}
