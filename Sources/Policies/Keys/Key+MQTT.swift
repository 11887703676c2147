extension Key {
    /// The section `mqtt` of vigil.yaml.
    static let mqtt: [Key] = [
        Key(
            "url", .value(.broker), required: true,
            "The broker's address, such as mqtts://broker.lan or mqtt://127.0.0.1:1883. Never with a password."),
        Key(
            "ca", .value(.path), absence: "the system's authorities",
            "A file of certificates (PEM) that are trusted for this broker, absolute or relative to this file."),
        Key(
            "credential", .value(.name), absence: "no login",
            "The name of the credential for the broker: user and password with a colon between them."),
        Key(
            "topic", .value(.name), standard: "vigil",
            "What each topic begins with, and the name of the client. Two sites at one broker need two."),
        Key(
            "discovery", .value(.name), standard: "homeassistant",
            "What the topics begin with under which Home Assistant looks for devices; `off` for no discovery."),
        Key(
            "commands", .value(.flag), standard: "false",
            "Whether messages to the topics of commands are carried out: recording, privacy and triggers. Whoever may publish them at the broker can then switch recording off."
        ),
        Key(
            "version", .value(.choice(["5", "3.1.1"])), standard: "5",
            "The version of MQTT that is spoken. Brokers older than 2019 know 3.1.1 alone."),
    ]
}
