import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

/// One clip of a real catalog with its file, its job, and a store that keeps how much it has; each step of `model/Durability.tla` is
/// what the daemon does at this place. What a power cut may take is known from what was synced.
final class DurabilityRig {
    private static let person = "command", rule = "siteSize"
    private static let other = NewUploadNotice(number: 7, stage: "removing")

    private let harness: CatalogHarness
    private var catalog: Catalog?
    private let paths: ClipPaths
    private var path: String { paths.path(.video) }
    /// The procedure that is under way.
    private var procedure: ProcedureThread?

    // What is durable of the clip's file, by what was synced: bytes, and its name.
    private var syncedBytes = 0
    private var isKept = false

    // The store, in fragments: parts of a transfer, the object.
    private var parts = 0
    private var object = 0
    private var isVerified = false
    private var isHeard = false
    private var isPromised = false

    private var isUp = true
    /// Where the clip is, as the model calls it.
    private var place = "new"
    private var clip: ClipID?
    private var isAside: Bool { harness.exists(aside) && !harness.exists(path) }
    private var aside: String { "\(Recovery.lostAndFound)/\(path)" }

    /// - Parameter root: a root with the catalog that the rig begins with; it is copied.
    init(copying root: String) throws {
        harness = CatalogHarness(root: Self.freshPath())
        paths = try #require(ClipPaths(camera: "front", startWallMs: CatalogHarness.startMs + 60_000, token: "m"))
        try FileManager.default.copyItem(atPath: root, toPath: harness.root)
        catalog = try harness.open()
    }

    /// Makes a root whose catalog has one clip of another camera: recovery trusts one that has never held a clip with nothing.
    static func makeRoot() throws -> CatalogHarness {
        let harness = CatalogHarness(root: freshPath())
        let catalog = try harness.open()
        try harness.record(catalog, "side")
        try catalog.close()
        return harness
    }

    /// What is synced is noted, so it need not go to a disk.
    private static func freshPath() -> String {
        let shared = FileManager.default.isWritableFile(atPath: "/dev/shm")
        return (shared ? "/dev/shm" : FileManager.default.temporaryDirectory.path) + "/vigil-catalog-"
            + UUID().uuidString
    }

    deinit {
        try? procedure?.abandon()
        procedure = nil
        catalog = nil
        harness.remove()
    }

    private var rows: DurabilityRows {
        get throws {
            DurabilityRows(catalog: try there, paths: paths, clip: clip, person: Self.person, rule: Self.rule)
        }
    }

