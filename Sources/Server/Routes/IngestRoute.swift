internal import Foundation
internal import HTTPTypes
internal import Hashing
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import Synchronization

/// The routes at which cameras push: the login or the certificate of the camera says who it is, and no token of a person.
final class IngestRoute: Sendable {
    /// Their titles, as the reference page has them.
    static let titles = ["PUT", "POST", "DELETE"].map { "\($0) /ingest/{camera}/{stream}/{path}" }

    private let site: any IngestSite
    private let isReady: @Sendable () -> Bool
    private let tries = Mutex(Tries())

    init(site: any IngestSite, isReady: @escaping @Sendable () -> Bool) { (self.site, self.isReady) = (site, isReady) }

    /// Adds them to `router`.
    func add(to router: Router<APIContext>) {
        for method in [HTTPRequest.Method.put, .post, .delete] {
            for path in ["/ingest/:camera/:stream", "/ingest/:camera/:stream/**"] {
                router.on(RouterPath(path), method: method) { request, context in
                    do { return try await self.answer(request, context) } catch let error as SiteError
                        where error.kind == .unauthenticated
                    {
                        var response = try Reply.error(error)
                        response.headers[.wwwAuthenticate] = "Basic realm=\"vigil ingest\", charset=\"UTF-8\""
                        return response
                    }
                }
            }
        }
    }

    private func answer(_ request: Request, _ context: APIContext) async throws -> Response {
        guard isReady() else { throw SiteError.starting }
        // A camera is no browser: what a page of somebody else sends with a login that the browser knows is refused.
        let fetchSite = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
        guard request.headers[.origin] == nil, fetchSite == nil else {
            throw SiteError(
                .forbidden, what: "nothing was taken", why: "a browser sends it",
                remedy: "push with a camera or an encoder")
        }
        let claim = try await claim(request, context)
        // Nothing of what is pushed can be asked for, so there is nothing to delete.
        if request.method == .delete {
            try await admit(claim) { try self.site.admit($0) }
            return Reply.nothing()
        }
        let body = try await admit(claim) { try await self.site.ingest($0) }
        let isExpecting = request.headers[.expect]?.lowercased() == "100-continue"
        try await Self.onLoop(context) { try $0.becomesPusher(isExpecting: isExpecting) }
        for try await part in request.body { try await body.take(Array(part.readableBytesView)) }
        try await body.end()
        return Response(status: .ok, headers: [.cacheControl: "no-store"])
    }

    /// Begins the request. Wrong logins are counted for each camera apart: one whose password is out of date keeps no other out.
    private func admit<Answer: Sendable>(
        _ claim: IngestClaim, _ begin: @Sendable (IngestClaim) async throws -> Answer
    ) async throws -> Answer {
        let key = Tries.Key(address: claim.address, token: site.isPublishingPoint(claim) ? claim.camera : nil)
        let mayTry = tries.withLock { $0.allows(key, now: Self.nowMs()) }
        var looked = claim
        // A certificate is not guessed.
        if !mayTry { looked.login = nil }
        do { return try await begin(looked) } catch let error as SiteError where error.kind == .unauthenticated {
            guard mayTry else {
                throw SiteError(
                    .tooOften, what: "the login was not looked at",
                    why: "\(LoginBounds.triesMax) wrong logins for this camera came from this address within a minute",
                    remedy: "wait a minute, and show the login that the camera's credential has")
            }
            if claim.login != nil, tries.withLock({ $0.failed(key, now: Self.nowMs()) }) { site.triesRefused(claim) }
            throw error
        }
    }

    /// What the request says.
    private func claim(_ request: Request, _ context: APIContext) async throws -> IngestClaim {
        guard let camera = context.parameters.get("camera"), let stream = context.parameters.get("stream") else {
            throw SiteError.invalid("the path names no camera and stream", "push to /ingest/CAMERA/main")
        }
        let path = context.parameters.getCatchAll().joined(separator: "/")
        return IngestClaim(
            camera: camera, stream: stream, path: path, contentType: request.headers[.contentType],
            address: WebGate.address(of: context.channel), login: try Self.login(request.headers[.authorization]),
            fingerprint: site.asksForCertificates ? try await Self.fingerprint(context) : nil)
    }

    /// The login of a field Authorization.
    static func login(_ field: String?) throws(SiteError) -> IngestClaim.Login? {
        guard let field else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        if parts.count == 2, parts[0].lowercased() == "bearer" { return .bearer(String(parts[1])) }
        if parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])),
            let text = String(data: data, encoding: .utf8), let colon = text.firstIndex(of: ":")
        {
            return .basic(user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        }
        throw SiteError(
            .unauthenticated, what: "nothing was taken", why: "the field Authorization is neither Basic nor Bearer",
            remedy: "show user and password of the camera's credential, or the password as a token")
    }

    private static func fingerprint(_ context: APIContext) async throws -> String? {
        let channel = context.channel
        return try await channel.eventLoop.submit {
            let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
            return try handler?.peerCertificate.map { SHA256.hex(try $0.toDERBytes()) }
        }.get()
    }

    private static func onLoop(
        _ context: APIContext, _ body: @escaping @Sendable (ConnectionRequests) throws -> Void
    ) async throws {
        let channel = context.channel
        try await channel.eventLoop.submit {
            // Without the handler there is no connection: a test asks the routes themselves.
            if let requests = try? channel.pipeline.syncOperations.handler(type: ConnectionRequests.self) {
                try body(requests)
            }
        }.get()
    }

    private static func nowMs() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
}
