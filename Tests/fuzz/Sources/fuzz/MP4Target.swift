import Glibc
import Machines

@testable import Media

/// Any file in the place of a track file: it is scanned, checked, repaired, read and exported, or refused.
enum MP4Target {
    private static let copiedBytesMax: UInt64 = 1 << 20

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let path = ScratchFile.write("track", bytes)
        _ = try? TrackScanner.isTornHeader(path: path)
        _ = try? CMAFCheck.check(path: path, payload: true)
        guard let found = try? TrackScanner.scan(path: path) else { return }
        hold(found.bytes + found.tornBytes == UInt64(bytes.count), "whole and torn bytes are all there are")
        var end = found.index.headerBytes
        for entry in found.index.entries {
            hold(entry.offset == end && entry.endOffset <= found.bytes, "fragments follow each other in the file")
            end = entry.endOffset
        }
        IndexTarget.check(found.index)
        if let configuration = found.configuration { ParameterTarget.check(configuration) }
        export(found)
        repair(path, found)
    }

    private static func repair(_ path: String, _ found: ScannedTrack) {
        guard let repaired = try? TrackScanner.scan(path: path, repair: true) else { return }
        hold(repaired.index == found.index, "repairing changes no fragment")
        guard let again = try? TrackScanner.scan(path: path) else { return hold(false, "a repaired file can be read") }
        hold(again.tornBytes == 0 && again.index == found.index, "a repaired file is whole")
    }

    private static func export(_ found: ScannedTrack) {
        let files = ClipFiles(
            root: ScratchFile.folder, tracks: [.init(kind: found.kind, path: "track", index: found.index)])
        if let reader = try? ClipReader(files) {
            for track in reader.tracks {
                for index in 0..<min(8, found.fragments) { _ = try? track.samples(of: index) }
            }
        }
        for (from, to) in [(Int64.min, Int64.max), (0, 10_000), (found.durationMs / 2, found.durationMs)] {
            var plan = ExportPlan(fromMs: from, toMs: to)
            guard (try? plan.add(files, startMs: 0)) != nil else { continue }
            guard (try? plan.add(files, startMs: found.durationMs)) != nil, let movie = try? ClipMovie(plan) else {
                continue
            }
            let wanted = min(movie.summary.bytes, copiedBytesMax)
            guard let copy = try? movie.read(Int(wanted), at: 0) else { continue }
            hold(UInt64(copy.count) == wanted, "an export is as long as it says")
        }
    }
}

/// The index of a clip as the catalog keeps it.
enum IndexTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let index = try? FragmentIndex(decoding: bytes) else { return }
        check(index)
        _ = index.durationMs
        for entry in index.entries.prefix(4) { _ = index.keyEntry(atOrBefore: entry.decodeTime) }
        _ = index.keyEntry(atOrBefore: .max)
    }

    /// What is written is read back as the same.
    static func check(_ index: FragmentIndex) {
        let blob = index.encoded()
        guard let again = try? FragmentIndex(decoding: blob) else { return hold(false, "the index is read back") }
        hold(again == index && again.encoded() == blob, "the index is read back as it was written")
    }
}
