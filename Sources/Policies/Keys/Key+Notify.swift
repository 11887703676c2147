extension Key {
    /// Most receivers of one configuration, most rules of one policy, and most receivers and labels of one rule.
    static let (receiverLimit, notifyRuleLimit, ruleReceiverLimit, ruleLabelLimit) = (32, 16, 8, 16)

    /// One receiver of the section `notify` of vigil.yaml.
    static let notifyReceiver: [Key] = [
        Key(
            "kind", .value(.choice(NotifyReceiver.Kind.allCases.map(\.rawValue))), required: true,
            "What it understands: `ntfy` a topic of an ntfy server, `gotify` a Gotify server, `webhook` any program that takes JSON."
        ),
        Key(
            "url", .value(.webAddress), required: true,
            "The address: of the topic, of the Gotify server, or of the program, used as it is. A secret in its path is shown nowhere; messages name the host alone."
        ),
        Key(
            "credential", .value(.name), absence: "no login, and a webhook is not signed",
            "The name of the credential. ntfy: user and password, or nothing before the colon and a token behind it. Gotify: the application's token behind the colon. Webhook: the secret that signs, `whsec_` and the base64 of 24 to 64 bytes."
        ),
        Key(
            "picture", .value(.flag), standard: "false",
            "Whether a message about an event carries a picture of it. Gotify takes none."),
        Key(
            "title", .value(.template), standard: "Vigil {{camera}}",
            "The title of each message; fields such as `{{camera}}` are filled in."),
        Key("text", .value(.template), standard: "{{words}}", "The text of each message, as `title`."),
        Key(
            "template", .value(.path), absence: "the standard body",
            "A file with the body for a webhook, JSON with fields inside its strings, absolute or relative to this file."
        ),
        Key(
            "problems", .value(.duration(60_000...86_400_000, allowed: [])), absence: "no problem is told",
            "Problems of cameras, storage and services that hold for so long are told too, and when they are over: what `vigil messages` lists as not over."
        ),
    ]

    /// One entry of the list `notify` of a policy.
    static let notifyRule: [Key] = [
        Key(
            "to", .values(.name, limit: ruleReceiverLimit), required: true,
            "Who is told: names of the section `notify` of vigil.yaml."),
        Key(
            "on", .values(.choice(NotifyRule.Moment.allCases.map(\.rawValue)), limit: 2), absence: "`[ begin ]`",
            "What of an event is told: that it began (`begin`), that it ended (`end`), or both. With both, an end is told where its begin was."
        ),
        Key(
            "causes", .values(.choice(eventCauses), limit: eventCauses.count), absence: "every cause",
            "Only events that one of these began."),
        Key(
            "levels", .values(.sensitivity, limit: 3), absence: "every level",
            "Only events that began with a movement of one of these levels; what a source or a command begins has no level and always counts."
        ),
        Key(
            "labels", .values(.label, limit: ruleLabelLimit), absence: "whatever was recognised, or nothing",
            "Only events in which a program recognised one of these (`vigil trigger --label`), or a doorbell rang (`doorbell`). They are told when the first is, not when the event begins, and their ends where that was told."
        ),
        Key(
            "quiet", .sections(weekHours, limit: scheduleLimit), absence: "at any time",
            "Times of the week at which nothing is told, in the site's time zone. What happens then is not told later."),
        Key(
            "atMostEvery", .value(.duration(0...86_400_000, allowed: [])), standard: "0s",
            "The events of one camera are told to one receiver at least so far apart; those in between are not told later."
        ),
    ]
}
