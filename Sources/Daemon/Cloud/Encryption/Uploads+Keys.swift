internal import Catalog
internal import Journal
internal import Policies

/// With which key clips are encrypted before they are sent, and whether that may be.
extension Uploads {
    /// The keys were read again: nothing is sent while the one for new clips cannot be used, or may be lost with this machine.
    func use(_ keys: ClipKeys) {
        let before = keyProblem
        keyProblem = keys.problem
        if let keyProblem {
            if keyProblem != before { journal.send(.cloudKeyUnusable, fields: [(.why, keyProblem)]) }
        } else if before != nil {
            journal.send(
                .cloudKeyUsable, fields: [(.detail, keys.current.map { "key \($0.key.id)" } ?? "none is needed")])
        }
    }

    /// Decides with which key the clip of a job is encrypted, where none could be read when the job was made. It is kept before
    /// anything is sent.
    func decideKey(_ work: UploadWork) {
        guard work.keyID == "", let id = reader.keys.current?.key.id else { return }
        do {
            try write(work.key) { try catalog.recordKey(id, of: work.id) }
            work.keyID = id
        } catch {
            journal.send(
                .uploadsWait, camera: work.camera, fields: [(.job, "\(work.id)"), (.why, "\(error)")], priority: .debug)
        }
    }
}
