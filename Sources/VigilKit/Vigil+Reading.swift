internal import HTTPTypes
public import Wire

extension Vigil {
    /// The daemon at a glance.
    public func status() async throws -> SiteStatus { try await ask(.get, "/v1/status").answer }

    /// Whether the daemon does its work.
    public func health() async throws -> Health { try await ask(.get, "/v1/health").answer }

    /// All cameras.
    public func cameras() async throws -> [CameraInfo] { try await ask(.get, "/v1/cameras").answer }

    /// The states of all cameras.
    public func states() async throws -> [CameraState] { try await ask(.get, "/v1/states").answer }

    /// The state of one camera.
    public func state(camera: String) async throws -> CameraState {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/state").answer
    }

    /// What became of each moment of a camera from `from` to `to`.
    public func coverage(camera: String, from: WallTime, to: WallTime) async throws -> CoverageReport {
        try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/coverage",
            query: [("from", from.rfc3339), ("to", to.rfc3339)]
        ).answer
    }

    /// One page of clips.
    public func clips(_ filter: ListFilter) async throws -> Page<ClipInfo> {
        let (items, next) = try await ask(.get, "/v1/clips", query: filter.query, as: [ClipInfo].self)
        return Page(items: items, next: next)
    }

    /// One page of events.
    public func events(_ filter: ListFilter) async throws -> Page<EventInfo> {
        let (items, next) = try await ask(.get, "/v1/events", query: filter.query, as: [EventInfo].self)
        return Page(items: items, next: next)
    }

    /// The detections of a camera that did not count, from `from` to `to`.
    public func suppressed(camera: String, from: WallTime, to: WallTime) async throws -> [SuppressedInfo] {
        try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/suppressed",
            query: [("from", from.rfc3339), ("to", to.rfc3339)]
        ).answer
    }

    /// What an operator should know until somebody clears it, the newest first; of `cameras` only, where named.
    public func messages(of cameras: [String]?) async throws -> [MessageInfo] {
        try await ask(.get, "/v1/messages", query: [("camera", cameras?.joined(separator: ","))]).answer
    }

    /// Who is told of events and problems over HTTP, and the newest of what they are told; of `cameras` only, where named.
    public func notifications(of cameras: [String]?) async throws -> NotificationList {
        try await ask(.get, "/v1/notifications", query: [("camera", cameras?.joined(separator: ","))]).answer
    }
}
