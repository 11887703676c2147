internal import HTTPTypes
internal import HummingbirdCore

/// Somebody looked at pictures of a camera, or took recordings away: for the journal.
public struct AuditNote: Hashable, Sendable {
    /// Whether recordings were taken away as a file; else pictures were looked at.
    public let isExport: Bool
    /// The camera; nil where it is not known any more.
    public let camera: String?
    /// Who asked.
    public let caller: Caller
    /// What was asked: method, path and query.
    public let request: String

    /// A note of the request in `reader`, which was answered.
    init(_ audit: Route.Audit, _ reader: RequestReader, of route: Route, _ site: any ReadingSite) async throws {
        isExport = audit == .export
        switch route.subject {
        case .camera: camera = try reader.path("camera")
        case .clip: camera = try await site.camera(ofClip: reader.id("clip"))
        case .event: camera = try await site.camera(ofEvent: reader.id("event"))
        default: camera = nil
        }
        caller = reader.caller
        request = "\(reader.request.method.rawValue) \(reader.request.head.path ?? "")"
    }
}
