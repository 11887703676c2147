import Foundation
import Machines
import RandomSource
import Testing

@testable import Media

@Suite("A clip read by its index")
struct ClipReaderTests {
    private func track(_ stream: TestStream, in folder: Scratch, _ name: String) throws -> TrackReader {
        try stream.write(folder.path(name))
        return try #require(try ClipReader(ClipFiles(scanning: [folder.path(name)])).tracks.first)
    }

    /// The header and some fragments, as one file.
    private func save(_ reader: TrackReader, _ fragments: Range<Int>, to path: String) throws {
        let range = try #require(reader.bytes(of: fragments))
        var bytes = try reader.header()
        for start in stride(from: range.lowerBound, to: range.upperBound, by: TrackReader.readBytesMax) {
            bytes += try reader.read(start..<min(range.upperBound, start + UInt64(TrackReader.readBytesMax)))
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test(
        "The header with any run of fragments is a file that holds exactly their packets", arguments: ["h264B", "aac"])
    func runs(name: String) throws {
        let stream = try TrackWriterTests.stream(name)
        let folder = try Scratch()
        let reader = try track(stream, in: folder, "a.cmfv")
        let source = try Tool.packetHashes(stream.path)
        let firsts = reader.index.entries.reduce(into: [0]) { $0.append(($0.last ?? 0) + Int($1.sampleCount)) }
        #expect(reader.fragments >= 4)
        for fragments in [0..<reader.fragments, 0..<1, 1..<3, reader.fragments - 1..<reader.fragments] {
            try save(reader, fragments, to: folder.path("run.mp4"))
            let expected = source[firsts[fragments.lowerBound]..<firsts[fragments.upperBound]]
            #expect(try Tool.packetHashes(folder.path("run.mp4")) == Array(expected))
        }
        #expect(reader.bytes(of: 0..<reader.fragments + 1) == nil && reader.bytes(of: 1..<1) == nil)
        #expect(throws: TrackFileError.self) { try reader.read(0..<reader.track.bytes + 1) }
        try reader.verify()
    }

    @Test("Samples are told with their times, sizes and places, and decoding begins at the key frame before a moment")
    func samples() throws {
        let stream = try TrackWriterTests.stream("h264B")
        let folder = try Scratch()
        let reader = try track(stream, in: folder, "a.cmfv")
        var samples = stream.samples[...]
        for fragment in 0..<reader.fragments {
            let found = try reader.samples(of: fragment).samples
            #expect(reader.ticks(of: fragment)?.lowerBound == found.first?.decodeTicks)
            for sample in found {
                let next = samples.popFirst()
                let expected = try #require(next)
                #expect(sample.decodeTicks == expected.decode && sample.metadata.isSync == expected.isSync)
                #expect(sample.presentationTicks == expected.decode + expected.offset)
                #expect(try reader.frame(sample) == expected.data && reader.read(sample.bytes) == expected.data)
            }
        }
        #expect(samples.isEmpty)
        // A key frame each second.
        for (seconds, fragment) in [(-0.1, nil), (0, 0), (0.99, 0), (1, 1), (3.5, 3), (1e9, 3)] as [(Double, Int?)] {
            #expect(reader.keyFragment(atOrBefore: Int64(seconds * 90_000)) == fragment)
        }
        #expect(reader.keyFragment(atOrBefore: .min) == nil && reader.keyFragment(atOrBefore: .max) == 3)
        #expect(throws: TrackFileError.self) { try reader.samples(of: 4) }
        #expect(throws: TrackFileError.self) { try reader.samples(of: -1) }
        #expect(reader.ticks(of: 4) == nil)
    }

    @Test("A clip that is written is read up to its last fragment, without looking for it in the file")
    func growing() throws {
        let stream = try TrackWriterTests.stream("h264")
        let source = try Tool.packetHashes(stream.path)
        let folder = try Scratch()
        let writer = try TrackWriter.create(
            path: folder.path("a.cmfv"), header: TrackHeader(stream.configuration, timescale: stream.timescale))
        let clip = WrittenClip()
        clip.add(.video, writer.written)
        var files: ClipFiles { clip.files(root: folder.url.path, stem: "a") }
        #expect(try ClipReader(files).tracks.isEmpty)
        var count = 0
        for (number, fragment) in stream.fragments().enumerated() {
            let before = files
            try stream.append(fragment, to: writer)
            count += fragment.count
            let reader = try #require(try ClipReader(files).video)
            #expect(reader.fragments == number + 1 && reader.track.bytes == writer.bytesWritten)
            try save(reader, 0..<reader.fragments, to: folder.path("run.mp4"))
            #expect(try Tool.packetHashes(folder.path("run.mp4")) == Array(source[..<count]))
            // Who asked before still reads what there was then, and no more.
            #expect(try ClipReader(before).video?.fragments ?? 0 == number)
            #expect(reader.track.durable == number - number % 2)
            if number % 2 == 1 { try writer.sync() }
        }
        #expect(files.tracks.first?.durable == writer.summary.fragments)
        let index = try writer.finish().index
        #expect(files.tracks.first?.index == index)
    }

    @Test("Only a regular file below the root is opened, and nothing is waited for")
    func paths() throws {
        let stream = try TrackWriterTests.stream("aac")
        let folder = try Scratch()
        let reader = try track(stream, in: folder, "a.cmfa")
        try FileManager.default.createDirectory(atPath: folder.path("d/e"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder.path("a.cmfa"), toPath: folder.path("d/e/a.cmfa"))
        symlink("a.cmfa", folder.path("link"))
        symlink("d", folder.path("away"))
        mkfifo(folder.path("pipe"), 0o600)
        func open(_ path: String) throws {
            let track = ClipFiles.Track(kind: .audio, path: path, index: reader.index)
            _ = try ClipReader(ClipFiles(root: folder.url.path, tracks: [track]))
        }
        try open("d/e/a.cmfa")
        let strange = [
            "link", "away/e/a.cmfa", "pipe", "d", "none", "", "d/../a.cmfa", "./a.cmfa", "/a.cmfa", "d//e/a.cmfa",
            "a.cmfa/", "a\0", String(repeating: "d/", count: 100) + "a",
        ]
        for path in strange { #expect(throws: TrackFileError.self, "\(path)") { try open(path) } }
    }

    @Test("A file that is not what its index says is an error that says where")
    func differences() throws {
        let stream = try TrackWriterTests.stream("h264")
        let folder = try Scratch()
        let path = folder.path("a.cmfv")
        let index = try stream.write(path).index
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        func verify(_ index: FragmentIndex) throws {
            let track = ClipFiles.Track(kind: .video, path: "a.cmfv", index: index)
            try ClipReader(ClipFiles(root: folder.url.path, tracks: [track])).video?.verify()
        }
        try verify(index)
        var hole = index
        hole.entries.remove(at: 1)
        let error = #expect(throws: TrackFileError.self) { try verify(hole) }
        #expect(error?.description.contains("before fragment 1") == true)
        var short = index
        short.entries.removeLast()
        #expect(throws: TrackFileError.self) { try verify(short) }
        let other = FragmentIndex(timescale: 1, headerBytes: index.headerBytes, entries: index.entries)
        #expect(throws: TrackFileError.self) { try verify(other) }
        // Each byte of the second fragment's time, and of where its samples begin.
        let moof = Int(index.entries[1].offset)
        let time = try #require(bytes[moof...].firstRange(of: Data("tfdt".utf8))).upperBound + 4
        let place = try #require(bytes[moof...].firstRange(of: Data("trun".utf8))).upperBound + 8
        for place in Array(time..<time + 8) + Array(place..<place + 4) {
            var changed = bytes
            changed[place] ^= 0x40
            try changed.write(to: URL(fileURLWithPath: path))
            #expect(throws: TrackFileError.self, "byte \(place - moof)") { try verify(index) }
        }
        try bytes.dropLast().write(to: URL(fileURLWithPath: path))
        #expect(throws: TrackFileError.self) { try verify(index) }
    }

    @Test("No mutation of a file or of its index makes a reader trap")
    func mutations() throws {
        let stream = try TrackWriterTests.stream("h264B")
        let folder = try Scratch()
        let path = folder.path("a.cmfv")
        let index = try stream.write(path).index
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var generator = SeededGenerator(seed: 7)
        var (opened, read) = (0, 0)
        for turn in 0..<600 {
            var mutant = bytes
            let moof = Int(index.entries[turn % index.entries.count].offset)
            for place in [Int.random(in: 0..<1200, using: &generator), moof + .random(in: 0..<800, using: &generator)]
            where turn % 3 != 0 && place < mutant.count {
                mutant[place] = [0, 0x7f, 0xff, mutant[place] ^ 1].randomElement(using: &generator) ?? 0
            }
            try Data(mutant).write(to: URL(fileURLWithPath: path))
            var blob = index.encoded()
            if turn % 3 != 1 { blob = blob.mutated(by: &generator) }
            guard let damaged = try? FragmentIndex(decoding: blob) else { continue }
            let track = ClipFiles.Track(kind: .video, path: "a.cmfv", index: damaged)
            let files = ClipFiles(root: folder.url.path, tracks: [track])
            guard let reader = try? ClipReader(files).video else { continue }
            opened += 1
            for fragment in 0..<reader.fragments {
                if (try? reader.samples(of: fragment)) != nil { read += 1 }
                _ = reader.bytes(of: 0..<fragment + 1)
            }
            try? reader.verify()
            _ = try? Snapshot(of: files, atMs: .random(in: -1...5000, using: &generator))
            var plan = ExportPlan(fromMs: 500, toMs: 3000)
            _ = try? plan.add(files, startMs: 0)
            let movie = try? ClipMovie(plan)
            _ = try? movie?.read(1 << 20, at: 0)
        }
        #expect(opened > 50 && read > 50)
    }
}
