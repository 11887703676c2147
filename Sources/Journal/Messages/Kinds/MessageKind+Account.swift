extension MessageKind {
    static let accountEntries: [MessageKind: MessageEntry] = [
        .tokenCreated: MessageEntry(
            .notice, "token created", [Phrase("", .token), Phrase("", .detail), Phrase("by ", .user)],
            subject: "Token @VIGIL_TOKEN@ was created",
            explanation:
                "@VIGIL_USER@ created the token @VIGIL_TOKEN@: @VIGIL_DETAIL@. Whoever holds it may speak to Vigil.",
            remedy: "Nothing to do if that was meant; else \"vigil token revoke @VIGIL_TOKEN@\"."),
        .tokenRevoked: MessageEntry(
            .notice, "token revoked", [Phrase("", .token), Phrase("by ", .user)],
            subject: "Token @VIGIL_TOKEN@ was revoked",
            explanation: """
                @VIGIL_USER@ revoked the token @VIGIL_TOKEN@. It is not good any more; its logins are over, and what it was looking
                at has ended.
                """,
            remedy: "Nothing to do. \"vigil token create\" makes another one."),
        .loginLinkMade: MessageEntry(
            .notice, "login link made", [Phrase("for token ", .token), Phrase("by ", .user)],
            subject: "A link was made that logs the page in as @VIGIL_TOKEN@",
            explanation: "@VIGIL_USER@ asked for a link. It is good once, within ten minutes.",
            remedy: "Nothing to do if that was meant; else \"vigil token revoke @VIGIL_TOKEN@\" makes it worthless."),
        .loggedIn: MessageEntry(
            .notice, "logged in", [Phrase("", .user), Phrase("", .detail)],
            subject: "@VIGIL_USER@ logged in",
            explanation: "The page was logged in, @VIGIL_DETAIL@. VIGIL_USER is the token's name and the address.",
            remedy: "Nothing to do if the address is known to you; else revoke the token: \"vigil token list\"."),
        .loggedOut: MessageEntry(
            .notice, "logged out", [Phrase("", .user)],
            subject: "@VIGIL_USER@ logged out",
            explanation: "A login of the page was ended by its user.",
            remedy: "Nothing to do."),
        .loginTriesRefused: MessageEntry(
            .warning, "wrong tries to log in", [Phrase("from ", .user), Phrase("for token ", .token)],
            subject: "Wrong tries to log in come from @VIGIL_USER@",
            explanation: """
                So many tokens, codes or logins that are not good came from the address within a minute that no more are looked at
                until it is over. VIGIL_TOKEN is there where they claimed to be that token. Others are not kept out.
                """,
            remedy: """
                If a program of yours has an old token, give it another one. If a token is named and the tries are not yours,
                revoke it: a part of it is known.
                """),
        .tokensUnreadable: MessageEntry(
            .error, "tokens not taken", [Phrase("", .path), Phrase("", .detail)],
            subject: "The file of tokens is not taken",
            explanation: """
                What is kept of tokens and logins was set aside as @VIGIL_PATH@: @VIGIL_DETAIL@. Nobody has a token now. The control
                socket and recording are not concerned.
                """,
            remedy: "Find out who wrote the file; then make the tokens anew with \"vigil token create\"."),
        .tokensUnkept: MessageEntry(
            .error, "tokens cannot be kept", [Phrase("", .path), Phrase("", .detail)],
            subject: "A change of tokens or logins cannot be kept",
            explanation: """
                The file @VIGIL_PATH@ cannot be written: @VIGIL_DETAIL@. What was changed holds until the restart; it is tried
                again.
                """,
            remedy: "Look at the storage. A token that was revoked is good again after a restart until this is mended."),
        .picturesViewed: MessageEntry(
            .info, "pictures viewed", [Phrase("by ", .user), Phrase("", .request)],
            subject: "@VIGIL_USER@ looks at camera @VIGIL_CAMERA@",
            explanation: """
                Pictures or recordings of the camera were looked at: @VIGIL_REQUEST@. Who looks on is told again after ten minutes.
                """,
            remedy: "Nothing to do."),
        .recordingExported: MessageEntry(
            .notice, "recording exported",
            [
                Phrase("by ", .user), Phrase("", .request),
                Phrase("exports of theirs before that were not told: ", .count),
            ],
            subject: "@VIGIL_USER@ exported recordings of camera @VIGIL_CAMERA@",
            explanation: "Recordings of the camera were taken away as a file: @VIGIL_REQUEST@.",
            remedy: "Nothing to do if that was meant; else revoke the token: \"vigil token list\"."),
        .messagesCleared: MessageEntry(
            .notice, "messages cleared", [Phrase("", .count), Phrase("", .request), Phrase("by ", .user)],
            subject: "@VIGIL_USER@ cleared messages",
            explanation: """
                @VIGIL_COUNT@ messages were cleared: @VIGIL_REQUEST@. The journal keeps what they said, and no event and no clip is
                concerned. What goes on is said again when it happens again.
                """,
            remedy: "Nothing to do. \"journalctl -p warning SYSLOG_IDENTIFIER=vigil\" has what they said."),
        .certificateLoaded: MessageEntry(
            .notice, "certificate in use", [Phrase("", .detail)],
            subject: "HTTP speaks TLS with this certificate: @VIGIL_DETAIL@",
            explanation: "The certificate and its key were read. The SHA-256 is what browsers show as its fingerprint.",
            remedy: "Nothing to do. Compare the fingerprint with what the browser shows, where it warns."),
        .certificateRefused: MessageEntry(
            .error, "certificate refused", [Phrase("", .detail)],
            subject: "A certificate that changed cannot be used",
            explanation: "@VIGIL_DETAIL@. The certificate that was read before stays in use.",
            remedy: "Correct the file; it is read again within ten seconds. Mind the day on which the old one ends."),
        .webrtcMissing: MessageEntry(
            .warning, "no WebRTC", [Phrase("", .detail)],
            subject: "Live view by WebRTC is not served",
            explanation: "No datagrams can be taken: @VIGIL_DETAIL@. Live view is shown over HTTP, a little later.",
            remedy: "Free the port (UDP), or give webrtc.listen another one, and start Vigil again."),
        .pageMissing: MessageEntry(
            .warning, "no web page", [Phrase("", .detail)],
            subject: "There is no web page to serve",
            explanation: "The files of the page were not found: @VIGIL_DETAIL@. Everything else is served.",
            remedy: "Install Vigil again: \"make install\" or the package puts them where they belong."),
    ]
}
