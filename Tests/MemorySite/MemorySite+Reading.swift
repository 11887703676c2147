internal import Machines
public import Server
internal import Synchronization

extension MemorySite {
    /// What `become` set last.
    public func health() async -> Health { contents.withLock { $0.health } }

    /// A site in Rome.
    public func status(in scope: CameraScope) async throws -> SiteStatus {
        contents.withLock { world in
            let clips = world.clips.count { scope.contains($0.camera) }
            return SiteStatus(
                version: "0.1.0", uptimeMs: 3_723_000, timeZone: "Europe/Rome", config: "/etc/vigil/vigil.yaml",
                storage: .init(
                    root: "/var/lib/vigil", state: .ok, clips: Int64(clips),
                    bytes: Int64(clips) * 10_000_000, freeBytes: 500_000_000_000),
                cameras: world.states(in: scope).map {
                    .init(camera: $0.camera, coverage: $0.coverage, line: $0.why)
                })
        }
    }

    /// Both cameras by name.
    public func cameras(in scope: CameraScope) async throws -> [CameraInfo] {
        contents.withLock { world in
            world.states(in: scope).map { state in
                CameraInfo(
                    camera: state.camera, enabled: state.enabled, privacy: state.privacy, policy: state.policy,
                    connect: .auto, main: .init(lan: "rtsp://192.0.2.1:554/main"), credential: state.camera)
            }
        }
    }

    /// The cameras by name.
    public func states(in scope: CameraScope) async throws -> [CameraState] {
        contents.withLock { $0.states(in: scope) }
    }

    /// One camera.
    public func state(camera: String) async throws -> CameraState {
        try contents.withLock { world in
            guard let state = world.cameras[camera] else { throw Self.unknown(camera: camera) }
            return state
        }
    }

    /// The camera of a clip.
    public func camera(ofClip clip: Int64) async throws -> String? {
        contents.withLock { $0.clips.first { $0.id == clip }?.camera }
    }

    /// The camera of an event.
    public func camera(ofEvent event: Int64) async throws -> String? {
        contents.withLock { $0.events.first { $0.id == event }?.camera }
    }

    /// Idle since ten seconds before the first clip, recorded where there are clips.
    public func coverage(camera: String, from: WallTime, to: WallTime) async throws -> CoverageReport {
        try contents.withLock { world in
            guard world.cameras[camera] != nil else { throw Self.unknown(camera: camera) }
            let spans = world.clips.filter { $0.camera == camera }.map {
                CoverageLine.Span(from: $0.start.ms, to: $0.end?.ms ?? $0.start.ms)
            }
            let line = CoverageLine(
                from: from.ms, to: to.ms, marks: [.init(at: Self.origin.ms - 10_000, label: .idle)], spans: spans)
            return CoverageReport(camera: camera, from: from, line: line)
        }
    }

    /// One page of the clips that the filter lets pass.
    public func clips(_ filter: ListFilter, in scope: CameraScope) async throws -> Page<ClipInfo> {
        try contents.withLock { world in
            try Self.page(
                world.clips.filter { scope.contains($0.camera) }, filter, world, camera: \.camera, id: \.id,
                start: \.start, end: \.end)
        }
    }

    /// One page of the events that the filter lets pass.
    public func events(_ filter: ListFilter, in scope: CameraScope) async throws -> Page<EventInfo> {
        try contents.withLock { world in
            try Self.page(
                world.events.filter { scope.contains($0.camera) }, filter, world, camera: \.camera, id: \.id,
                start: \.start, end: \.end)
        }
    }

    /// One detection in the blind time of each event.
    public func suppressed(camera: String, from: WallTime, to: WallTime) async throws -> [SuppressedInfo] {
        try contents.withLock { world in
            guard world.cameras[camera] != nil else { throw Self.unknown(camera: camera) }
            return world.events.filter { $0.camera == camera && $0.start >= from && $0.start < to }.map {
                SuppressedInfo(why: .blind, level: .medium, count: 1, from: $0.start, to: $0.start, event: $0.id)
            }
        }
    }

    private static func page<Item: Sendable>(
        _ all: [Item], _ filter: ListFilter, _ world: Contents, camera: (Item) -> String, id: (Item) -> Int64,
        start: (Item) -> WallTime, end: (Item) -> WallTime?
    ) throws -> Page<Item> {
        if let name = filter.camera, world.cameras[name] == nil { throw unknown(camera: name) }
        var items = all.filter { item in
            (filter.camera ?? camera(item)) == camera(item)
                && filter.from.map { from in end(item).map { $0 > from } ?? true } ?? true
                && filter.to.map { start(item) < $0 } ?? true
        }
        if filter.order == .newest { items.reverse() }
        if let after = filter.after {
            guard let index = items.firstIndex(where: { String(id($0)) == after }) else {
                throw SiteError(
                    .invalid, what: "the listing", why: "after names no element", remedy: "begin at the first page")
            }
            items.removeFirst(index + 1)
        }
        let page = Array(items.prefix(filter.limit))
        return Page(items: page, next: page.count < items.count ? page.last.map { String(id($0)) } : nil)
    }
}
