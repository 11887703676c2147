internal import HTTPTypes
internal import Machines

extension API {
    /// Routes about sessions: one viewer each, who sees the live picture of a camera or its recordings.
    static func sessions(_ site: any SessionSite) -> [Route] {
        [
            Route(.post, "/v1/cameras/{camera}/sessions", .view) { reader in
                _ = try await reader.body(EmptyCommand.self, or: EmptyCommand())
                let camera = try reader.path("camera")
                return try Reply.json(await site.openSession(camera: camera, by: reader.caller), status: .created)
            },
            Route(.get, "/v1/sessions", .view, about: .cameras) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.sessions(in: reader.cameras(only: nil)))
            },
            Route(.get, "/v1/sessions/{session}", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.session(reader.path("session")))
            },
            Route(.delete, "/v1/sessions/{session}", .view) { reader in
                try Reply.json(await site.closeSession(reader.path("session"), by: reader.caller))
            },
        ] + verbs(site)
    }

    /// What a viewer may ask of a session. To talk and to record is to act at the camera.
    private static func verbs(_ site: any SessionSite) -> [Route] {
        func plain(_ name: String, _ verb: SessionVerb) -> Route {
            route(site, name) { reader in
                _ = try await reader.body(EmptyCommand.self, or: EmptyCommand())
                return verb
            }
        }
        func switching(_ name: String, _ right: Right, _ verb: @escaping @Sendable (Bool) -> SessionVerb) -> Route {
            route(site, name, right) { reader in verb(try await reader.body(SwitchCommand.self).on) }
        }
        return [
            plain("connect", .connect),
            route(site, "startPreview") { reader in
                .startPreview(
                    try await reader.body(StartPreviewCommand.self, or: StartPreviewCommand()).definition ?? .hd)
            },
            route(site, "startPlayback") { reader in
                let command = try await reader.body(StartPlaybackCommand.self)
                return .startPlayback(
                    command.day, clip: command.clip, at: command.at, overHoles: command.overHoles ?? false)
            },
            plain("pause", .pause), plain("resume", .resume),
            route(site, "speed") { reader in .speed(hundredths: try await reader.body(SpeedCommand.self).hundredths) },
            route(site, "definition") { reader in
                .definition(try await reader.body(DefinitionCommand.self).definition)
            },
            switching("mute", .view) { .mute($0) }, switching("talk", .operate) { .talk($0) },
            switching("record", .operate) { .record($0) },
            plain("days", .days),
            route(site, "clips") { reader in .clips(try await reader.body(ListClipsCommand.self).day) },
            plain("extend", .extend), plain("stopPreview", .stopPreview), plain("stopPlayback", .stopPlayback),
        ]
    }

    private static func route(
        _ site: any SessionSite, _ name: String, _ right: Right = .view,
        _ verb: @escaping @Sendable (RequestReader) async throws -> SessionVerb
    ) -> Route {
        Route(.post, "/v1/sessions/{session}/\(name)", right) { reader in
            let verb = try await verb(reader)
            return try Reply.json(await site.ask(session: reader.path("session"), verb, by: reader.caller))
        }
    }
}
