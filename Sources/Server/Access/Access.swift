/// Decides whether a principal may use a route: the one place where rights are compared, before any handler runs.
enum Access {
    /// Throws `forbidden` where the principal of `reader` may not, in words that do not tell whether a camera exists. For a
    /// clip, an event or a message of a camera that it may not see it throws `notFound`, as for one that does not exist.
    static func check(_ route: Route, _ reader: RequestReader, _ site: any ReadingSite & CloudSite) async throws {
        let principal = reader.principal
        guard principal.right >= route.right else {
            throw refusal(
                route,
                "\(principal.caller) has the right to \(principal.right.rawValue), and this needs the right to "
                    + route.right.rawValue)
        }
        switch route.subject {
        case .nothing, .cameras: return
        case .site:
            guard case .all = principal.cameras else {
                throw refusal(route, "\(principal.caller) has rights on some cameras, and this is about the whole site")
            }
        case .camera: try check(try reader.path("camera"), reader)
        case .clip: try await check(reader, "clip", site.camera(ofClip:))
        case .event: try await check(reader, "event", site.camera(ofEvent:))
        case .message: try await check(reader, "message", site.camera(ofMessage:))
        case .session: try await checkSession(reader, site)
        case .job: try await check(reader, "job", site.camera(ofUpload:), listed: "vigil cloud queue")
        }
    }

    /// Whether the principal has a right on the cameras that are its own: for what a route gives beside what it is asked for.
    static func may(_ right: Right, _ reader: RequestReader) -> Bool { reader.principal.right >= right }

    /// Throws `forbidden` where the principal has no right on the camera.
    static func check(_ camera: String, _ reader: RequestReader) throws {
        guard !reader.principal.cameras.contains(camera) else { return }
        throw SiteError(
            .forbidden, what: "the request about camera \(camera) was refused",
            why: "\(reader.principal.caller) has no right on a camera of this name",
            remedy: "`vigil cameras` lists the cameras that it may see; an administrator can add others")
    }

    private static func checkSession(_ reader: RequestReader, _ site: any ReadingSite) async throws {
        if case .all = reader.principal.cameras { return }
        let session = try reader.path("session")
        guard let camera = try await site.camera(ofSession: session), reader.principal.cameras.contains(camera) else {
            throw SiteError.unknownSession(session, on: "the cameras that \(reader.principal.caller) may see")
        }
    }

    private static func check(
        _ reader: RequestReader, _ kind: String, _ camera: (Int64) async throws -> String?, listed: String? = nil
    ) async throws {
        if case .all = reader.principal.cameras { return }
        let id = try reader.id(kind)
        guard let camera = try await camera(id), reader.principal.cameras.contains(camera) else {
            throw SiteError(
                .notFound, what: "\(kind) \(id)",
                why: "there is none of this id on the cameras that \(reader.principal.caller) may see",
                remedy: "`\(listed ?? "vigil \(kind)s")` lists what there is")
        }
    }

    private static func refusal(_ route: Route, _ why: String) -> SiteError {
        SiteError(
            .forbidden, what: "\(route.title) was refused", why: why,
            remedy: "ask somebody who has the right; docs/reference/http.md says which one each route needs")
    }
}

extension SiteError {
    /// There is no session of this id on `cameras`.
    public static func unknownSession(_ id: String, on cameras: String = "any camera") -> SiteError {
        SiteError(
            .notFound, what: "session \(id.prefix(80))",
            why: "there is none of this id on \(cameras), or it ended more than a minute ago",
            remedy: "open another one; `vigil viewers` lists what there is")
    }
}
