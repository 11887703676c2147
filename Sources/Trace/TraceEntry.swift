/// What a source of a trace gives, in the order in which it is stored.
public enum TraceEntry: Sendable, Hashable {
    /// A step of a machine.
    case step(TraceRecord)
    /// A record of the journal about a camera, of the kinds in which steps are told.
    case told(ToldRecord)
    /// Records of this run of the daemon were lost here.
    case lost(run: String)
}

/// One record of the journal about a camera, as it stands there.
public struct ToldRecord: Sendable, Hashable {
    /// The camera.
    public let camera: String
    /// The run of the daemon, 32 hexadecimal digits.
    public let run: String
    /// Its fields: MESSAGE, MESSAGE_ID and those of Vigil, but for camera and run. What is not UTF-8 or was left out for its
    /// length is empty.
    public let fields: [String: String]
    /// A field that stands in it twice; nil where none does.
    public let repeated: String?
    /// How much it holds, in bytes.
    public let bytes: Int
    /// When the journal took it, milliseconds since 1970; nil where the source does not say.
    public let wallMs: Int64?

    /// The most bytes of fields that a record may have: many times what Vigil writes.
    static let bytesMax = 64 << 10

    /// A record. Of one that is longer than any that Vigil writes only MESSAGE_ID is kept.
    public init(camera: String, run: String, fields: [String: String], repeated: String? = nil, wallMs: Int64? = nil) {
        self.camera = camera
        self.run = run
        let bytes = fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        self.bytes = min(bytes, Self.bytesMax)
        self.fields =
            bytes > Self.bytesMax ? fields.filter { $0.key == "MESSAGE_ID" && $0.value.utf8.count <= 64 } : fields
        self.repeated = repeated
        self.wallMs = wallMs
    }
}
