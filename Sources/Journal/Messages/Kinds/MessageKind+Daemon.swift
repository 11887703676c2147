extension MessageKind {
    static let daemonEntries: [MessageKind: MessageEntry] = [
        .daemonStarted: MessageEntry(
            .notice, "Vigil started", [Phrase("version ", .version), Phrase("configuration ", .path)],
            subject: "Vigil @VIGIL_VERSION@ started",
            explanation: """
                The daemon runs and reads its configuration. Cameras are dialled once the clips that the last run left
                open have been closed.
                """,
            remedy: "Nothing to do. If no \"Vigil is ready\" follows, the next record says why."),
        .daemonReady: MessageEntry(
            .notice, "Vigil is ready", [Phrase("cameras: ", .count), Phrase("after ", .durationMs, " ms")],
            subject: "Vigil is ready",
            explanation: "All @VIGIL_COUNT@ cameras are set up, the API answers, and recording goes by the policies.",
            remedy: "Nothing to do. \"vigil state\" shows each camera."),
        .daemonStopping: MessageEntry(
            .notice, "Vigil is stopping",
            subject: "Vigil is stopping",
            explanation: """
                Vigil was told to stop. It closes open clips and makes them durable first; events that are active end
                with the reason "draining".
                """,
            remedy: "Nothing to do."),
        .daemonStopOverdue: MessageEntry(
            .error, "the stop was cut short", [Phrase("after ", .durationMs, " ms")],
            subject: "Vigil's stop took too long and was cut short",
            explanation: """
                Something that Vigil waits for did not end within @VIGIL_DURATION_MS@ ms: another program that holds the
                catalog, a disk or a name server that does not answer. What has been recorded is on the disk; clips that
                were open are closed by the recovery of the next start, as interrupted.
                """,
            remedy: "Look for a program that has catalog.sqlite open (lsof), and at disk and name servers."),
        .daemonStopped: MessageEntry(
            .notice, "Vigil stopped", [Phrase("after ", .durationMs, " ms")],
            subject: "Vigil stopped",
            explanation:
                "Every clip is closed and the process ends. Until the next start the coverage is \"recorder down\".",
            remedy: "Nothing to do if you stopped it; else \"systemctl status vigil\" says who did."),
        .configurationLoaded: MessageEntry(
            .notice, "configuration loaded",
            [
                Phrase("", .path), Phrase("revision ", .revision), Phrase("cameras: ", .count), Phrase("by ", .user),
                Phrase("because of ", .why),
            ],
            subject: "Configuration @VIGIL_PATH@ is in force",
            explanation: """
                The configuration and its policies were read, found good, and are in force from now on. VIGIL_USER or VIGIL_WHY
                says who made the daemon read them: a caller, a changed file, a signal, or the start.
                """,
            remedy: "Nothing to do. \"vigil policy show\" shows what a camera follows now."),
        .configurationRefused: MessageEntry(
            .error, "configuration refused",
            [Phrase("", .path), Phrase("", .detail), Phrase("by ", .user), Phrase("because of ", .why)],
            subject: "Configuration @VIGIL_PATH@ was refused",
            explanation: """
                The file has a fault: @VIGIL_DETAIL@. None of it was taken: the last good configuration stays in force.
                At the start there is none, and Vigil does not run.
                """,
            remedy: "Run \"vigil check\": it names file, line, reason and remedy. The corrected file is read at once."
        ),
        .policyImpossible: MessageEntry(
            .warning, "policy cannot be kept", [Phrase("", .detail)],
            subject: "A policy cannot be kept",
            explanation: """
                The configuration is in force, but something in it is impossible by what was measured of disk and cameras,
                or by a clock change to come: @VIGIL_DETAIL@.
                """,
            remedy: "\"vigil policy check --all\" shows what would happen, and what to do."),
        .policyRevised: MessageEntry(
            .notice, "policy revised",
            [
                Phrase("", .policy), Phrase("from ", .from), Phrase("to ", .to), Phrase("by ", .user),
                Phrase("because of ", .why),
            ],
            subject: "Policy @VIGIL_POLICY@ was revised",
            explanation: """
                The text of policy @VIGIL_POLICY@ changed: revision @VIGIL_FROM@ became @VIGIL_TO@ ("none" for a policy that is
                new, or is gone). VIGIL_DIFFERENCE says what changed in it.
                """,
            remedy: "Nothing to do if you changed it. \"vigil policy log @VIGIL_POLICY@\" shows every change."),
        .policyChanged: MessageEntry(
            .notice, "policy changed",
            [
                Phrase("from ", .from), Phrase("to ", .to), Phrase("revision ", .revision), Phrase("by ", .user),
                Phrase("because of ", .why),
            ],
            subject: "The policy of camera @VIGIL_CAMERA@ changed",
            explanation: """
                The camera follows another policy or another revision of it: @VIGIL_FROM@ became @VIGIL_TO@. A running
                event keeps the sensitivity and length that it began with.
                """,
            remedy: "Nothing to do if you changed it. \"vigil policy show\" shows the policy in force."),
        .demoStarted: MessageEntry(
            .notice, "demo camera started", [Phrase("", .url), Phrase("clips in ", .path)],
            subject: "The built-in demo camera was started",
            explanation: "Vigil records a synthetic scene with a moving object and a clock; no camera is needed.",
            remedy: "Nothing to do. \"vigil clips\" lists what is recorded."),
        .limitNear: MessageEntry(
            .warning, "a limit of the process is near", [Phrase("", .why), Phrase("", .detail)],
            subject: "Vigil comes near its limit of @VIGIL_WHY@",
            explanation: """
                Of what the service manager allows, most is used: @VIGIL_DETAIL@. At the limit the kernel refuses, or ends
                the process.
                """,
            remedy: """
                "vigil check" says what the configuration may need at most, and the limits that fit; "systemctl edit vigil"
                sets them. If the need is far below the use, look for the camera or client that takes so much.
                """),
        .limitClear: MessageEntry(
            .notice, "the limit is no longer near", [Phrase("", .why), Phrase("", .detail)],
            subject: "Vigil is away from its limit of @VIGIL_WHY@ again",
            explanation: "@VIGIL_DETAIL@.",
            remedy: "Nothing to do."),
        .listenerFailed: MessageEntry(
            .error, "listener failed", [Phrase("", .path), Phrase("", .detail)],
            subject: "Vigil takes no requests at @VIGIL_PATH@ any more",
            explanation: """
                The listener at @VIGIL_PATH@ ended while Vigil runs: @VIGIL_DETAIL@. Cameras are watched and recorded as
                before; what was asked there is not answered.
                """,
            remedy: "Remove the cause, then \"systemctl restart vigil\"; the other listeners answer meanwhile."),
        .requestBrokeOff: MessageEntry(
            .warning, "request broke off", [Phrase("", .request), Phrase("", .detail)],
            subject: "A request to the API broke off",
            explanation: "The request @VIGIL_REQUEST@ broke off: @VIGIL_DETAIL@. Nothing was changed.",
            remedy: "Look at the health of the disk, then ask again."),
        .clientsCutOff: MessageEntry(
            .warning, "clients cut off",
            [
                Phrase("", .count), Phrase("at ", .path), Phrase("the last: ", .user), Phrase("", .request),
                Phrase("", .detail),
            ],
            subject: "Connections to @VIGIL_PATH@ were closed because of their client",
            explanation: """
                @VIGIL_COUNT@ connections were closed since the last such message, at most one of which comes in a minute. The last
                one was that of @VIGIL_USER@: @VIGIL_DETAIL@. Recording is not concerned.
                """,
            remedy: """
                Look at the program that asked: it leaves requests unfinished or answers unread. Times and numbers are in "HTTP
                interface" of the documentation.
                """),
        .exportIncomplete: MessageEntry(
            .warning, "export incomplete", [Phrase("clip ", .clip), Phrase("", .detail)],
            subject: "Clip @VIGIL_CLIP@ of camera @VIGIL_CAMERA@ could not be exported whole",
            explanation: """
                An export goes on without what cannot be read and says so in its answer, or breaks off where its client
                cannot be told: @VIGIL_DETAIL@. The recording was not changed.
                """,
            remedy: "Look at the health of the disk; \"vigil fsck --deep\" says which recordings are damaged."),
    ]
}
