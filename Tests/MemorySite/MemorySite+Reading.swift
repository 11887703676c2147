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
            var status = SiteStatus(
                version: "0.1.0", uptimeMs: 3_723_000, timeZone: "Europe/Rome", config: "/etc/vigil/vigil.yaml",
                storage: .init(
                    root: "/var/lib/vigil", state: .ok, clips: Int64(clips),
                    bytes: Int64(clips) * 10_000_000, freeBytes: 500_000_000_000),
                hangUpsOverdue: world.states(in: scope).count { $0.hangUpOverdueMs != nil },
                cameras: world.states(in: scope).map {
                    .init(camera: $0.camera, coverage: $0.coverage, line: $0.why)
                })
            status.page = pageAddress
            return status
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

    /// A main stream with sound and a sub-stream that was never seen.
    public func capabilities(camera: String) async throws -> CameraCapabilities {
        _ = try await state(camera: camera)
        return CameraCapabilities(
            camera: camera,
            streams: [
                .init(
                    stream: "main", definition: "hd", streaming: true,
                    video: .init(
                        sourceCodec: "H264", codec: "avc1.64001f", width: 1_280, height: 720, frameRate: 14.99),
                    sound: .init(sourceCodec: "PCMU", codec: "mp4a.40.2", sampleRate: 8_000, channels: 1)),
                .init(stream: "sub", definition: "sd", streaming: false, video: nil, sound: nil),
            ], definitions: ["hd", "sd"], talk: false, speeds: [0.25, 0.5, 1, 2, 4, 8, 16], rotation: 0)
    }

    /// How many clips there are, of a camera whose name a careless writer would not escape.
    public func metrics() async throws -> [Metric] {
        var clips = Metric(.gauge, "vigil_storage_clips", "Clips in the storage\nof each camera.")
        clips.add(Double(contents.withLock { $0.clips.count }), ("camera", "fr\"o\\n\nt"), ("class", "event"))
        var time = Metric(.counter, "vigil_camera_detector_cpu_seconds_total", "Processor time.")
        time.add(0.125)
        return [clips, time, Metric(.gauge, "vigil_never_seen", "Nothing.")]
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

    /// One about each camera and one about the site.
    static let messages = [("front" as String?, 1), ("back", 2), (nil, 3)].map { camera, id in
        MessageInfo(
            id: Int64(id), kind: camera == nil ? "storageLow" : "linkLost", camera: camera, priority: "warning",
            message: "link lost", remedy: "Look at the camera.", count: id, first: origin, last: origin,
            over: camera == nil ? nil : origin)
    }

    /// What is not cleared.
    public func messages(in scope: CameraScope) async throws -> [MessageInfo] {
        contents.withLock { $0.messages.filter { $0.camera.map(scope.contains) ?? (scope == .all) } }
    }

    /// One receiver, and one notification about each camera.
    public func notifications(in scope: CameraScope) async throws -> NotificationList {
        let receiver = ReceiverInfo(
            receiver: "phone", kind: .ntfy, address: "https://ntfy.example.org", waiting: 1, failingSince: nil,
            why: nil)
        let about: [(camera: String, id: Int64)] = [("front", 1), ("back", 2)]
        let entries = about.map { (camera: String, id: Int64) -> NotificationInfo in
            NotificationInfo(
                id: id, receiver: "phone", kind: .begin, camera: camera, event: id, problem: nil,
                at: Self.origin, state: id == 1 ? .taken : .waiting, attempts: 0, why: nil,
                over: id == 1 ? Self.origin : nil)
        }
        return NotificationList(
            receivers: scope == .all ? [receiver] : [],
            notifications: entries.filter { $0.camera.map(scope.contains) ?? true })
    }

    /// The camera of a message.
    public func camera(ofMessage message: Int64) async throws -> String? {
        contents.withLock { $0.messages.first { $0.id == message }?.camera }
    }

    /// What there is to tell.
    public func journal(of cameras: [String]?) async throws -> JournalFeed {
        try contents.withLock { world in
            for camera in cameras ?? [] where world.cameras[camera] == nil { throw Self.unknown(camera: camera) }
        }
        return feed
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
        let conditions = filter.conditions
        return try contents.withLock { world in
            let wanted = world.events.filter { event in
                scope.contains(event.camera) && !(conditions.isUnseen && event.seen)
                    && (conditions.levels.isEmpty || event.level.map(conditions.levels.contains) ?? false)
                    && (conditions.causes.isEmpty || conditions.causes.contains(event.cause))
                    && (conditions.zones.isEmpty || event.zones.contains { conditions.zones.contains($0 ?? "") })
            }
            return try Self.page(
                wanted, filter, world, camera: \.camera, id: \.id,
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
        for name in filter.cameras ?? [] where world.cameras[name] == nil { throw unknown(camera: name) }
        var items = all.filter { item in
            (filter.cameras.map { $0.contains(camera(item)) } ?? true)
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
        items.removeFirst(min(filter.conditions.offset, items.count))
        let page = Array(items.prefix(filter.limit))
        return Page(items: page, next: page.count < items.count ? page.last.map { String(id($0)) } : nil)
    }
}
