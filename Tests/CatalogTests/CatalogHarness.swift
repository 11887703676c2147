import Foundation
import GRDB
import Machines
import Synchronization
import Testing

@testable import Catalog

/// A storage root of its own, and a toy track format with honest fragments: a header `HEAD`, then fragments of `F`, a
/// length byte and that many bytes. Each lasts 100 ms. What the catalog does never depends on the format.
struct CatalogHarness: Sendable, Codable {
    let root: String

    init() {
        root = FileManager.default.temporaryDirectory.path + "/vigil-catalog-" + UUID().uuidString
    }

    init(root: String) { self.root = root }

    func remove() { try? FileManager.default.removeItem(atPath: root) }

    func open() throws -> Catalog { try Catalog(root: root) }

    /// The bytes of a track file with whole fragments, and a torn one behind them if asked.
    static func media(fragments: Int, torn: Bool = false) -> Data {
        var data = Data("HEAD".utf8)
        for number in 0..<fragments { data += [0x46, 8] + [UInt8](repeating: UInt8(number & 0xFF), count: 8) }
        if torn { data += [0x46, 8, 1, 2] }
        return data
    }

    /// The scanner of the toy format.
    static let scanner: ContentsScanner = { path, cut in
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard data.starts(with: Data("HEAD".utf8)) else {
            if data.count < 4 { return TrackContents(bytes: 0, fragments: 0, durationMs: 0, index: Data()) }
            throw CocoaError(.fileReadCorruptFile)
        }
        var offset = 4
        var index: [UInt8] = []
        while offset + 2 <= data.count, data[offset] == 0x46, offset + 2 + Int(data[offset + 1]) <= data.count {
            index.append(data[offset + 1])
            offset += 2 + Int(data[offset + 1])
        }
        if cut, offset < data.count {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.truncate(atOffset: UInt64(offset))
            try file.close()
        }
        return TrackContents(
            bytes: Int64(offset), fragments: Int64(index.count), durationMs: Int64(index.count) * 100,
            index: Data(index), codec: "avc1.64001f")
    }

    static let startMs: Int64 = 1_795_240_077_123

    static func facts(
        _ camera: String, atMs: Int64 = startMs, mediaClass: RetentionPlan.MediaClass = .continuous,
        event: EventID? = nil, chainedTo: ClipID? = nil
    ) -> NewClip {
        NewClip(
            camera: camera, bootID: "boot-1", start: Moment(monotonicMs: atMs - 1_795_000_000_000, wallMs: atMs),
            cause: .continuous, chainedTo: chainedTo, event: event, policy: "shop", policyRevision: "r1",
            mediaClass: mediaClass, preRollPromisedMs: 5000, preRollDeliveredMs: 4000, shortfall: .linkYoung)
    }

    /// Opens a clip by the procedure, with its files written; `hook` cuts between the steps.
    @discardableResult
    func openClip(
        _ catalog: Catalog, _ facts: NewClip, token: String? = nil, video: Data, audio: Data? = nil,
        upload: NewUpload? = nil, hook: StepHook = { _ in }
    ) throws -> (id: ClipID, tracks: [NewTrack]) {
        let paths = try #require(ClipPaths(camera: facts.camera, startWallMs: facts.start.wallMs, token: token))
        try catalog.makeFolder(of: paths)
        try hook("folder")
        var tracks = [NewTrack(kind: .video, codec: "avc1.64001f", path: paths.path(.video))]
        try video.write(to: url(paths.path(.video)), options: .withoutOverwriting)
        try hook("file")
        if let audio {
            tracks.append(NewTrack(kind: .audio, codec: "mp4a.40.2", path: paths.path(.audio)))
            try audio.write(to: url(paths.path(.audio)), options: .withoutOverwriting)
        }
        try catalog.syncFolder(of: paths)
        try hook("synced")
        let id = try catalog.openClip(facts, tracks: tracks, upload: upload)
        try hook("row")
        return (id, tracks)
    }

    /// Closes a clip by the procedure.
    func closeClip(_ catalog: Catalog, _ id: ClipID, ended: ClipEnd = .length, hook: StepHook = { _ in }) throws {
        let clip = try #require(try catalog.clip(id))
        let scanned = try clip.tracks.map { try Self.scanner(url($0.path).path, true) }
        try hook("scanned")
        let duration = scanned.map(\.durationMs).max() ?? 0
        try catalog.closeClip(
            id, ClosedClip(end: clip.start.advanced(by: duration), ended: ended, tracks: scanned))
        try hook("closed")
    }

    /// A closed clip.
    @discardableResult
    func record(
        _ catalog: Catalog, _ camera: String = "front", atMs: Int64 = startMs, fragments: Int = 3,
        mediaClass: RetentionPlan.MediaClass = .continuous, event: EventID? = nil, chainedTo: ClipID? = nil,
        upload: NewUpload? = nil
    ) throws -> ClipID {
        let facts = Self.facts(camera, atMs: atMs, mediaClass: mediaClass, event: event, chainedTo: chainedTo)
        let (id, _) = try openClip(
            catalog, facts, video: Self.media(fragments: fragments), audio: Self.media(fragments: fragments),
            upload: upload)
        try closeClip(catalog, id)
        return id
    }

    func url(_ relative: String) -> URL { URL(fileURLWithPath: root + "/" + relative) }

    /// Every file below a folder of the root, relative to the root.
    func files(under folder: String) -> [String] {
        let walker = FileManager.default.enumerator(atPath: root + "/" + folder)
        return (walker?.compactMap { $0 as? String } ?? []).map { folder + "/" + $0 }.filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: root + "/" + $0, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }
}

/// Where a crash test cuts.
struct Crash: Error, Equatable {
    let step: String
}

/// Cuts at the n-th step that is passed, and remembers which steps were.
final class Cutter: Sendable {
    private let state: Mutex<(left: Int, passed: [String])>

    init(at number: Int) { state = Mutex((number, [])) }

    var passed: [String] { state.withLock { $0.passed } }

    func step(_ name: String) throws {
        let cut = state.withLock { state in
            state.passed.append(name)
            state.left -= 1
            return state.left < 0
        }
        if cut { throw Crash(step: name) }
    }
}
