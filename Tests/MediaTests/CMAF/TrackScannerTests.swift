import Foundation
import RandomSource
import Testing

@testable import Media

@Suite struct TrackScannerTests {
    @Test("A file torn at any byte is cut back to its last whole fragment")
    func tornAnywhere() throws {
        let source = try TestMedia.aac.get()
        let folder = try Scratch()
        let whole = folder.path("whole.cmfa")
        let summary = try source.write(whole, fragments: Array(source.fragments(audioFrames: 4).prefix(4)))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        let torn = folder.path("torn.cmfa")
        for length in 0..<bytes.count {
            try bytes.prefix(length).write(to: URL(fileURLWithPath: torn))
            if UInt64(length) < summary.index.headerBytes {
                #expect(throws: TrackFileError.self) { try TrackScanner.scan(path: torn, repair: true) }
                #expect(try TrackScanner.isTornHeader(path: torn))
                #expect(try Data(contentsOf: URL(fileURLWithPath: torn)).count == length)
                continue
            }
            #expect(try !TrackScanner.isTornHeader(path: torn))
            let kept = summary.index.entries.filter { $0.endOffset <= UInt64(length) }
            let end = kept.last?.endOffset ?? summary.index.headerBytes
            let scanned = try TrackScanner.scan(path: torn, repair: true)
            #expect(scanned.index.entries == kept)
            #expect(scanned.bytes == end)
            #expect(scanned.tornBytes == UInt64(length) - end)
            #expect(scanned.isRepaired == (scanned.tornBytes > 0))
            #expect(try Data(contentsOf: URL(fileURLWithPath: torn)) == bytes.prefix(Int(end)))
        }
    }

    @Test("A tail of zeros, as a power cut leaves it, is torn")
    func zeros() throws {
        let source = try TestMedia.h264.get()
        let folder = try Scratch()
        let path = folder.path("a.cmfv")
        let summary = try source.write(path)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(count: 10_000))
        try handle.close()
        #expect(try CMAFCheck.check(path: path).count == 1)
        let scanned = try TrackScanner.scan(path: path, repair: true)
        #expect(scanned.tornBytes == 10_000)
        #expect(scanned.bytes == summary.bytes)
        #expect(try CMAFCheck.check(path: path) == [])
    }

    @Test("A block that a power cut has taken ends a repaired file before its fragment, whatever stands behind it (D8)")
    func lostBlocks() throws {
        let source = try TestMedia.h264.get()
        let folder = try Scratch()
        let path = folder.path("a.cmfv")
        let summary = try source.write(path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let header = Int(summary.index.headerBytes)
        for start in stride(from: (header / 512 + 1) * 512, to: bytes.count, by: 512) {
            let block = start..<min(start + 512, bytes.count)
            guard block.count >= LostBlocks.tailBytes else { continue }
            var lost = bytes
            lost.replaceSubrange(block, with: Data(count: block.count))
            try lost.write(to: URL(fileURLWithPath: path))
            let kept = summary.index.entries.prefix { $0.endOffset <= UInt64(start) }
            let scanned = try TrackScanner.scan(path: path, repair: true)
            #expect(scanned.index.entries == Array(kept), "block at \(start)")
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: path)).count == Int(kept.last?.endOffset ?? UInt64(header)))
        }
        // The header's own blocks: nothing of the file can be played.
        for start in stride(from: 0, to: header, by: 512) where start + 512 <= bytes.count {
            var lost = bytes
            lost.replaceSubrange(start..<start + 512, with: Data(count: 512))
            try lost.write(to: URL(fileURLWithPath: path))
            #expect(try TrackScanner.isTornHeader(path: path))
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try !TrackScanner.isTornHeader(path: path))
        #expect(try TrackScanner.scan(path: path, repair: true).index.entries == summary.index.entries)
    }

    @Test("No mutation of a track file makes the scan or the check trap, and a repair always leaves a sound file")
    func mutations() throws {
        let source = try TestMedia.aac.get()
        let folder = try Scratch()
        let path = folder.path("a.cmfa")
        try source.write(path, fragments: Array(source.fragments(audioFrames: 4).prefix(4)))
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let mutant = folder.path("mutant.cmfa")
        var generator = SeededGenerator(seed: 2)
        var repaired = 0
        for _ in 0..<1500 {
            try Data(bytes.mutated(by: &generator)).write(to: URL(fileURLWithPath: mutant))
            _ = try? CMAFCheck.check(path: mutant, payload: true)
            guard let scanned = try? TrackScanner.scan(path: mutant, repair: true) else { continue }
            let again = try TrackScanner.scan(path: mutant)
            #expect(again.tornBytes == 0)
            #expect(again.index == scanned.index)
            repaired += scanned.isRepaired ? 1 : 0
        }
        #expect(repaired > 100)
    }

    @Test("The check names a missing, a doubled and a wrongly begun fragment")
    func findings() throws {
        let source = try TestMedia.h264.get()
        let folder = try Scratch()
        let path = folder.path("a.cmfv")
        let index = try source.write(path).index
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let part = { (number: Int) in
            bytes[Int(index.entries[number].offset)..<Int(index.entries[number].endOffset)]
        }
        let header = bytes.prefix(Int(index.headerBytes))
        func kinds(_ parts: [Data]) throws -> [CMAFFinding.Kind] {
            let file = folder.path("b.cmfv")
            try (header + parts.reduce(Data(), +)).write(to: URL(fileURLWithPath: file))
            return try CMAFCheck.check(path: file).map(\.kind)
        }
        #expect(
            try kinds([part(0), part(2)]) == [.sequence(expected: 2, found: 3), .gap(ticks: 90_000)])
        #expect(
            try kinds([part(0), part(0)]) == [.sequence(expected: 2, found: 1), .overlap(ticks: 90_000)])
        let chunked = folder.path("c.cmfv")
        let first = source.fragments()[0]
        try source.write(chunked, fragments: [first.prefix(10), first.dropFirst(10)])
        let notes = try CMAFCheck.check(path: chunked)
        #expect(notes == [CMAFFinding(severity: .note, kind: .noSync, fragment: 1)])
    }

    @Test("What is no track file is refused with a reason")
    func foreign() throws {
        let folder = try Scratch()
        for (name, bytes) in [("empty", Data()), ("html", Data("<html><body>404</body></html>".utf8))] {
            try bytes.write(to: URL(fileURLWithPath: folder.path(name)))
            let error = #expect(throws: TrackFileError.self) { try TrackScanner.scan(path: folder.path(name)) }
            guard case .malformed = error?.cause else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        // A movie of another program is refused and, above all, not cut by a repair.
        let movie = folder.path("movie.mp4")
        try FileManager.default.copyItem(atPath: try TestMedia.h264.get().path, toPath: movie)
        let before = try Data(contentsOf: URL(fileURLWithPath: movie))
        #expect(throws: TrackFileError.self) { try TrackScanner.scan(path: movie, repair: true) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: movie)) == before)
        let gone = #expect(throws: TrackFileError.self) { try TrackScanner.scan(path: folder.path("absent")) }
        #expect(gone?.storage == .gone)
        #expect(throws: TrackFileError.self) { try TrackScanner.scan(path: folder.url.path) }
    }
}
