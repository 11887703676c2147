internal import HTTPTypes

extension API {
    /// Routes of what goes to the cloud.
    static func cloud(_ site: any CloudSite) -> [Route] {
        [
            Route(.get, "/v1/cloud", .view, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(await site.cloud(in: reader.cameras(among: cameras)))
            },
            Route(.post, "/v1/cloud/refresh", .operate, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(await site.refreshCloud(in: reader.cameras(among: cameras)))
            },
            Route(.get, "/v1/uploads", .view, about: .cameras) { reader in
                let filter = try reader.query(["camera", "standing", "limit", "after"]).uploadFilter()
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
