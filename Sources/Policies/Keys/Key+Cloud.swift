import Machines

extension Key {
    /// What begins an event.
    static let eventCauses = ClipCause.allCases.filter { $0 != .continuous }.map(\.rawValue)

    /// The section `cloud` of vigil.yaml.
    static let cloud: [Key] = [
        Key(
            "store", .section(cloudStore), required: true,
            "The bucket of an S3-compatible store in which clips are kept."),
        Key(
            "subscription", .valueOrSection(.choice(["always"]), cloudService), standard: "always",
            "Who says for how long clips may be sent: `always` nobody, or a service over HTTP that knows each camera's plan."
        ),
        Key(
            "webhook", .section(cloudWebhook), absence: "nobody is told but the journal and its stream",
            "Who is told each stage of each upload over HTTP, once and signed (docs/reference/webhook.md)."),
        Key(
            "encoder", .section(cloudEncoder), absence: "this machine encodes, at the lowest priority",
            "Who makes the copies that `cloud.encode` of a policy asks for (docs/reference/encoder.md)."),
        Key(
            "encryption", .section(cloudEncryption),
            absence: "clips are sent as they are, and whoever can read the bucket can play them",
            "Clips are encrypted with a key that never leaves the site before they are sent."),
        Key(
            "parallel", .value(.whole(1...32)), standard: "4",
            "How many clips are sent at once. The most important go first, of the same importance the oldest."),
        Key(
            "bandwidth", .value(.size), absence: "no limit",
            "How much is sent in a second at most, all clips together: `2MB` is two million bytes a second."),
        Key(
            "hours", .sections(weekHours, limit: scheduleLimit), absence: "at any time",
            "Times of the week at which clips are sent, in the site's time zone. What is sent live goes at any time."),
        Key(
            "cache", .value(.size), standard: "100MiB",
            "How much of what was played from the cloud is kept at hand in the storage root; what was not used for longest goes first."
        ),
    ]

    private static let cloudStore: [Key] = [
        Key(
            "endpoint", .value(.webAddress), required: true,
            "The store's address, such as https://s3.eu-central-1.amazonaws.com or http://127.0.0.1:9000. Never with a password."
        ),
        Key("bucket", .value(.bucket), required: true, "The bucket; it is not made."),
        Key("region", .value(.name), standard: "us-east-1", "The region that requests are signed for."),
        Key(
            "prefix", .value(.prefix), absence: "at the top of the bucket",
            "What every key begins with, such as `shop/vigil`. Two sites in one bucket need two."),
        Key(
            "addressing", .value(.choice(["path", "virtualHost"])), standard: "path",
            "Where requests name the bucket: `path` behind the host, `virtualHost` as part of it."),
        Key(
            "ca", .value(.path), absence: "the system's authorities",
            "A file of certificates (PEM) that are trusted for this store, absolute or relative to this file."),
        Key(
            "publicUrl", .value(.webAddress), absence: "the bucket is private, and play URLs are signed",
            "Where everybody who knows a key may read what lies below the prefix, such as the address of a CDN: play URLs begin with it."
        ),
        Key(
            "credential", .value(.name),
            absence:
                "`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, else the container-credentials endpoint that the environment names",
            "The name of the credential for the store: key id and secret key with a colon between them."),
    ]

    private static let cloudService: [Key] = [
        Key(
            "url", .value(.webAddress), required: true,
            "The service's address. Below it Vigil asks for the plan of each camera."),
        Key(
            "credential", .value(.name), absence: "no login",
            "The name of the credential for the service: what stands behind its colon is sent as bearer token."),
        Key(
            "retention", .value(.duration(0...3_650 * 86_400_000, allowed: [])), standard: "7d",
            "How long clips outlive a plan that ended, where the service does not say, 0s to 3650d. Then they are deleted from the store."
        ),
    ]

    private static let cloudWebhook: [Key] = [
        Key(
            "url", .value(.webAddress), required: true,
            "The receiver's address, used as it is. A secret in its path is shown nowhere; messages name the host alone."
        ),
        Key(
            "credential", .value(.name), absence: "notices are not signed",
            "The name of the credential for the receiver: what stands behind its colon signs each notice, `whsec_` and the base64 of 24 to 64 bytes."
        ),
    ]

    private static let cloudEncoder: [Key] = [
        Key(
            "url", .value(.webAddress), required: true,
            "The encoder's address; below it Vigil orders its jobs. Messages name the host alone."),
        Key(
            "credential", .value(.name), required: true,
            "The name of the credential for the encoder: what stands behind its colon is the bearer token of requests, and what its own notices are signed with, `whsec_` and the base64 of 24 to 64 bytes."
        ),
    ]

    private static let cloudEncryption: [Key] = [
        Key(
            "keyFile", .value(.path), required: true,
            "The key's file, absolute or relative to this file; `vigil cloud key create` makes one. Whoever loses it loses the clips, so nothing is sent until its backup is confirmed (`vigil cloud key confirm`). Nobody but the daemon's user may be able to read it."
        ),
        Key(
            "oldKeyFiles", .values(.path, limit: 16), absence: "none",
            "Files of keys that were in use before: clips that were encrypted with them stay playable."),
    ]

    /// The section `cloud` of a policy.
    static let policyCloud: [Key] = [
        Key(
            "upload", .value(.choice(["none", "events", "all"])), standard: "none",
            "Which clips are sent to the cloud: `none`, those in which an event lies (`events`), or `all`. Needs `cloud.store` in vigil.yaml."
        ),
        Key(
            "levels", .values(.sensitivity, limit: 3), absence: "every level",
            "With `upload: events`: only events that began with a movement of one of these levels; those that nothing moving began count too."
        ),
        Key(
            "causes", .values(.choice(eventCauses), limit: eventCauses.count), absence: "every cause",
            "With `upload: events`: only events that one of these began."),
        Key(
            "keepLocal", .value(.choice(["byRule", "untilUploaded"])), standard: "byRule",
            "`byRule` deletes the local copy as `retention` says; with `untilUploaded` no rule deletes it before its upload is verified, not even when the disk is full. It holds while the camera's plan is active, and a person's command deletes whatever it says."
        ),
        Key(
            "live", .value(.flag), standard: "false",
            "Whether a clip is sent while it is recorded, from the begin of its event on: what was sent can be played in the cloud up to its last fragment, even if the recorder is stolen meanwhile. `hours` are not asked."
        ),
        Key(
            "encode", .value(.choice(["none", "browser", "small", "ladder"])), standard: "none",
            "What is made of a clip once it is in the cloud, beside it, in H.264 and AAC: `none`; `browser` its own size up to 1080p with 4000 kbit/s; `small` up to 480p with 700; `ladder` up to 1080p with 4000, 720p with 2000 and 360p with 600, of which players take what their line bears."
        ),
        Key(
            "retention", .value(.duration(60_000...DurationText.maxMs, allowed: [])),
            absence: "as long as the plan holds",
            "Clips in the cloud older than this are deleted there."),
    ]
}
