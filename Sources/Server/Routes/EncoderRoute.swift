internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What a remote encoder tells by itself, as Standard Webhooks has it.
public struct EncoderNotice: Sendable {
    /// Names the message: `webhook-id`.
    public let id: String
    /// When it was sent, seconds since 1970: `webhook-timestamp`.
    public let sentSeconds: Int64
    /// What signs it: `webhook-signature`.
    public let signature: String
    /// JSON, at most `Limits.noticeBytesMax` bytes; not looked at yet.
    public let body: [UInt8]

    /// A notice.
    public init(id: String, sentSeconds: Int64, signature: String, body: [UInt8]) {
        self.id = id
        self.sentSeconds = sentSeconds
        self.signature = signature
        self.body = body
    }
}

/// The route at which a remote encoder tells of its jobs: its signature says who it is, and no token or login.
struct EncoderRoute: Sendable {
    /// Its title, as the reference page has it.
    static let title = "POST /v1/encoder/notices"

    let site: any CloudSite

    /// Adds it to `router`.
    func add(to router: Router<APIContext>) {
        router.post("/v1/encoder/notices") { [site] request, _ in
            func header(_ name: String) throws -> String {
                guard let field = HTTPField.Name(name), let value = request.headers[field], value.utf8.count <= 1_024
                else {
                    throw SiteError(
                        .unauthenticated, what: "the notice was not taken", why: "it has no \(name)",
                        remedy: "sign it: see docs/reference/encoder.md")
                }
                return value
            }
            guard let sent = Int64(try header("webhook-timestamp")) else {
                throw SiteError.invalid("webhook-timestamp is no whole number", "give the seconds since 1970")
            }
            let (id, signature) = (try header("webhook-id"), try header("webhook-signature"))
            let bytes = try await request.body.collect(upTo: Limits.noticeBytesMax)
            try await site.encoderNotice(
                EncoderNotice(id: id, sentSeconds: sent, signature: signature, body: Array(bytes.readableBytesView)))
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
    }
}