    private var there: Catalog {
        get throws { try #require(catalog) }
    }

    // MARK: Steps

    /// Does what the model calls `action`; a crash leaves on the disk what `next` says.
    func perform(_ action: String, next: DurabilityState) throws {
        switch action {
        case "create": try create()
        case "syncFolder" where place == "created": try goOn("synced", to: "entry")
        case "open":
            try goOn("row", to: "open")
            clip = try there.clips(ClipQuery(camera: "front")).first?.id ?? there.openClips().first?.id
            try finish()
        case "write": try append(CatalogHarness.fragment)
        case "sync":
            try run { [path] catalog in try catalog.root.sync(path, folder: false) }
            isPromised = true
        case "close":
            let id = try known
            try run { [harness] catalog in try harness.closeClip(catalog, id) }
            place = "rest"
        case "sendPart", "complete", "verify", "acknowledge", "tell", "markTold", "purge", "learn", "discard",
            "removed":
            try upload(action)
        case "deleteByRule": try delete(.rule)
        case "deleteByPerson" where place == "end":
            let key = paths.stem
            try run { catalog in
                let id = try #require(try catalog.pool.read { db in try Catalog.remoteID(of: key, db) })
                _ = try catalog.removeRemote([id], rule: Self.person, atWallMs: 20)
            }
        case "deleteByPerson": try delete(.person)
        case "unlink": try goOn("unlinked", to: "unlinked")
        case "syncFolder": try goOn("synced", to: "gone")
        case "forget": try goOn("finished", to: "end")
        case "look": try look()
        case "cut": try goOn("closed", to: "rest")
        case "markEmpty": try goOn("discarded", to: "marked")
        case "ready":
            if procedure == nil { try recover() }
            try finish()
            isUp = true
        case "kill", "powerCut": try crash(isKill: action == "kill", next)
        default: throw DurabilityWalk.Difference(words: "the model has a step \(action) that is not known here")
        }
        if place == "end" || isUp && place == "rest" { try finish() }
    }

    private var known: ClipID { get throws { try #require(clip) } }

    /// Begins a procedure that is held at its steps.
    private func begin(_ body: @escaping (Catalog, @escaping StepHook) throws -> Void) throws {
        try #require(procedure == nil, "a procedure is under way")
        procedure = try thread(body)
    }

    /// Does at once what has no steps between, beside the procedure that is under way.
    private func run(_ body: @escaping (Catalog) throws -> Void) throws {
        try thread { catalog, _ in try body(catalog) }.goOn()
    }

    private func thread(_ body: @escaping (Catalog, @escaping StepHook) throws -> Void) throws -> ProcedureThread {
        let catalog = try there
        return ProcedureThread(synced: { [unowned self] in noteSync($0) }) { hook in try body(catalog, hook) }
    }

    private func goOn(_ step: String, to place: String) throws {
        if procedure == nil { try recover() }
        try procedure?.goOn(to: [step])
        try #require(procedure?.step == step, "the procedure ended before \(step)")
        self.place = place
    }

    private func finish() throws {
        try procedure?.goOn()
        procedure = nil
    }

    private func noteSync(_ path: String) {
        if path == harness.url(self.path).path { (syncedBytes, isCutOff) = (harness.bytes(self.path), false) }
        if path == harness.url(paths.folder).path, !isAside { isKept = harness.exists(self.path) }
        if path == harness.url("\(Recovery.lostAndFound)/\(paths.folder)").path, harness.exists(aside) { isKept = true }
    }

    private func append(_ bytes: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: harness.url(isAside ? aside : path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    // MARK: Recording and deleting

    private func create() throws {
        let facts = CatalogHarness.facts("front", atMs: CatalogHarness.startMs + 60_000)
        try begin { [harness] catalog, hook in
            try harness.openClip(
                catalog, facts, token: "m", video: CatalogHarness.media(fragments: 0),
                upload: CatalogHarness.upload(guarded: true, live: true), hook: hook)
        }
        try goOn("file", to: "created")
    }

    private func delete(_ right: DeletionRight) throws {
        let id = try known
        try begin { catalog, hook in
            _ = try Deleter(catalog: catalog, hook: hook).delete(
                [id], rule: right == .person ? Self.person : Self.rule, by: right, atWallMs: 20)
        }
        try goOn("marked", to: "marked")
    }

    // MARK: What is refused

    /// Asks the catalog for what the model does not allow in this state.
    ///
    /// - Returns: what was not refused.
    func notRefused(possible: Set<String>) throws -> [String] {
        guard isUp, procedure == nil, let clip else { return [] }
        let catalog = try there
        var done: [String] = []
        func ask(_ what: String, _ work: () throws -> Bool) { if (try? work()) == true { done.append(what) } }
        if !possible.contains("deleteByRule"), !isVerified {
            ask("deleteByRule") { try !catalog.markDeleting([clip], rule: Self.rule, atWallMs: 20).isEmpty }
        }
        if place == "open" || place == "end" {
            ask("deleteByPerson of a clip that is not closed") {
                try !catalog.markDeleting([clip], rule: Self.person, by: .person, atWallMs: 20).isEmpty
            }
        }
        if place != "open" {
            ask("close") {
                let track = TrackContents(bytes: 14, fragments: 1, durationMs: 100, index: Data([8]))
                let start = CatalogHarness.facts("front").start
                try catalog.closeClip(clip, ClosedClip(end: start, ended: .length, tracks: [track]))
                return true
            }
        }
        if let job = try catalog.upload(of: clip) {
            if !job.isCounted {
                ask("acknowledge by a record") {
                    try catalog.saveUpload(job.id, CatalogHarness.kept("done", counted: true), .over, atWallMs: 10)
                    return true
                }
            }
            if job.standing == .open {
                ask("acknowledge of an open clip") {
                    let remote = CatalogHarness.remote(job)
                    let kept = CatalogHarness.kept("done", counted: true)
                    return try catalog.acknowledgeUpload(job.id, kept, .over, remote, atWallMs: 10) != nil
                }
            }
        }
        // No error, and no effect either, which the state shows.
        try catalog.finishDeleting(clip)
        return done
    }

    // MARK: Uploading, as the machine of the job orders it

    private func upload(_ action: String) throws {
        let job = try there.pool.read { [paths] db in
            try Int64.fetchOne(db, sql: "SELECT id FROM upload WHERE key = ?", arguments: [paths.stem])
        }
        let id = UploadID(rawValue: try #require(job))
        switch action {
        case "sendPart":
            let piece = UploadObject(name: "video-\(parts).m4s", track: 0, firstByte: 0, bytes: 10, isThere: true)
            try run { catalog in try catalog.recordObject(piece, of: id) }
            parts += 1
        case "complete": (parts, object) = (0, parts)
        case "verify": isVerified = true
        case "acknowledge":
            isVerified = false
            // After its own order to remove, the machine calls an answer late, and orders nothing.
            guard try there.upload(id)?.kept.phase == "queued" else { return }
            try run { catalog in
                let job = try #require(try catalog.upload(id))
                _ = try catalog.acknowledgeUpload(
                    id, CatalogHarness.kept("done", counted: true), .over, CatalogHarness.remote(job),
                    notice: NewUploadNotice(number: 3, stage: "done"), atWallMs: 10)
            }
        case "tell":
            try #require(try there.untoldNotices(limit: 100).contains { $0.id.upload == id && $0.stage == "done" })
            isHeard = true
        case "markTold":
            try run { catalog in
                try catalog.markTold(catalog.untoldNotices(limit: 100).filter { $0.id.upload == id }.map(\.id))
            }
        case "purge", "learn":
            try run { catalog in
                try catalog.saveUpload(id, CatalogHarness.kept("removing"), .due, notice: Self.other, atWallMs: 30)
            }
        case "discard": (parts, object) = (0, 0)
        default:
            let key = paths.stem
            try run { catalog in
                try catalog.settleRemoteDeletion(key: key, store: CatalogHarness.store, atWallMs: 40)
                try catalog.saveUpload(id, CatalogHarness.kept("deleted"), .over, atWallMs: 40)
            }
        }
    }

    // MARK: Crashes and recovery

    private func crash(isKill: Bool, _ next: DurabilityState) throws {
        try procedure?.abandon()
        procedure = nil
        catalog = nil
        let name = isAside ? aside : path
        (isCutOff, wasTorn) = (false, next.isSet("torn"))
        if isKill {
            if next.isSet("torn") != harness.isTorn(name), next.isSet("here") {
                let content = CatalogHarness.media(fragments: next.fragments, torn: next.isSet("torn"))
                try content.write(to: harness.url(name))
            }
        } else if next.isSet("here") {
            var content = CatalogHarness.media(fragments: next.fragments, torn: next.isSet("torn"))
            // A file of which nothing is durable may be there with nothing in it.
            if next.fragments == 0, !next.isSet("torn"), syncedBytes == 0, !harness.exists(name) { content = Data() }
            try content.write(to: harness.url(name))
            syncedBytes = CatalogHarness.media(fragments: next.fragments).count
            isKept = true
        } else {
            try? FileManager.default.removeItem(at: harness.url(name))
            (syncedBytes, isKept) = (0, false)
        }
        (isUp, isVerified) = (false, false)
        catalog = try harness.open()
        let isThere = harness.exists(path) || isAside
        if try rows.state == "none", !isThere {
            place = !isPromised && ["new", "created", "entry", "open"].contains(place) ? "new" : "end"
        } else {
            place = "look"
        }
    }

    private func recover() throws {
        try begin { catalog, hook in
            _ = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner, hook: hook).run()
        }
    }

    private func look() throws {
        switch try rows.state {
        case "deleting": place = "marked"
        case "open":
            isCutOff = harness.isTorn(path)
            let isEmpty = harness.fragments(path) == 0
            try goOn("scanned", to: isEmpty ? "empty" : "cut")
        case "none":
            if harness.exists(path) { try goOn("setAside", to: "end") } else { place = "end" }
        default: place = "rest"
        }
    }

    /// Recovery has cut off a torn fragment, which may come back until the file is synced.
    private var isCutOff = false

    // MARK: What is there

    /// The state as the model writes it.
    var text: String {
        get throws {
            let rows = try rows
            let name = isAside ? aside : path
            let isHere = harness.exists(name)
            let fragments = harness.fragments(name)
            let durable = CatalogHarness.fragments(in: syncedBytes)
            let isTorn = harness.isTorn(name) || isCutOff
            var fields: [(String, String, String)] = [
                ("st", try rows.state, "none"), ("rows", "\(try rows.rows())", "0"), ("job", try rows.job, "-"),
                ("note", try rows.note, "-"), ("by", try rows.by, "-"),
            ]
            let size = isHere ? fragments : lastFragments
            if isHere { lastFragments = fragments }
            if isHere || isKept { fields.append(("file", "\(size)/\(min(durable, size))", "0/0")) }
            fields += [
                ("here", isHere ? "1" : "0", "0"), ("kept", isKept ? "1" : "0", "0"),
                ("torn", (isHere || isKept) && (isHere ? isTorn : wasTorn) ? "1" : "0", "0"),
                ("aside", isAside ? "1" : "0", "0"), ("parts", "\(parts)", "0"), ("object", "\(object)", "0"),
                ("acked", isVerified ? "1" : "0", "0"), ("heard", isHeard ? "1" : "0", "0"),
                ("promised", isPromised ? "1" : "0", "0"),
            ]
            if isHere { wasTorn = isTorn }
            return (isUp ? "" : "recovering:") + place
                + fields.filter { $0.1 != $0.2 }.map { " \($0.0)=\($0.1)" }.joined()
        }
    }

    // What a file was when it was last there: its removal is not durable at once.
    private var lastFragments = 0
    private var wasTorn = false
}
