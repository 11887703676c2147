internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The interface: what is served over the Unix socket and over TCP, each behind its gate. Each group of routes takes the part
/// of the site that it needs.
enum API {
    /// All routes, in the order of the reference page.
    static func routes(_ site: any Site) -> [Route] {
        reading(site) + following(site) + explaining(site) + commands(site) + policies(site) + discovering(site)
            + media(site) + playback(site) + sessions(site) + live(site) + peers(site) + cloud(site)
            + transports(site) + accounts(site)
    }

    private static func nowMs() -> Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// A router that answers from `site` whomever `gate` admits.
    static func router(site: any Site, gate: Gate) -> Router<APIContext> {
        router(site: site) { _, channel in Admission(try await gate.admit(channel)) }
    }

    /// A router that answers from `site` whomever `admit` lets in.
    static func router(site: any Site, admit: @escaping GateMiddleware.Admit) -> Router<APIContext> {
        // What answers GET answers HEAD, without the body.
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ErrorMiddleware())
        add(site, behind: admit, to: router)
        return router
    }

    /// Adds all routes to `router`, behind `admit`, which also stands before whatever is no route.
    static func add(_ site: any Site, behind admit: @escaping GateMiddleware.Admit, to router: Router<APIContext>) {
        router.add(middleware: GateMiddleware(admit: admit))
        let pace = ChangePace()
        for route in routes(site) {
            let path = route.path.replacing("{", with: ":").replacing("}", with: "")
            router.on(RouterPath(path), method: route.method) { request, context in
                let reader = RequestReader(request: request, context: context, principal: try context.admitted())
                try await Access.check(route, reader, site)
                try pace.check(route, reader.caller, nowMs: nowMs())
                let response = try await route.handler(reader)
                // A head takes nothing away.
                if let audit = route.audit, response.status.code < 400, request.method != .head {
                    await site.note(try await AuditNote(audit, reader, of: route, site))
                }
                return response
            }
        }
    }
}
