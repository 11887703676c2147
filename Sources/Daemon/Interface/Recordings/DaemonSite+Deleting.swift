internal import Catalog
internal import Journal
internal import Server

extension DaemonSite {
    func deleteClip(_ clip: Int64, by caller: Caller) async throws -> ClipInfo {
        let id = ClipID(rawValue: clip)
        func refuse(_ why: String, _ remedy: String) -> SiteError {
            SiteError(.conflict, what: "clip \(clip) was not deleted", why: why, remedy: remedy)
        }
        guard let found = try await Blocking.run({ [lookup] in try lookup.clip(id) }) else {
            throw SiteError(
                .notFound, what: "clip \(clip)", why: "there is none of this id",
                remedy: "vigil clips lists what there is")
        }
        if let remote = id.remote {
            // Out of every list, and owed to the ledger: the objects follow.
            let wallMs = clock.wallMs()
            let gone = try await Blocking.run { [catalog] in
                try catalog.removeRemote([remote], rule: StorageMonitor.commandRule, atWallMs: wallMs)
            }
            guard !gone.isEmpty else { throw refuse("it is being deleted already", "nothing to do") }
            journal.send(
                .clipDeleted, camera: found.camera,
                fields: [(.clip, "\(id)"), (.rule, StorageMonitor.commandRule), (.user, "\(caller)")])
            uploadQueue.stored(found.camera)
            uploadQueue.wake()
            return ClipInfo(found, growing: nil)
        }
        let outcome = try await Blocking.run { [storage] in try storage.delete(found, by: "\(caller)") }
        switch outcome {
        case .deleted: return ClipInfo(found, growing: nil)
        case .protected: throw refuse("it is protected", "release it first: vigil protect --release \(clip)")
        case .open:
            throw refuse("it is being written", "wait until it has ended, or end it: vigil disable \(found.camera)")
        case .held: throw refuse("somebody exports or plays it", "try again when that has ended")
        case .deleting: throw refuse("it is being deleted already", "nothing to do")
        case .unfinished(let why):
            throw SiteError(
                .unavailable, what: "the files of clip \(clip)",
                why: "the clip is gone for every reader, but not all of its files could be removed: \(why)",
                remedy: "nothing to do: it is tried again; look at the disk if it goes on")
        }
    }
}
