internal import Catalog
internal import Journal
internal import Machines
internal import ObjectStore
internal import Synchronization

/// What has to be known of a closed clip before it is sent.
extension Uploads {
    /// Opens the clip's files and makes their digests, if nobody does; the seal follows.
    func seal(_ work: UploadWork) {
        guard work.order == nil else { return }
        guard let clip = work.clip else { return later(work, .sourceGone) }
        let (id, token, key, keyID, isEnded) = (work.id, work.token, work.key, work.keyID, Ended())
        begin(work, nil) { [catalog, digests, keys = reader.keys, client = store?.client] uploads in
            let made = await withTaskCancellationHandler {
                await digests.result { () throws -> UploadSource? in
                    let sent = try catalog.objects(of: id)
                    let encryption = try keyID.map { try keys.key($0, of: key) }
                    var source = try UploadSource(
                        of: clip, key: key, sent: sent, encryption: encryption, in: catalog, isEnded: { isEnded.isSet })
                    try source?.digest {
                        client?.wantedSums(of: $0, inPartsOf: UploadTransfer.partBytes(of: $0)) ?? .least
                    } _: {
                        isEnded.isSet
                    }
                    return source
                }
            } onCancel: {
                isEnded.set()
            }
            uploads.digested(id, token, made)
        }
    }

    private func digested(_ id: UploadID, _ token: Int, _ made: Result<UploadSource?, any Error>) {
        guard let work = ended(id, token, nil) else { return }
        do {
            switch try made.get() {
            case nil: step(work, .sourceGone)
            case let source? where source.tracks.isEmpty: step(work, .sourceGone)
            case let source?:
                if let sealed = work.machine.seal, sealed != source.seal {
                    throw UploadSource.Unreadable(
                        description:
                            "the files are not those of which a part was sent; `vigil fsck --deep` compares them")
                }
                work.source = source
                if !source.misfits.isEmpty { tellMisfits(source.misfits, work) }
                if work.machine.seal == nil { step(work, .sealed(source.seal)) }
            }
        } catch is CancellationError {
        } catch {
            // It cannot be read now: the disk's own watch tells that, and the next look tries again.
            journal.send(.uploadsWait, camera: work.camera, fields: [(.job, "\(id)"), (.why, "\(error)")])
            unreadable.insert(id)
            return letGo(work)
        }
        wakeOnce()
    }

    private func tellMisfits(_ paths: [String], _ work: UploadWork) {
        journal.send(
            .uploadPiecesDiffer, camera: work.camera,
            fields: [(.job, "\(work.id)"), (.path, paths.joined(separator: ", "))])
    }
}

/// Whether somebody has ended what is under way.
final class Ended: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}
