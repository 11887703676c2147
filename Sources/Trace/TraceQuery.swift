/// Which steps to read.
public struct TraceQuery: Sendable, Hashable {
    /// Only machines of this kind.
    public var kind: MachineKind
    /// Only this camera; nil for all.
    public var camera: String?
    /// Only this run of the daemon, its 32 hexadecimal digits or the first of them; nil for all.
    public var run: String?
    /// Only this boot, its 32 hexadecimal digits or the first of them; nil for all.
    public var boot: String?
    /// Only entries at or after this wall-clock moment, milliseconds since 1970.
    public var sinceMs: Int64?
    /// Only entries before or at this wall-clock moment, milliseconds since 1970.
    public var untilMs: Int64?

    /// A query; every step of a camera unless named.
    public init(
        kind: MachineKind = .camera, camera: String? = nil, run: String? = nil, boot: String? = nil,
        sinceMs: Int64? = nil, untilMs: Int64? = nil
    ) {
        self.kind = kind
        self.camera = camera
        self.run = run
        self.boot = boot
        self.sinceMs = sinceMs
        self.untilMs = untilMs
    }

    /// Whether the step is asked for. A step without wall time is, whatever the times.
    func admits(_ record: TraceRecord) -> Bool {
        if record.kind != kind { return false }
        if let camera, record.camera != camera { return false }
        if let run, !record.run.hasPrefix(run) { return false }
        if let boot, !record.boot.hasPrefix(boot) { return false }
        guard let wallMs = record.wallMs else { return true }
        return wallMs >= sinceMs ?? .min && wallMs <= untilMs ?? .max
    }
}
