internal import HTTPTypes

extension API {
    /// Routes of what goes to the cloud, and of what is there.
    static func cloud(_ site: any CloudSite) -> [Route] { plans(site) + uploads(site) + contents(site) }

    private static func contents(_ site: any CloudSite) -> [Route] {
        [
            Route(.get, "/v1/cameras/{camera}/cloud/days", .view) { reader in
                let month = try reader.query(["month"]).month("month")
                return try Reply.json(await site.cloudDays(camera: reader.path("camera"), month: month))
            },
            Route(.get, "/v1/cameras/{camera}/cloud/slices", .view) { reader in
                let filter = try reader.query(["from", "to", "alone"]).cloudFilter()
                return try Reply.json(await site.cloudSlices(camera: reader.path("camera"), filter))
            },
            Route(.get, "/v1/cameras/{camera}/cloud/events", .view) { reader in
                let filter = try reader.query(["from", "to", "alone", "order", "offset", "limit"]).cloudFilter()
                return try Reply.json(await site.cloudEvents(camera: reader.path("camera"), filter))
            },
            Route(.get, "/v1/cameras/{camera}/cloud/events/{number}/picture", .view) { reader in
                _ = try reader.query([])
                return Reply.picture(
                    try await site.cloudPicture(camera: reader.path("camera"), event: reader.id("number")))
            },
            Route(.get, "/v1/clips/{clip}/cloud/{seconds}/{list}", .view) { reader in
                _ = try reader.query([])
                let seconds = try Query.whole(reader.path("seconds"), of: "the time in seconds", SignedList.seconds)
                let name = try reader.path("list")
                guard let list = SignedList(rawValue: name) else {
                    throw SiteError.invalid(
                        "\(name) is no list of a clip",
                        "give \(SignedList.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                let bytes = try await site.signedList(clip: reader.id("clip"), list, seconds: seconds)
                return Reply.playlist(bytes, type: PlaylistForm.variants.type)
            },
            Route(.get, "/v1/clips/{clip}/cloud/key", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.clipKey(clip: reader.id("clip")))
            },
            Route(.post, "/v1/clips/{clip}/fetch", .operate) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.fetch(clip: reader.id("clip"), by: reader.caller))
            },
            Route(.delete, "/v1/clips/{clip}/fetch", .operate) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.cancelFetch(clip: reader.id("clip")))
            },
            Route(.get, "/v1/cloud/fetches", .view, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(await site.cloudFetches(in: reader.cameras(among: cameras)))
            },
            Route(.get, "/v1/cloud/rebuild", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.cloudRebuild())
            },
            Route(.post, "/v1/cloud/rebuild", .administer) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.rebuildCloud(by: reader.caller))
            },
        ]
    }

    private static func plans(_ site: any CloudSite) -> [Route] {
        [
            Route(.get, "/v1/cloud", .view, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(await site.cloud(in: reader.cameras(among: cameras)))
            },
            Route(.get, "/v1/cloud/lapse", .view, about: .cameras) { reader in
                let query = try reader.query(["on", "camera"])
                guard let on = try query.time("on") else {
                    throw SiteError.invalid(
                        "on is missing", "say when the plans are to be taken to end, an RFC 3339 time")
                }
                return try Reply.json(await site.cloudLapse(on: on, in: reader.cameras(among: query.names("camera"))))
            },
            Route(.post, "/v1/cloud/refresh", .operate, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(await site.refreshCloud(in: reader.cameras(among: cameras)))
            },
        ]
    }

    private static func uploads(_ site: any CloudSite) -> [Route] {
        [
            Route(.get, "/v1/uploads", .view, about: .cameras) { reader in
                let filter = try reader.query(["camera", "clip", "standing", "limit", "after"]).uploadFilter()
                let scope = try reader.cameras(among: filter.cameras)
                return try Reply.page(await site.uploads(filter, in: scope))
            },
            Route(.get, "/v1/uploads/totals", .view, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(await site.uploadTotals(in: reader.cameras(among: cameras)))
            },
            Route(.post, "/v1/clips/{clip}/upload", .operate) { reader in
                let command = try await reader.body(PushCommand.self, or: PushCommand())
                if let note = command.note, note.count > PushCommand.noteMax {
                    throw SiteError.invalid(
                        "the note has \(note.count) characters", "give at most \(PushCommand.noteMax)")
                }
                return try Reply.json(await site.push(clip: reader.id("clip"), command, by: reader.caller))
            },
            Route(.post, "/v1/uploads/{job}/retry", .operate) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.retryUpload(reader.id("job"), by: reader.caller))
            },
            Route(.post, "/v1/uploads/{job}/cancel", .operate) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.cancelUpload(reader.id("job"), by: reader.caller))
            },
            Route(.post, "/v1/uploads/retry", .operate, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(
                    await site.retryUploads(in: reader.cameras(among: cameras), by: reader.caller))
            },
            Route(.post, "/v1/uploads/cancel", .operate, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(
                    await site.cancelUploads(in: reader.cameras(among: cameras), by: reader.caller))
            },
        ]
    }
}
