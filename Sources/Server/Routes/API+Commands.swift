internal import HTTPTypes

extension API {
    /// Routes that change what a camera does, or what is kept of it.
    static func commands(_ site: any CommandSite) -> [Route] {
        [
            Route(.post, "/v1/cameras/{camera}/record", .operate) { reader in
                let command = try await reader.body(RecordCommand.self)
                if let forMs = command.forMs, !(1_000...RecordCommand.forMsMax).contains(forMs) {
                    throw SiteError.invalid(
                        "forMs is \(forMs)", "give 1000 to \(RecordCommand.forMsMax) milliseconds, or leave it out")
                }
                return try Reply.json(
                    await site.record(camera: reader.path("camera"), forMs: command.forMs, by: reader.caller))
            },
            Route(.post, "/v1/cameras/{camera}/trigger", .operate) { reader in
                let command: TriggerCommand
                if let named = try reader.query(["source", "ms", "label"]).trigger() {
                    try await reader.noBody()
                    command = named
                } else {
                    command = try await reader.body(TriggerCommand.self)
                }
                if let (reason, remedy) = command.flaw { throw SiteError.invalid(reason, remedy) }
                return try Reply.json(
                    await site.trigger(camera: reader.path("camera"), command, by: reader.caller))
            },
            Route(.get, "/v1/cameras/{camera}/ptz", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.ptz(camera: reader.path("camera")))
            },
            Route(.post, "/v1/cameras/{camera}/ptz", .operate) { reader in
                let command = try await reader.body(PTZCommand.self)
                if let (reason, remedy) = command.flaw { throw SiteError.invalid(reason, remedy) }
                return try Reply.json(await site.turn(camera: reader.path("camera"), command, by: reader.caller))
            },
            Route(.put, "/v1/cameras/{camera}/enabled", .operate) { reader in
                let command = try await reader.body(EnableCommand.self)
                return try Reply.json(
                    await site.setEnabled(
                        camera: reader.path("camera"), enabled: command.enabled, by: reader.caller))
            },
            Route(.put, "/v1/clips/{clip}/protected", .operate) { reader in
                let command = try await reader.body(ProtectCommand.self)
                return try Reply.json(
                    await site.setProtected(
                        clip: reader.id("clip"), protected: command.protected, by: reader.caller))
            },
            Route(.delete, "/v1/clips/{clip}", .operate) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.deleteClip(reader.id("clip"), by: reader.caller))
            },
            Route(.put, "/v1/events/{event}/seen", .operate) { reader in
                let command = try await reader.body(SeenCommand.self)
                return try Reply.json(
                    await site.setSeen(event: reader.id("event"), seen: command.seen, by: reader.caller))
            },
            Route(.delete, "/v1/messages/{message}", .operate) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.clearMessage(reader.id("message"), by: reader.caller))
            },
            Route(.delete, "/v1/messages", .operate, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(
                    await site.clearMessages(in: reader.cameras(among: cameras), by: reader.caller))
            },
            Route(.post, "/v1/receivers/{receiver}/test", .operate) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.test(receiver: reader.path("receiver"), by: reader.caller))
            },
            Route(.get, "/v1/cameras/{camera}/settings", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.settings(camera: reader.path("camera")))
            },
            Route(.patch, "/v1/cameras/{camera}/settings", .operate) { reader in
                let command = try await reader.body(SettingsCommand.self)
                guard command != SettingsCommand() else {
                    throw SiteError.invalid(
                        "no setting is named", "name one of \(SettingsCommand.keys.joined(separator: ", "))")
                }
                return try Reply.json(
                    await site.set(camera: reader.path("camera"), command, by: reader.caller))
            },
            Route(.patch, "/v1/cameras/{camera}/privacy", .operate) { reader in
                let change = try await reader.body(PrivacyCommand.self)
                guard change != PrivacyCommand() else {
                    throw SiteError.invalid("no switch is named", "name hard, softRecording or softLive")
                }
                return try Reply.json(
                    await site.setPrivacy(camera: reader.path("camera"), change: change, by: reader.caller))
            },
        ]
    }
}

extension Query {
    /// A trigger as a device says it that can only call an address: a source that has gone on, or a detection of what a label names.
    /// Nil where nothing is named.
    fileprivate func trigger() throws(SiteError) -> TriggerCommand? {
        let (source, label) = (self["source"], self["label"])
        let staleMs = try whole("ms", 1_000...Int(TriggerCommand.staleMsMax)).map { Int64($0) }
        guard source != nil || label != nil || staleMs != nil else { return nil }
        return TriggerCommand(source: source, on: source == nil ? nil : true, staleMs: staleMs, label: label)
    }
}
