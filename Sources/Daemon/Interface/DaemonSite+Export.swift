internal import Catalog
internal import Dispatch
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    func exportPlan(camera: String, from: WallTime, to: WallTime) async throws -> PlannedExport {
        let clips = try await exportable(camera, from, to)
        var holes: [PlannedExport.Hole] = []
        var covered = from.ms
        var duration: Int64 = 0
        var bytes: Int64 = 0
        for clip in clips {
            let start = max(clip.start.wallMs, from.ms)
            let end = min(clip.end?.wallMs ?? to.ms, to.ms)
            if start > covered { holes.append(.init(from: WallTime(ms: covered), to: WallTime(ms: start))) }
            duration += max(0, end - start)
            let length = max(1, (clip.end?.wallMs ?? to.ms) - clip.start.wallMs)
            bytes += Int64(Double(clip.bytes) * min(1, Double(max(0, end - start)) / Double(length)))
            covered = max(covered, end)
        }
        if covered < to.ms { holes.append(.init(from: WallTime(ms: covered), to: to)) }
        return PlannedExport(
            camera: camera, from: WallTime(ms: max(from.ms, clips.first?.start.wallMs ?? from.ms)),
            to: WallTime(ms: min(to.ms, covered)), clips: clips.map(\.id.rawValue), bytes: bytes,
            durationMs: duration, holes: holes)
    }

    func export(camera: String, from: WallTime, to: WallTime) async throws -> ExportBytes {
        let clips = try await exportable(camera, from, to)
        let chosen = clips.map { clip in
            ExportClip(startMs: clip.start.wallMs, tracks: clip.tracks.map { catalog.absolutePath(of: $0.path) })
        }
        let folder = catalog.absolutePath(of: "exports")
        return ExportBytes(
            chunks: ExportStream(folder: folder, clips: chosen, from: from.ms, to: to.ms, tell: told(camera)))
    }

    private func told(_ camera: String) -> @Sendable (any Error) -> Void {
        let journal = journal
        return { journal.send(.requestBrokeOff, camera: camera, fields: [(.request, "export"), (.detail, "\($0)")]) }
    }

    /// The closed clips that reach into the wish; refused when there is none.
    private func exportable(_ camera: String, _ from: WallTime, _ to: WallTime) async throws -> [Clip] {
        let query = ClipQuery(
            camera: camera, fromWallMs: from.ms, toWallMs: to.ms, limit: ClipQuery.limitMax, includingOpen: false)
        let clips = try await Blocking.run { [catalog] in try catalog.clips(query) }
        if clips.isEmpty {
            if pool.camera(camera) == nil { _ = try known(camera) }
            throw SiteError(
                .notFound, what: "media of camera \(camera)",
                why: "nothing was recorded in this time, or its clip is still open",
                remedy: "look at what there is: vigil clips --camera \(camera)")
        }
        if clips.count == ClipQuery.limitMax {
            throw SiteError(
                .tooLarge, what: "this export", why: "it would join more than \(ClipQuery.limitMax) clips",
                remedy: "export a shorter time")
        }
        return clips
    }
}

/// The bytes of an export: made as a file below the storage root when the first is asked for, read on demand, and gone
/// when the reader ends or goes away.
private struct ExportStream: AsyncSequence {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let folder: String
    let clips: [ExportClip]
    let from: Int64
    let to: Int64
    let tell: @Sendable (any Error) -> Void

    func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    /// The finished file; removed with its last reader.
    private final class Movie: Sendable {
        let path: String
        let descriptor: Int32

        init(path: String) throws {
            self.path = path
            descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            // Nobody needs its name any more, and a crash leaves nothing behind.
            unlink(path)
        }

        deinit { close(descriptor) }

        func read(at offset: Int64) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 256 << 10)
            let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
            guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            bytes.removeLast(bytes.count - count)
            return bytes
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        let stream: ExportStream
        private var movie: Movie?
        private var offset: Int64 = 0

        init(stream: ExportStream) { self.stream = stream }

        mutating func next() async throws -> [UInt8]? {
            do {
                let file: Movie
                if let movie {
                    file = movie
                } else {
                    file = try await stream.make()
                    movie = file
                }
                let start = offset
                let bytes = try await Blocking.run { try file.read(at: start) }
                offset += Int64(bytes.count)
                return bytes.isEmpty ? nil : bytes
            } catch {
                stream.tell(error)
                throw error
            }
        }
    }

    private func make() async throws -> Movie {
        let stream = self
        return try await Blocking.run {
            if mkdir(stream.folder, 0o750) != 0, errno != EEXIST {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            let path = stream.folder + "/\(UUID().uuidString).mp4"
            _ = try ClipExporter.export(clips: stream.clips, fromMs: stream.from, toMs: stream.to, to: path)
            return try Movie(path: path)
        }
    }
}
