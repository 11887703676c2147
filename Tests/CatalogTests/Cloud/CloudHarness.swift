import Foundation
import Machines
import Testing

@testable import Catalog

extension CatalogHarness {
    static let store = "https://s3.example.org/bucket"

    static func upload(
        _ choice: UploadChoice = .all, guarded: Bool = false, live: Bool = false
    ) -> NewUpload {
        NewUpload(
            choice: choice, store: store, url: "https://cdn.example.org/x", owner: "shop", isGuarded: guarded,
            isLive: live, kept: kept("queued"))
    }

    static func kept(_ phase: String, counted: Bool = false) -> UploadKept {
        UploadKept(phase: phase, record: "{\"phase\":\"\(phase)\"}", isCounted: counted)
    }

    /// What the store has when a job's upload is verified.
    static func remote(_ job: UploadJob, events: [NewRemoteEvent] = []) -> NewRemoteClip {
        NewRemoteClip(
            key: job.key, store: job.store, camera: job.camera, startWallMs: job.startWallMs,
            endWallMs: job.startWallMs + 300, cause: .continuous, mediaClass: .continuous, bytes: job.bytes,
            url: job.url,
            verified: Verification(how: "sha256", wallMs: 9), description: Data("{}".utf8), events: events)
    }

    /// A remote clip as a rebuild finds it.
    static func found(
        _ camera: String = "front", atMs: Int64, lengthMs: Int64 = 300, events: [NewRemoteEvent] = []
    ) throws -> NewRemoteClip {
        let key = try #require(ClipPaths(camera: camera, startWallMs: atMs, token: "k")).stem
        return NewRemoteClip(
            key: key, store: store, camera: camera, startWallMs: atMs, endWallMs: atMs + lengthMs, cause: .detection,
            mediaClass: .event, bytes: 50, url: "https://cdn.example.org/\(key)",
            verified: Verification(how: "sha256", wallMs: 9), description: Data("{\"at\":\(atMs)}".utf8), events: events
        )
    }

    /// The job of a clip.
    func job(_ catalog: Catalog, _ clip: ClipID) throws -> UploadJob { try #require(try catalog.upload(of: clip)) }

    /// The upload of a clip is verified and counts.
    @discardableResult
    func acknowledge(
        _ catalog: Catalog, _ clip: ClipID, events: [NewRemoteEvent] = []
    ) throws -> RemoteClipID? {
        let job = try job(catalog, clip)
        return try catalog.acknowledgeUpload(
            job.id, Self.kept("done", counted: true), .over, Self.remote(job, events: events),
            notice: NewUploadNotice(number: 3, stage: "done"), atWallMs: 10)
    }

    /// An event that is active.
    func beginEvent(
        _ catalog: Catalog, _ camera: String = "front", cause: String = "detection", level: Sensitivity? = .medium
    ) throws -> EventID {
        let id = catalog.newEventID()
        try catalog.beginEvent(
            id,
            NewEvent(
                camera: camera, bootID: "boot-1", began: Moment(monotonicMs: 5, wallMs: 1_005), cause: cause,
                level: level))
        return id
    }
}

extension Catalog {
    /// The next jobs to the store of the tests, of the cameras whose clips may be sent.
    func nextUploads(
        limit: Int, sending cameras: Set<String> = ["front", "back"], except inHand: Set<UploadID> = []
    ) throws -> [UploadJob] {
        try nextUploads(limit: limit, to: CatalogHarness.store, sending: cameras, except: inHand)
    }
}
