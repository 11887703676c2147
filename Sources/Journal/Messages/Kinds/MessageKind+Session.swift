extension MessageKind {
    static let sessionEntries: [MessageKind: MessageEntry] = [
        .sessionOpened: MessageEntry(
            .info, "session opened", [Phrase("", .session), Phrase("by ", .user)],
            subject: "A viewer opened session @VIGIL_SESSION@ of camera @VIGIL_CAMERA@",
            explanation:
                "It was asked for by @VIGIL_USER@. A session shows the live picture or recordings, one at a time.",
            remedy: "Nothing to do. \"vigil viewers\" lists the sessions there are."),
        .sessionLive: MessageEntry(
            .notice, "live picture shown", [Phrase("", .to), Phrase("to ", .user), Phrase("session ", .session)],
            subject: "The live picture of camera @VIGIL_CAMERA@ is shown to @VIGIL_USER@",
            explanation: "hd is the main stream, sd the sub-stream. Here: @VIGIL_TO@, in session @VIGIL_SESSION@.",
            remedy: "Nothing to do. \"vigil privacy @VIGIL_CAMERA@ live\" shows nothing live any more."),
        .sessionPlaying: MessageEntry(
            .notice, "recording shown",
            [Phrase("clip ", .clip), Phrase("from ", .from), Phrase("to ", .user), Phrase("session ", .session)],
            subject: "A recording of camera @VIGIL_CAMERA@ is shown to @VIGIL_USER@",
            explanation: "Playback began or went on in session @VIGIL_SESSION@.",
            remedy: "Nothing to do."),
        .sessionChanged: MessageEntry(
            .info, "session", [Phrase("", .to), Phrase("session ", .session)],
            subject: "Session @VIGIL_SESSION@ of camera @VIGIL_CAMERA@ is now: @VIGIL_TO@",
            explanation: "Something that the viewer asked for was done, or what it saw came to its end.",
            remedy: "Nothing to do."),
        .sessionRecording: MessageEntry(
            .notice, "a viewer records", [Phrase("", .user), Phrase("session ", .session)],
            subject: "@VIGIL_USER@ records camera @VIGIL_CAMERA@",
            explanation: """
                The camera is recorded while the viewer of session @VIGIL_SESSION@ wishes it, and what is recorded meanwhile
                is protected from retention.
                """,
            remedy: "Nothing to do. \"vigil unprotect\" lets the clips be deleted by their rules again."),
        .sessionRecorded: MessageEntry(
            .notice, "a viewer recorded",
            [
                Phrase("", .user), Phrase("", .count, " clips protected"), Phrase("", .why),
                Phrase("session ", .session),
            ],
            subject: "@VIGIL_USER@ has recorded camera @VIGIL_CAMERA@",
            explanation: "@VIGIL_COUNT@ clips hold it, and no retention rule deletes them.",
            remedy: "Nothing to do. Where a reason is named, some of them could not be protected: protect them by hand."
        ),
        .sessionTalking: MessageEntry(
            .notice, "a viewer talks", [Phrase("", .user), Phrase("in ", .codec), Phrase("session ", .session)],
            subject: "@VIGIL_USER@ talks through the loudspeaker of camera @VIGIL_CAMERA@",
            explanation: """
                What the viewer of session @VIGIL_SESSION@ says is sent to the camera, which takes it as @VIGIL_CODEC@. Nobody
                else can talk through it meanwhile.
                """,
            remedy: "Nothing to do. It ends with the session."),
        .sessionTalked: MessageEntry(
            .notice, "a viewer talked",
            [
                Phrase("", .user), Phrase("for ", .durationMs, " ms"), Phrase("", .detail),
                Phrase("session ", .session),
            ],
            subject: "@VIGIL_USER@ has talked through the loudspeaker of camera @VIGIL_CAMERA@",
            explanation: "It lasted @VIGIL_DURATION_MS@ ms. Where the camera ended it, the reason is named.",
            remedy: "Nothing to do. Where the camera ended it: talk again."),
        .sessionCarried: MessageEntry(
            .info, "another stream shown",
            [Phrase("", .to), Phrase("to ", .user), Phrase("", .why), Phrase("session ", .session)],
            subject: "@VIGIL_USER@ is now shown the @VIGIL_TO@ stream of camera @VIGIL_CAMERA@",
            explanation: """
                The viewer of session @VIGIL_SESSION@ looks by WebRTC and has named no stream. The reason: @VIGIL_WHY@. The
                sub-stream is shown while the viewer's network cannot carry the main stream, unless nothing comes of it, or its
                pictures cannot be sent.
                """,
            remedy: "Nothing to do. Who asks for a stream by name is always shown that one."),
        .sessionRefused: MessageEntry(
            .info, "session request refused",
            [Phrase("", .request), Phrase("", .why, in: .sessionRefusal), Phrase("session ", .session)],
            subject: "A request of session @VIGIL_SESSION@ of camera @VIGIL_CAMERA@ was refused",
            explanation: "The viewer asked for @VIGIL_REQUEST@, which was refused because of: @VIGIL_WHY@.",
            remedy: "Nothing to do. For full: raise viewers.limit, or end a session that \"vigil viewers\" lists."),
        .sessionFailed: MessageEntry(
            .notice, "session request failed",
            [Phrase("", .request), Phrase("", .why, in: .sessionFailure), Phrase("session ", .session)],
            subject: "A request of session @VIGIL_SESSION@ of camera @VIGIL_CAMERA@ failed",
            explanation: "The viewer asked for @VIGIL_REQUEST@, which could not be done because of: @VIGIL_WHY@.",
            remedy: "For timeout and unreachable look at the camera's link: \"vigil state @VIGIL_CAMERA@\"."),
        .sessionEnded: MessageEntry(
            .info, "session ended",
            [
                Phrase("", .session), Phrase("", .why, in: .sessionEnd), Phrase("after ", .durationMs, " ms"),
                Phrase("", .count, " records left out"),
            ],
            subject: "Session @VIGIL_SESSION@ of camera @VIGIL_CAMERA@ ended",
            explanation: "It lasted @VIGIL_DURATION_MS@ ms and ended because of: @VIGIL_WHY@.",
            remedy: "Nothing to do. A session that is used for longer is extended by its viewer."),
    ]
}
