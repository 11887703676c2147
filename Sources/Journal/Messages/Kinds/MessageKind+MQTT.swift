extension MessageKind {
    static let mqttEntries: [MessageKind: MessageEntry] = [
        .mqttConnected: MessageEntry(
            .notice, "the MQTT broker is connected", [Phrase("", .url), Phrase("after ", .durationMs, " ms")],
            subject: "The broker at @VIGIL_URL@ takes what is published",
            explanation: "The state of every camera is published there, and from now on each change of it.",
            remedy: "Nothing to do."),
        .mqttLost: MessageEntry(
            .warning, "no connection to the MQTT broker", [Phrase("", .url), Phrase("", .why)],
            subject: "There is no connection to the broker at @VIGIL_URL@",
            explanation: """
                @VIGIL_WHY@. Nothing is published and no command comes until it is back; recording is not concerned. The whole
                state is published then.
                """,
            remedy: """
                Look at the broker, at mqtt.url and its credential. It is tried again by itself, at least once a minute; each
                outage is told once.
                """),
        .mqttRefused: MessageEntry(
            .warning, "the MQTT broker refuses a part", [Phrase("", .url), Phrase("", .why)],
            subject: "The broker at @VIGIL_URL@ does not take everything",
            explanation: "It refuses @VIGIL_WHY@. The rest goes on.",
            remedy: "Look at the broker's access list: the documentation of MQTT has the topics."),
        .mqttIgnored: MessageEntry(
            .warning, "MQTT messages are ignored", [Phrase("", .why), Phrase("the first: ", .detail)],
            subject: "Messages from the broker are ignored: @VIGIL_WHY@",
            explanation: """
                A message came to a topic of commands and changed nothing: @VIGIL_WHY@. The first was @VIGIL_DETAIL@. Others like it
                are counted by the metric vigil_mqtt_messages_total, and not told.
                """,
            remedy: """
                Look who publishes it. A message that the broker keeps goes away with an empty one that it is to keep:
                "mosquitto_pub -r -n -t TOPIC".
                """),
        .mqttCommandFailed: MessageEntry(
            .warning, "an MQTT command failed", [Phrase("", .request), Phrase("", .why)],
            subject: "A command to camera @VIGIL_CAMERA@ by MQTT was not carried out",
            explanation: "@VIGIL_REQUEST@ failed: @VIGIL_WHY@.",
            remedy: "Look at the camera's state, and send it again."),
        .mqttNotEmptied: MessageEntry(
            .warning, "an MQTT broker may keep pictures", [Phrase("", .url), Phrase("", .why)],
            subject: "What was published at @VIGIL_URL@ before is not taken away",
            explanation: """
                @VIGIL_WHY@. A broker that the configuration has no more, or had under another name or with more cameras, may still
                keep pictures. It is tried again by itself, at last every ten minutes, and told once.
                """,
            remedy: """
                Let Vigil reach that broker with the credential of then, or take the topics away there by hand. If the broker is gone
                for good, stop Vigil and remove mqtt.json from the storage root.
                """),
        .mqttEmptied: MessageEntry(
            .notice, "the MQTT broker keeps no picture any more", [Phrase("", .url)],
            subject: "What was published at @VIGIL_URL@ before is taken away",
            explanation: "It could not be taken away when the configuration changed.",
            remedy: "Nothing to do."),
    ]
}
