extension MessageKind {
    static let toggleEntries: [MessageKind: MessageEntry] = [
        .recordingEnabled: MessageEntry(
            .notice, "recording enabled", [Phrase("by ", .user)],
            subject: "Recording of camera @VIGIL_CAMERA@ was enabled",
            explanation: "The recording toggle was switched on by @VIGIL_USER@. The policy decides what is recorded.",
            remedy: "Nothing to do."),
        .recordingDisabled: MessageEntry(
            .notice, "recording disabled", [Phrase("by ", .user)],
            subject: "Recording of camera @VIGIL_CAMERA@ was disabled",
            explanation:
                "The recording toggle was switched off by @VIGIL_USER@. An active event ended with this reason.",
            remedy: "\"vigil enable @VIGIL_CAMERA@\" switches it on again."),
        .privacyOn: MessageEntry(
            .notice, "privacy on", [Phrase("", .to), Phrase("by ", .user), Phrase("because ", .why)],
            subject: "Privacy of camera @VIGIL_CAMERA@ was switched on",
            explanation: """
                The switch @VIGIL_TO@ is on. What it covers is neither recorded nor shown while it is on, and what the
                pre-roll ring held is gone.
                """,
            remedy: "\"vigil privacy @VIGIL_CAMERA@ off\" switches it off again."),
        .privacyOff: MessageEntry(
            .notice, "privacy off", [Phrase("by ", .user)],
            subject: "Privacy of camera @VIGIL_CAMERA@ was switched off",
            explanation: "Every privacy switch is off. What was not recorded meanwhile cannot be recovered.",
            remedy: "Nothing to do."),
        .settingChanged: MessageEntry(
            .notice, "setting changed",
            [Phrase("", .setting), Phrase("from ", .from), Phrase("to ", .to), Phrase("by ", .user)],
            subject: "A setting of camera @VIGIL_CAMERA@ was changed",
            explanation: """
                @VIGIL_USER@ set @VIGIL_SETTING@ for this camera from @VIGIL_FROM@ to @VIGIL_TO@. It holds over its policy and
                over restarts. A running event keeps the sensitivity and length that it began with.
                """,
            remedy: "\"vigil camera set @VIGIL_CAMERA@ @VIGIL_SETTING@=default\" follows the policy again."),
        .modeChanged: MessageEntry(
            .notice, "mode changed", [Phrase("from ", .from), Phrase("to ", .to)],
            subject: "Camera @VIGIL_CAMERA@ changed its mode from @VIGIL_FROM@ to @VIGIL_TO@",
            explanation:
                "Another interval of the schedule began, the camera follows another policy, or its mode was set.",
            remedy: "Nothing to do. \"vigil policy show\" shows the schedule."),
        .coverageChanged: MessageEntry(
            .info, "coverage",
            [Phrase("", .to, in: .coverage), Phrase("was ", .from, in: .coverage)],
            subject: "The coverage of camera @VIGIL_CAMERA@ is now @VIGIL_TO@",
            explanation:
                "From this moment each second of the camera carries the label @VIGIL_TO@; before it was @VIGIL_FROM@.",
            remedy: "Nothing to do for recorded, idle and blind; for the others the records before say why."),
    ]
}
