/// Which steps to read.
public struct TraceQuery: Sendable, Hashable {
    /// Only machines of these kinds.
    public var kinds: Set<MachineKind>
    /// Only this camera, and the sessions, uploads and transports of it; nil for all.
    public var camera: String?
    /// Only this run of the daemon, its 32 hexadecimal digits or the first of them; nil for all.
    public var run: String?
    /// Only this boot, its 32 hexadecimal digits or the first of them; nil for all.
    public var boot: String?
    /// Only entries at or after this wall-clock moment, milliseconds since 1970.
    public var sinceMs: Int64?
    /// Only entries before or at this wall-clock moment, milliseconds since 1970.
    public var untilMs: Int64?

    /// Also what the journal tells of cameras.
    public var withTold = false

    /// A query; every step of a camera's machine unless named.
    public init(
        kinds: Set<MachineKind> = [.camera], camera: String? = nil, run: String? = nil, boot: String? = nil,
        sinceMs: Int64? = nil, untilMs: Int64? = nil
    ) {
        self.kinds = kinds
        self.camera = camera
        self.run = run
        self.boot = boot
        self.sinceMs = sinceMs
        self.untilMs = untilMs
    }

    /// Whether the entry is asked for.
    func admits(_ entry: TraceEntry) -> Bool {
        switch entry {
        case .step(let record): admits(record)
        case .told(let told):
            kinds.contains(.camera) && (camera ?? told.camera) == told.camera && told.run.hasPrefix(run ?? "")
                && (told.wallMs.map { $0 >= sinceMs ?? .min && $0 <= untilMs ?? .max } ?? true)
        case .lost(let run): run.hasPrefix(self.run ?? "")
        }
    }

    /// Whether the step is asked for. A step without wall time is, whatever the times.
    func admits(_ record: TraceRecord) -> Bool {
        if !kinds.contains(record.kind) { return false }
        if let camera, record.camera != camera,
            !([.session, .upload, .transport].contains(record.kind) && record.camera.hasPrefix(camera + "/"))
        {
            return false
        }
        if let run, !record.run.hasPrefix(run) { return false }
        if let boot, !record.boot.hasPrefix(boot) { return false }
        guard let wallMs = record.wallMs else { return true }
        return wallMs >= sinceMs ?? .min && wallMs <= untilMs ?? .max
    }
}
