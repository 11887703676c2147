internal import Catalog
internal import Cloud
internal import ObjectStore

/// Takes everything of a clip out of the bucket: uploads in parts that are open, objects, and last the descriptions, so that a
/// removal that is cut short is no clip and is still found below its key. What is not there is no error. Throws `StoreError`.
struct UploadRemoval: Sendable {
    /// The most pages of a thousand objects below one key: a clip has less than that of pieces in hours.
    private static let pagesMax = 1_000

    let store: CloudStore
    /// The clip's key, as the catalog has it.
    let key: String
    /// What was read of it, which goes too.
    let cache: CloudCache
    /// Does what blocks on the disk.
    let files: any WorkQueue

    func run() async throws {
        _ = await files.result { [cache, key, name = store.name] in cache.forget(key, store: name) }
        let folder = store.folder(of: key)
        try await abortUploads(folder)
        let last = [CloudKeys.liveDescription, CloudKeys.description].map { folder + $0 }
        var described = Set<String>()
        for _ in 0..<Self.pagesMax {
            // From the beginning each time: what was deleted is not listed again.
            let page = try await store.client.list(prefix: folder)
            described.formUnion(page.entries.map(\.key).filter(last.contains))
            let keys = page.entries.map(\.key).filter { !last.contains($0) }
            if keys.isEmpty { break }
            try await delete(keys)
        }
        for key in last where described.contains(key) { try await store.client.delete(key) }
    }

    private func delete(_ keys: [String]) async throws {
        if let failure = try await store.client.deleteMany(keys).min(by: { $0.key < $1.key }) { throw failure.value }
    }

    /// Parts that no object came of are kept, and paid for, until somebody gives them up.
    private func abortUploads(_ folder: String) async throws {
        do {
            var after: UploadsPage.Marker?
            for _ in 0..<Self.pagesMax {
                let page = try await store.client.listUploads(prefix: folder, after: after)
                for upload in page.uploads where upload.key.hasPrefix(folder) {
                    do {
                        try await store.client.abortUpload(upload.key, upload: upload.id)
                    } catch let error as StoreError where error.cause == .notFound {}
                }
                after = page.next
                if after == nil { return }
            }
        } catch let error as StoreError {
            // Some stores cannot list uploads, or call it missing when there is none.
            switch error.cause {
            case .invalid, .notFound: return
            default: throw error
            }
        }
    }
}
