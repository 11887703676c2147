internal import Media
internal import Policies
internal import Server

extension DaemonSite {
    var asksForCertificates: Bool { pool.points.asksForCertificates }

    func ingest(_ claim: IngestClaim) async throws -> any IngestBody {
        guard let pusher = pool.points.pusher(claim) else {
            throw SiteError(
                .unauthenticated, what: "nothing was taken",
                why: "no login or certificate was shown that may push there",
                remedy: "show the login of the camera's `credential`, or one of its `pushCertificates` "
                    + "(docs/design/ingest-in.md)")
        }
        guard let stream = StreamName(rawValue: claim.stream), isPushed(claim.camera, stream) else {
            throw SiteError(
                .notFound, what: "nothing was taken",
                why: "there is no publishing point at \(claim.camera)/\(claim.stream)",
                remedy: "push to /ingest/CAMERA/main, of a camera with `main: push`")
        }
        let point = pool.points.point(claim.camera, stream)
        do throws(PushRefusal) {
            return IngestedBody(
                request: try PushRequest(to: point, path: claim.path, contentType: claim.contentType, of: pusher))
        } catch { throw SiteError(error) }
    }

    private func isPushed(_ camera: String, _ stream: StreamName) -> Bool {
        guard let camera = pool.camera(camera)?.assignment.camera else { return false }
        let addresses = stream == .main ? camera.main : camera.sub
        return addresses?.lan == .push || addresses?.internet == .push
    }
}

/// The body of a request that is pushed.
private struct IngestedBody: IngestBody {
    let request: PushRequest

    func take(_ bytes: [UInt8]) async throws {
        do { try await request.take(bytes) } catch let refusal as PushRefusal { throw SiteError(refusal) }
    }

    func end() async throws {
        do { try await request.end() } catch let refusal as PushRefusal { throw SiteError(refusal) }
    }
}

extension SiteError {
    /// Why something that was pushed is not taken.
    fileprivate init(_ refusal: PushRefusal) {
        let kind: Kind =
            switch refusal.kind {
            case .malformed: .invalid
            case .conflict: .conflict
            case .headerMissing: .preconditionFailed
            case .tooLarge: .tooLarge
            case .unsupported: .unsupportedType
            case .busy: .unavailable
            }
        self.init(kind, what: "what was pushed was not taken", why: refusal.why, remedy: refusal.remedy)
    }
}
