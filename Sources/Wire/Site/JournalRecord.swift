/// One record of the journal, as `GET /v1/journal` tells it.
public struct JournalRecord: Hashable, Sendable, Codable {
    /// The words of all priorities, the most urgent first.
    public static let priorities = [
        "emergency", "alert", "critical", "error", "warning", "notice", "info", "debug",
    ]

    /// When it was said.
    public var time: WallTime
    /// The name of its message kind, such as `linkLost`.
    public var kind: String
    /// The word of its priority, such as `warning`.
    public var priority: String
    /// The camera that it is about; absent where it is about the site.
    public var camera: String?
    /// What happened, in one line, without the camera's name. Control characters are escaped.
    public var message: String
    /// Everything variable, by the names of the journal's fields, such as `VIGIL_CLIP`. Values come from outside in part.
    public var fields: [String: String]

    /// A record.
    public init(
        time: WallTime, kind: String, priority: String, camera: String?, message: String, fields: [String: String]
    ) {
        self.time = time
        self.kind = kind
        self.priority = priority
        self.camera = camera
        self.message = message
        self.fields = fields
    }

    /// About how much memory it takes, in bytes.
    package var bytes: Int {
        fields.reduce(message.utf8.count + 256) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
    }
}
