internal import Catalog
internal import Journal
internal import Machines

/// Tells the journal, and with it the stream, the stages that jobs of the upload queue have reached: each once, in their order.
struct NoticeTeller {
    /// How many notices are told in one go.
    private static let most = 100

    let catalog: Catalog
    let journal: Journal

    /// Tells what is not told yet. Blocking.
    ///
    /// - Parameter mark: called after each go, to mark its notices as told; what it throws ends the telling.
    func tell(mark: ([UploadNotice.ID]) throws -> Void) throws {
        while true {
            let untold = try catalog.untoldNotices(limit: Self.most)
            if untold.isEmpty { return }
            for notice in untold { try tell(notice) }
            try mark(untold.map(\.id))
        }
    }

    private func tell(_ notice: UploadNotice) throws {
        guard let job = try catalog.upload(notice.id.upload), let stage = Upload.Phase(rawValue: notice.stage) else {
            return
        }
        var fields: [(Field, String)] = [
            (.job, "\(job.id)"), (.notice, "\(notice.id.number)"), (.stage, stage.rawValue), (.path, job.key),
            (.owner, job.owner),
        ]
        if let clip = job.clip { fields.append((.clip, "\(clip)")) }
        if let note = job.note { fields.append((.note, note)) }
        switch stage {
        case .queued, .uploading, .encoding, .removing: journal.send(.uploadStage, camera: job.camera, fields: fields)
        case .done:
            fields += [(.bytes, "\(job.bytes)"), (.url, job.url)]
            if let how = job.verified?.how { fields.append((.verified, how)) }
            journal.send(.uploadDone, camera: job.camera, fields: fields)
        case .uploadFailed, .encodingFailed, .removeFailed:
            fields.append((.why, job.failure ?? "no reason is known"))
            journal.send(.uploadFailed, camera: job.camera, fields: fields)
        case .cancelled, .purged, .deleted: journal.send(.uploadEnded, camera: job.camera, fields: fields)
        }
    }
}
