import Machines

extension Key {
    /// Most cameras of one configuration.
    static let cameraLimit = 1_000
    /// Most named credentials of one configuration.
    static let credentialLimit = 1_000
    /// Most files or folders in the list of policies.
    static let policyListLimit = 64

    /// The keys of vigil.yaml.
    static let configuration: [Key] = [
        Key(
            "storage", .section(storage), absence: "every default below",
            "Where recordings are kept, and how much of the disk they may use."),
        Key(
            "trace", .section(trace), absence: "every default below",
            "How much is kept of the steps of the machines, in the folder trace/ of the storage root: what `vigil why`, `simulate`, `ladder` and `replay` read."
        ),
        Key("journal", .section(journal), absence: "every default below", "What goes to the journal."),
        Key("http", .section(http), absence: "every default below", "The web page and the HTTP interface."),
        Key(
            "webrtc", .section(webrtc), absence: "every default below",
            "Live view by WebRTC, which shows a picture sooner than HTTP can."),
        Key(
            "viewers", .section(viewers), absence: "every default below",
            "Who looks at cameras: how many at a time, and for how long."),
        Key(
            "socket", .value(.path), standard: "/run/vigil/vigil.sock",
            "The Unix socket through which the `vigil` commands speak to the daemon; `--socket` overrides it."),
        Key(
            "timezone", .value(.timeZone), absence: "the system's time zone",
            "The site's time zone (IANA name): schedules and days follow its wall clock."),
        Key(
            "policies", .values(.path, limit: policyListLimit), standard: "[ policies/ ]",
            "Policy files, and folders of them (*.yaml, *.yml), relative to this file."),
        Key(
            "credentials", .named(placeholder: "name", credential, limit: credentialLimit),
            absence: "systemd credential, then environment",
            "Where the named credentials are, for those that are neither a systemd credential nor in the environment. Never the password itself."
        ),
        Key(
            "cloud", .section(cloud), absence: "nothing is sent anywhere",
            "Where clips are sent that policies say are to be sent, and for how long."),
        Key(
            "notify", .named(placeholder: "name", notifyReceiver, limit: receiverLimit), absence: "nobody is told",
            "Who can be told of events and problems over HTTP, by name: telephones through ntfy or Gotify, and programs (docs/reference/notifications.md). Which events, each policy says (`notify`)."
        ),
        Key(
            "mqtt", .section(mqtt), absence: "nothing is published",
            "The broker to which the state of the cameras is published, for Home Assistant and others (docs/reference/mqtt.md)."
        ),
        Key(
            "tlsEndpoints", .named(placeholder: "name", tlsEndpoint, limit: endpointLimit),
            absence: "the system's authorities, and no client certificate",
            "How the receivers of what transports push are spoken to over TLS, by the number that a transport names with `tlsEndpointID`, 1 to 65534 (docs/design/ingest.md)."
        ),
        Key(
            "cameras", .named(placeholder: "name", camera, limit: cameraLimit), absence: "no camera",
            "The cameras by name."),
    ]

    private static let storage: [Key] = [
        Key(
            "root", .value(.path), standard: "/var/lib/vigil",
            "The folder of catalog and recordings, absolute or relative to this file; `--root` overrides it."),
        Key(
            "maxSize", .value(.size), absence: "no limit but the reserve",
            "When all recordings together exceed this, the oldest are deleted."),
        Key(
            "reserve", .value(.sizeOrShare), standard: "5%",
            "Free space to keep on the file system: a size, or a share of it in whole percent (0% to 50%). When less is free, the oldest recordings are deleted."
        ),
        Key(
            "syncInterval", .value(.duration(1_000...60_000, allowed: [])), standard: "5s",
            "How often written media is forced to the disk: what a power cut can cost at most. Shorter is safer and costs disk writes."
        ),
    ]

    private static let trace: [Key] = [
        Key(
            "keep", .value(.duration(86_400_000...3_650 * 86_400_000, allowed: [])), standard: "30d",
            "How long a day's steps are kept, 1d to 3650d."),
        Key(
            "maxSize", .value(.size), standard: "2GB",
            "When all files of the trace together exceed this, the oldest are deleted; the newest stays. They do not count for the size of the recordings."
        ),
    ]

    private static let journal: [Key] = [
        Key(
            "steps", .value(.flag), standard: "false",
            "Whether the journal carries each step of the machines too, for who collects journals from many machines. What people read is in the journal either way."
        )
    ]

    private static let http: [Key] = [
        Key(
            "listen", .value(.listen), standard: "127.0.0.1:8080",
            "Numeric address and port, such as 127.0.0.1:8080 or [::]:8443; `none` for no HTTP at all. An address that other machines can reach is served over TLS: without `tls`, with a certificate that Vigil makes itself and keeps in the storage root."
        ),
        Key(
            "tls", .section(webTLS), absence: "no TLS at a loopback address, else a certificate that Vigil makes",
            "HTTP over TLS, with a certificate of yours."),
    ]

    private static let webTLS: [Key] = [
        Key(
            "certificate", .value(.path), required: true,
            "A file (PEM) with the certificate, and those that lead from it to its authority. It is read again when it changes."
        ),
        Key(
            "key", .value(.path), required: true,
            "A file (PEM) with the certificate's private key, which not everybody may read (mode 0600, 0400 or 0440). It is read again when it changes."
        ),
    ]

    /// Most live viewers that one camera may have at a time.
    static let viewersRange = 1...200

    private static let viewers: [Key] = [
        Key(
            "limit", .value(.whole(viewersRange)), standard: "5",
            "How many see the live picture of one camera at a time, unless the camera says otherwise. Recordings are played by as many as ask."
        ),
        Key(
            "duration", .value(.duration(10_000...86_400_000, allowed: [])), standard: "5m",
            "How long a session shows the live picture, or rests idle or paused, unless it is extended, 10s to 1d. "
                + "That of the page or of a player is extended while it looks on."
        ),
    ]

