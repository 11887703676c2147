extension MessageKind {
    static let linkEntries: [MessageKind: MessageEntry] = [
        .linkDialing: MessageEntry(
            .info, "dialling", [Phrase("", .endpoint), Phrase("", .url), Phrase("attempt ", .attempt)],
            subject: "Dialling camera @VIGIL_CAMERA@",
            explanation: "Vigil connects to the camera at its @VIGIL_ENDPOINT@ endpoint.",
            remedy: "Nothing to do; the result follows."),
        .linkDialed: MessageEntry(
            .info, "connected, waiting for a key frame",
            [Phrase("", .codec)],
            subject: "Camera @VIGIL_CAMERA@ is connected",
            explanation: "The camera answered and sends. Recording can begin at its first key frame.",
            remedy: "Nothing to do. If it takes long, lower the interval of I frames (GOP) in the camera."),
        .linkStreaming: MessageEntry(
            .notice, "streaming",
            subject: "Camera @VIGIL_CAMERA@ is streaming",
            explanation: "A key frame came. From now on what the policy asks for can be recorded.",
            remedy: "Nothing to do."),
        .linkSynchronizing: MessageEntry(
            .info, "waiting for a key frame to begin a clip with",
            subject: "Camera @VIGIL_CAMERA@ has sent no key frame that a clip can begin with",
            explanation: """
                A clip is wanted, but the last key frame is in the clip before, or came while recording was forbidden. A clip
                begins at a key frame only, so what comes until the next one is not recorded.
                """,
            remedy: "Nothing to do. If it takes long, lower the interval of I frames (GOP) in the camera."),
        .linkLost: MessageEntry(
            .warning, "link lost",
            [Phrase("", .why, in: .linkFailure), Phrase("", .detail)],
            subject: "The link to camera @VIGIL_CAMERA@ was lost",
            explanation: """
                The connection ended, and not because Vigil ended it: @VIGIL_WHY@. An open clip is closed with the reason "link
                lost"; an event goes on and continues in a new clip when the link is back. Vigil dials again by itself.
                Where the camera has sent more than one camera may (budget), VIGIL_DETAIL names the bound, and Vigil waits
                for five minutes.
                """,
            remedy: """
                If it happens often, look at power, cable or radio of the camera, and at the load of its network. budget: look
                for newer firmware, and set the camera to a plain profile.
                """),
        .linkFailed: MessageEntry(
            .warning, "dial failed",
            [Phrase("", .why, in: .linkFailure), Phrase("", .detail)],
            subject: "Camera @VIGIL_CAMERA@ could not be dialled",
            explanation: """
                The attempt failed because of: @VIGIL_WHY@. Vigil tries again by itself, after 1 s at first and at
                most about 36 s later; after a refused login only every five minutes, so that the camera does not lock
                the account, and also after the camera has passed its budget.
                """,
            remedy: """
                unreachable or timeout: is the camera powered, is its address right? refused: is RTSP switched on, is the
                port right? unauthorized: check user and password of the credential. notFound: check the path of the
                address. tls: check the authority that is trusted for this camera. unsupported: set the camera to H.264
                or H.265. stuck: the connection before it is in a call that does not return; look at the name server.
                """),
        .linkWaiting: MessageEntry(
            .info, "waiting before the next attempt", [Phrase("", .retryMs, " ms")],
            subject: "Camera @VIGIL_CAMERA@ is dialled again in @VIGIL_RETRY_MS@ ms",
            explanation: "After a failure Vigil waits 1, 2, 4, 8, 16, then 30 s, with at most 20 % more.",
            remedy: "Nothing to do."),
        .linkHungUp: MessageEntry(
            .info, "hung up",
            subject: "The link to camera @VIGIL_CAMERA@ was closed",
            explanation: "Vigil closed the link itself, because nothing needs it now. This is no error.",
            remedy: "Nothing to do."),
        .noKeyFrame: MessageEntry(
            .warning, "no key frame", [Phrase("for ", .durationMs, " ms")],
            subject: "Camera @VIGIL_CAMERA@ sends no key frame",
            explanation: """
                Packets come, but for @VIGIL_DURATION_MS@ ms none of them was a key frame. A clip begins and ends at a key
                frame only: no clip can begin until one comes, and one that is open goes on beyond its length. The link is
                kept; after some minutes more the camera is dialled anew.
                """,
            remedy:
                "Set the interval of I frames (GOP) in the camera to one or two seconds; switch off \"smart\" codecs."),
        .timestampsRepaired: MessageEntry(
            .notice, "timestamps repaired",
            [
                Phrase("", .count, " packets"), Phrase("track ", .track), Phrase("", .why),
                Phrase("by ", .stepMs, " ms"),
            ],
            subject: "Timestamps of camera @VIGIL_CAMERA@ were repaired",
            explanation: """
                The camera's timestamps jumped, stood still or went back (@VIGIL_WHY@) in @VIGIL_COUNT@ packets. They
                were made to rise again; no frame that could be kept was lost. One record stands for one burst.
                """,
            remedy: "If it happens all the time, look for newer firmware, and set the camera's clock by NTP."),
        .framesDamaged: MessageEntry(
            .warning, "frames lack packets",
            [
                Phrase("", .damagedFrames, " frames"), Phrase("", .count, " packets lost"),
                Phrase("within ", .durationMs, " ms"),
            ],
            subject: "Frames of camera @VIGIL_CAMERA@ lack packets",
            explanation: """
                @VIGIL_COUNT@ packets were lost between the camera and here, so that @VIGIL_DAMAGED_FRAMES@ frames are there
                in part only. They are recorded and marked; their picture may be broken up to the next key frame. One record
                stands for one burst.
                """,
            remedy: """
                Over UDP use "transport: tcp" for this camera. Else look at the network on the way, above all at wireless
                parts, or lower the camera's bit rate.
                """),
        .cameraReachable: MessageEntry(
            .info, "camera can be reached", [Phrase("by ", .endpoint)],
            subject: "Camera @VIGIL_CAMERA@ can be reached",
            explanation: """
                Its recording toggle is off and nobody looks at it, so there is no link. It is tried every five minutes: it
                answers, and nothing of what it sends is kept. Told when that was not so before.
                """,
            remedy: "Nothing to do. \"vigil enable @VIGIL_CAMERA@\" records it."),
        .cameraUnreachable: MessageEntry(
            .warning, "camera cannot be reached", [Phrase("", .why)],
            subject: "Camera @VIGIL_CAMERA@ cannot be reached",
            explanation: """
                Its recording toggle is off, so nothing is missing. It is tried every five minutes, and does not answer as it
                should (@VIGIL_WHY@). Told when that was not so before.
                """,
            remedy: """
                Look at its power and network before it is switched on again; "vigil probe" says what it answers.
                """),
        .streamChanged: MessageEntry(
            .notice, "stream changed", [Phrase("", .track), Phrase("from ", .from), Phrase("to ", .to)],
            subject: "What is recorded of camera @VIGIL_CAMERA@ changed",
            explanation: """
                Codec or size of its @VIGIL_TRACK@ changed from @VIGIL_FROM@ to @VIGIL_TO@, or whether that is recorded: clip
                @VIGIL_CLIP@ ends, a new one begins.
                """,
            remedy: "Nothing to do if you changed the camera's settings, or what is set for it here."),
        .streamIgnoredTrack: MessageEntry(
            .notice, "track not recorded", [Phrase("", .codec), Phrase("", .why)],
            subject: "A track of camera @VIGIL_CAMERA@ is not recorded",
            explanation: "The camera offers a track in @VIGIL_CODEC@, which is not recorded: @VIGIL_WHY@.",
            remedy: "Set the camera to H.264 or H.265 for video and to AAC, Opus or G.711 for sound."),
        .streamUnitRefused: MessageEntry(
            .warning, "units left out", [Phrase("track ", .track), Phrase("", .why)],
            subject: "Units of camera @VIGIL_CAMERA@ are left out",
            explanation: """
                Units of track @VIGIL_TRACK@ are left out: @VIGIL_WHY@. All the rest is recorded. Each reason is told once
                for each connection.
                """,
            remedy: "Look for newer firmware, or choose another profile or codec in the camera's settings."),
        .liveSoundMissing: MessageEntry(
            .warning, "no sound by WebRTC", [Phrase("", .why)],
            subject: "The sound of camera @VIGIL_CAMERA@ is not sent by WebRTC",
            explanation: """
                A viewer wants the camera's sound, and @VIGIL_WHY@. The picture is sent without it. Recording and live view over
                HTTP do not need Opus. It is told once for each connection.
                """,
            remedy: """
                Let the camera code its sound in G.711 or Opus, or in AAC-LC; else install a libavcodec that has libopus, as
                Debian's has.
                """),
        .pictureTooLarge: MessageEntry(
            .warning, "picture too large to be decoded", [Phrase("", .detail)],
            subject: "The picture of camera @VIGIL_CAMERA@ is too large to be decoded",
            explanation: """
                The stream is recorded as it is, but no motion is looked for in it and no picture is made of it:
                @VIGIL_DETAIL@.
                """,
            remedy: "Lower the resolution, or the reference frames, in the camera; or configure a sub-stream."),
    ]
}
