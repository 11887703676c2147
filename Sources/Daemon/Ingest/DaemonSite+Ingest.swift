internal import Journal
internal import Media
internal import Policies
internal import Server

extension DaemonSite {
    /// As the configuration says, which is known before the first camera has begun.
    var asksForCertificates: Bool {
        configuration.current.cameras.contains { $0.pushCertificatesFile != nil }
    }

    func ingest(_ claim: IngestClaim) async throws -> any IngestBody {
        let changes = pool.points.changes
        let (pusher, point) = try place(claim)
        do throws(PushRefusal) {
            let request = try PushRequest(to: point, path: claim.path, contentType: claim.contentType, of: pusher)
            return IngestedBody(site: self, claim: claim, changes: changes, request: request)
        } catch { throw SiteError(error) }
    }

    func admit(_ claim: IngestClaim) throws(SiteError) { _ = try place(claim) }

    func isPublishingPoint(_ claim: IngestClaim) -> Bool { point(of: claim) != nil }

    func triesRefused(_ claim: IngestClaim) {
        journal.send(.loginTriesRefused, camera: claim.camera, fields: [(.user, claim.address)])
    }

    /// As whom the claim may push now, and to where; throws where it may not.
    fileprivate func place(
        _ claim: IngestClaim
    ) throws(SiteError) -> (pusher: PublishingPoint.Pusher, point: PublishingPoint) {
        // What comes now would be dropped; who is told so keeps it.
        guard !pool.isDraining else {
            throw SiteError(
                .unavailable, what: "nothing was taken", why: "the daemon is stopping",
                remedy: "push it again when the daemon runs")
        }
        let point = point(of: claim)
        guard let pusher = pool.points.pusher(claim) else {
            if claim.login != nil {
                let refusal = PushRefusal(
                    .unauthenticated, "the login is not that of the camera's credential",
                    "give the pusher the login of the camera's `credential`")
                point?.note(
                    refusal, of: PublishingPoint.Pusher(login: "a wrong login", address: claim.address), at: clock.now()
                )
            }
            throw SiteError(
                .unauthenticated, what: "nothing was taken",
                why: "no login or certificate was shown that may push there",
                remedy: "show the login of the camera's `credential`, or one of its `pushCertificates` "
                    + "(docs/design/ingest-in.md)")
        }
        guard let point else {
            throw SiteError(
                .notFound, what: "nothing was taken",
                why: "there is no publishing point at \(claim.camera)/\(claim.stream)",
                remedy: "push to /ingest/CAMERA/main, of a camera with `main: push`")
        }
        return (pusher, point)
    }

    /// Where the claim would push to; nil where the camera does not push there.
    private func point(of claim: IngestClaim) -> PublishingPoint? {
        guard let stream = StreamName(rawValue: claim.stream),
            let camera = pool.camera(claim.camera)?.assignment.camera
        else { return nil }
        guard (stream == .main ? camera.main : camera.sub)?.isPushed == true else { return nil }
        return pool.points.point(claim.camera, stream)
    }
}

/// The body of a request that is pushed.
private struct IngestedBody: IngestBody {
    let site: DaemonSite
    let claim: IngestClaim
    /// What ``PublishingPoints/changes`` was when the claim was looked at.
    let changes: UInt64
    let request: PushRequest

    func take(_ bytes: [UInt8]) async throws {
        // A body may go on for days: who loses the right to push loses it amid it.
        if site.pool.points.changes != changes || site.pool.isDraining { _ = try site.place(claim) }
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
            case .unauthenticated: .unauthenticated
            case .conflict: .conflict
            case .headerMissing: .preconditionFailed
            case .tooLarge: .tooLarge
            case .unsupported: .unsupportedType
            case .busy: .unavailable
            }
        self.init(kind, what: "what was pushed was not taken", why: refusal.why, remedy: refusal.remedy)
    }
}