    private static let cameraViewers: [Key] = [
        Key(
            "limit", .value(.whole(viewersRange)), absence: "as `viewers.limit` of the site",
            "How many see the live picture of this camera at a time.")
    ]

    private static let credential: [Key] = [
        Key(
            "file", .value(.path), absence: "not from a file",
            "A file that holds `user:password` in one line, absolute or relative to this file; nobody but its owner may read it (mode 0600 or 0400)."
        ),
        Key(
            "env", .value(.variable), absence: "not from this variable",
            "An environment variable that holds `user:password`."),
        Key(
            "systemd", .value(.name), absence: "not from this credential",
            "A systemd credential (LoadCredential=) with another name than this one."),
    ]

    private static let camera: [Key] = [
        Key(
            "main", .valueOrSection(.address, endpoints), required: true,
            "The main stream, which is recorded: rtsp://, rtsps://, file:///… (a file played in a loop), push (the camera pushes CMAF to `/ingest/NAME/main`, docs/design/ingest-in.md) or demo (the built-in demo camera); or a section with one address for each way to reach the camera. Never with a password."
        ),
        Key(
            "sub", .valueOrSection(.address, endpoints), absence: "the main stream is used",
            "A smaller stream of the same picture, for motion detection and small views."),
        Key(
            "detection", .value(.choice(["auto", "main", "sub", "off"])), standard: "auto",
            "Which stream is looked at for motion: `auto` takes the sub-stream where there is one, else the main stream; `main` and `sub` the one; `off` neither. While a sub-stream cannot be had, the main stream serves."
        ),
        Key(
            "connect", .value(.choice(ConnectMode.allCases.map(\.rawValue))), standard: "auto",
            "Which address is dialled first: `lan` or `internet`, and the other one while that fails; `auto` begins with what worked last. `lanOnly` and `internetOnly` never dial the other one."
        ),
        Key(
            "credential", .value(.name), absence: "no login",
            "The name of the credential for the login at the camera; of a camera that pushes, the login that it must show."
        ),
        Key(
            "pushCertificates", .value(.path), absence: "no certificate is taken",
            "A file of certificates (PEM), absolute or relative to this file: whoever shows one of them by TLS may push to this camera, without a login. It is read with the configuration. Browsers are asked for a certificate, too, as soon as one camera has such a file; people need none."
        ),
        Key(
            "allowBasic", .value(.flag), standard: "false",
            "Whether the password may be sent in clear to a camera that knows basic login only and is dialled without TLS: anybody on the way can read it then."
        ),
        Key("policy", .value(.name), required: true, "The name of the policy that the camera follows."),
        Key(
            "onvif", .value(.webAddress), absence: "Vigil's own detector alone",
            "Where the camera speaks ONVIF, such as `http://192.168.1.20`, to have what its own detector and its inputs notice count as sources that are on or off. The login is that of `credential`, and `tls` holds for https://. Without a path it is asked at the standard's own."
        ),
        Key(
            "transport", .value(.choice(["tcp", "udp"])), standard: "tcp",
            "How RTSP media travels. `tcp` loses nothing on a busy network; `udp` is for cameras that cannot do otherwise."
        ),
        Key(
            "g726", .value(.choice(["auto", "rfc3551", "aal2"])), standard: "auto",
            "The order of the codes in G.726 sound: `auto` as the camera names it (`G726-32` is RFC 3551, `AAL2-G726-32` is AAL2), `rfc3551` and `aal2` whatever it says. Some cameras send the other order than they name; their sound is then loud noise."
        ),
        Key(
            "rotation", .value(.numbers([0, 180])), standard: "0",
            "By how many degrees the picture is turned, for a camera that hangs upside down and cannot turn it by itself. Media is recorded as it comes, with a mark that players follow; zones and masks are drawn on the turned picture. It holds from the next key frame on; what was recorded before keeps the mark it has."
        ),
        Key(
            "tls", .section(tls), absence: "every default below",
            "How the certificate of an rtsps:// camera is checked."),
        Key(
            "zones", .areas(limit: ZoneMap.zoneLimit), absence: "no zone",
            "Named parts of the picture, for the `zones` of policies: corners in order, from the picture's top left (0, 0) to its bottom right (1, 1)."
        ),
        Key(
            "masks", .areas(limit: Configuration.Camera.maskLimit), absence: "no mask",
            "Named parts of the picture, written as zones are, in which movement is never looked at: a flag, a clock in the picture, the neighbour's door."
        ),
        Key(
            "viewers", .section(cameraViewers), absence: "as `viewers` of the site",
            "Who looks at this camera."),
        Key(
            "enabled", .value(.flag), standard: "true",
            "Whether recording is switched on when the camera is first seen; later `vigil enable` and `vigil disable` decide."
        ),
    ]

    private static let endpoints: [Key] = [
        Key("lan", .value(.address), absence: "cannot be reached this way", "The address in the local network."),
        Key("internet", .value(.address), absence: "cannot be reached this way", "The address from outside."),
    ]

    private static let tls: [Key] = [
        Key(
            "ca", .value(.path), absence: "the system's authorities",
            "A file of certificates (PEM) that are trusted for this camera, absolute or relative to this file."),
        Key(
            "verify", .value(.choice(["full", "chain", "none"])), standard: "full",
            "`full` checks authority, days and host name, `chain` authority and days only (cameras whose certificate names another host), `none` nothing: the connection is then secret but may be to anybody."
        ),
    ]
}
