internal import HTTPTypes
internal import Hummingbird

/// The control interface: what is served over the Unix socket, behind the gate.
enum API {
    /// All routes, in the order of the reference page.
    static let routes: [Route] = reading + commands + policies + exports

    /// A router that answers from `site` whomever `gate` admits.
    static func router(site: any Site, gate: Gate) -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: GateMiddleware(gate: gate))
        for route in routes {
            let path = route.path.replacing("{", with: ":").replacing("}", with: "")
            router.on(RouterPath(path), method: route.method) { request, context in
                try await route.handler(RequestReader(request: request, context: context), site)
            }
        }
        return router
    }
}

extension API {
    /// Routes that change nothing.
    private static let reading: [Route] = [
        Route(.get, "/v1/status") { reader, site in
            _ = try reader.query([])
            return try Reply.json(await site.status())
        },
        Route(.get, "/v1/health") { reader, site in
            _ = try reader.query([])
            return try Reply.json(await site.health())
        },
        Route(.get, "/v1/cameras") { reader, site in
            _ = try reader.query([])
            return try Reply.json(await site.cameras())
        },
        Route(.get, "/v1/states") { reader, site in
            _ = try reader.query([])
            return try Reply.json(await site.states(camera: nil))
        },
        Route(.get, "/v1/cameras/{camera}/state") { reader, site in
            _ = try reader.query([])
            let camera = try reader.path("camera")
            guard let state = try await site.states(camera: camera).first else { throw noCamera(camera) }
            return try Reply.json(state)
        },
        Route(.get, "/v1/cameras/{camera}/coverage") { reader, site in
            let (from, to) = try reader.interval()
            guard to.ms - from.ms <= CoverageReport.lengthMsMax else {
                throw RequestReader.invalid("the time is longer than 500 days", "ask for a shorter one")
            }
            return try Reply.json(await site.coverage(camera: reader.path("camera"), from: from, to: to))
        },
        Route(.get, "/v1/clips") { reader, site in
            try Reply.page(await site.clips(reader.filter()))
        },
        Route(.get, "/v1/events") { reader, site in
            try Reply.page(await site.events(reader.filter()))
        },
        Route(.get, "/v1/cameras/{camera}/suppressed") { reader, site in
            let (from, to) = try reader.interval()
            return try Reply.json(await site.suppressed(camera: reader.path("camera"), from: from, to: to))
        },
    ]

    /// Routes that change what a camera does.
    private static let commands: [Route] = [
        Route(.post, "/v1/cameras/{camera}/record") { reader, site in
            let command = try await reader.body(RecordCommand.self)
            if let forMs = command.forMs, !(1_000...RecordCommand.forMsMax).contains(forMs) {
                throw RequestReader.invalid(
                    "forMs is \(forMs)", "give 1000 to \(RecordCommand.forMsMax) milliseconds, or leave it out")
            }
            let caller = try reader.context.admittedCaller()
            return try Reply.json(
                await site.record(camera: reader.path("camera"), forMs: command.forMs, by: caller))
        },
        Route(.post, "/v1/cameras/{camera}/trigger") { reader, site in
            let command = try await reader.body(TriggerCommand.self)
            if let (reason, remedy) = command.flaw { throw RequestReader.invalid(reason, remedy) }
            let caller = try reader.context.admittedCaller()
            return try Reply.json(await site.trigger(camera: reader.path("camera"), command, by: caller))
        },
        Route(.put, "/v1/cameras/{camera}/enabled") { reader, site in
            let command = try await reader.body(EnableCommand.self)
            let caller = try reader.context.admittedCaller()
            return try Reply.json(
                await site.setEnabled(camera: reader.path("camera"), enabled: command.enabled, by: caller))
        },
        Route(.put, "/v1/clips/{clip}/protected") { reader, site in
            let command = try await reader.body(ProtectCommand.self)
            let id = try reader.id("clip")
            let caller = try reader.context.admittedCaller()
            return try Reply.json(await site.setProtected(clip: id, protected: command.protected, by: caller))
        },
        Route(.patch, "/v1/cameras/{camera}/privacy") { reader, site in
            let change = try await reader.body(PrivacyCommand.self)
            guard change != PrivacyCommand() else {
                throw RequestReader.invalid("no switch is named", "name hard, softRecording or softLive")
            }
            let caller = try reader.context.admittedCaller()
            return try Reply.json(await site.setPrivacy(camera: reader.path("camera"), change: change, by: caller))
        },
        Route(.post, "/v1/reload") { reader, site in
            try Reply.json(await site.reload(by: reader.context.admittedCaller()))
        },
    ]

    /// Routes about policies.
    private static let policies: [Route] = [
        Route(.get, "/v1/policies") { reader, site in
            _ = try reader.query([])
            return try Reply.json(await site.policies())
        },
        Route(.post, "/v1/policies/check") { reader, site in
            let command = try await reader.body(PolicyCheckRequest.self)
            return try Reply.json(await site.checkPolicy(text: command.text))
        },
        Route(.get, "/v1/findings") { reader, site in
            let policy = try reader.query(["policy"])["policy"]
            return try Reply.json(await site.findings(policy: policy))
        },
        Route(.get, "/v1/policies/{policy}") { reader, site in
            _ = try reader.query([])
            return try Reply.json(await site.policy(name: reader.path("policy")))
        },
        Route(.put, "/v1/policies/{policy}") { reader, site in
            let command = try await reader.body(ApplyCommand.self)
            let caller = try reader.context.admittedCaller()
            return try Reply.json(
                await site.applyPolicy(
                    name: reader.path("policy"), text: command.text, expectedRevision: command.expectedRevision,
                    by: caller))
        },
    ]

    /// Routes that give media.
    private static let exports: [Route] = [
        Route(.get, "/v1/events/{event}/snapshot") { reader, site in
            let values = try reader.query(["width"])
            let event = SnapshotSubject.event(try reader.id("event"))
            return Reply.picture(try await site.snapshot(of: event, width: reader.width(values["width"])))
        },
        Route(.get, "/v1/cameras/{camera}/snapshot") { reader, site in
            let values = try reader.query(["at", "width"])
            let moment = try values["at"].map { try RequestReader.time($0, "at") }
            let subject = SnapshotSubject.camera(try reader.path("camera"), at: moment)
            return Reply.picture(try await site.snapshot(of: subject, width: reader.width(values["width"])))
        },
        Route(.get, "/v1/cameras/{camera}/export/plan") { reader, site in
            let (from, to) = try reader.interval()
            return try Reply.json(await site.exportPlan(camera: reader.path("camera"), from: from, to: to))
        },
        Route(.get, "/v1/cameras/{camera}/export") { reader, site in
            let (from, to) = try reader.interval()
            let export = try await site.export(camera: reader.path("camera"), from: from, to: to)
            return Reply.media(export, over: reader.context.channel)
        },
    ]

    private static func noCamera(_ camera: String) -> SiteError {
        SiteError(
            .notFound, what: "no state of camera \(camera)", why: "there is no such camera",
            remedy: "`vigil cameras` lists them")
    }
}
