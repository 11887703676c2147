internal import HTTPTypes
internal import Hummingbird

/// One route of the control interface. The reference page is held equal to the list of these by a test.
struct Route: Sendable {
    /// Answers one request that `Access` has let pass.
    typealias Handler = @Sendable (RequestReader) async throws -> Response

    /// What a route is about, which decides on which cameras its caller needs the right.
    enum Subject: String, Hashable, Sendable, CaseIterable {
        /// Nothing that belongs to a camera.
        case nothing
        /// Several cameras: the answer holds those on which the caller has the right, and no other.
        case cameras
        /// The camera that the path names.
        case camera
        /// The camera of the clip that the path names.
        case clip
        /// The camera of the event that the path names.
        case event
        /// The camera of the message that the path names; every camera, where it is about the site.
        case message
        /// The camera of the session that the path names.
        case session
        /// The camera of the job of the upload queue that the path names.
        case job
        /// The whole site: the right is needed on every camera.
        case site
    }

    /// What of it is told to the journal with who asked, besides the changes that commands make.
    enum Audit: Hashable, Sendable {
        /// Pictures were looked at.
        case view
        /// Recordings were taken away as a file.
        case export
    }

    /// Parts of paths under which there are pictures.
    private static let pictures: Set<Substring> = [
        "snapshot", "picture", "thumbnails", "thumbnails.json", "live", "live.jpg", "live.mjpg", "live.mp4", "frames",
        "whep",
        "webrtc",
        "play.m3u8", "play.mpd", "play.mp4", "tracks",
    ]

    /// What is told of it; nil for what gives no pictures. It follows from its path.
    var audit: Audit? {
        guard method == .get || method == .post else { return nil }
        let parts = path.split(separator: "/")
        if parts.last == "export" { return .export }
        return parts.contains(where: Self.pictures.contains) ? .view : nil
    }

    /// The method.
    let method: HTTPRequest.Method
    /// The path, with its variable parts in braces.
    let path: String
    /// The right that it needs.
    let right: Right
    /// What it is about.
    let subject: Subject
    /// Answers it.
    let handler: Handler

    /// A route. What it is about follows from its path: `{camera}`, `{clip}`, `{event}`, `{message}`, `{session}` or `{job}`, else what
    /// `subject` says.
    init(
        _ method: HTTPRequest.Method, _ path: String, _ right: Right, about subject: Subject = .site,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.right = right
        let named: [Subject] = [.camera, .clip, .event, .message, .session, .job]
        self.subject = named.first { path.contains("{\($0.rawValue)}") } ?? subject
        self.handler = handler
    }

    /// `GET /v1/cameras/{camera}/state`, as the reference page writes it.
    var title: String { "\(method.rawValue) \(path)" }
}
