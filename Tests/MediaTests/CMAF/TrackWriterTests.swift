import Foundation
import Glibc
import Testing

@testable import Media

@Suite struct TrackWriterTests {
    static let streams: [(name: String, codec: String)] = [
        ("h264", "avc1.42c00c"), ("h264B", "avc1.64000c"), ("h265", "hvc1.1.6.L60.90"), ("aac", "mp4a.40.2"),
        ("opus", "opus"),
    ]

    static func stream(_ name: String) throws -> TestStream {
        switch name {
        case "h264": try TestMedia.h264.get()
        case "h264B": try TestMedia.h264B.get()
        case "h265": try TestMedia.h265.get()
        case "aac": try TestMedia.aac.get()
        default: try TestMedia.opus.get()
        }
    }

    @Test("A track file gives every packet back, in time, and decodes without a complaint", arguments: streams)
    func roundTrip(name: String, codec: String) throws {
        let source = try Self.stream(name)
        let folder = try Scratch()
        let path = folder.path("clip.cmf")
        let summary = try source.write(path, wallClock: WallClock(unixMs: 1_700_000_000_123))
        #expect(summary.codec == codec)
        #expect(summary.bytes == UInt64(try Data(contentsOf: URL(fileURLWithPath: path)).count))
        let expectedDuration = source.samples.reduce(0) { $0 + $1.duration }
        #expect(summary.durationTicks == UInt64(expectedDuration))
        #expect(try Tool.complaints(path) == "")
        #expect(try Tool.packetHashes(path) == Tool.packetHashes(source.path))
        let packets = try Tool.probe(path, "packet=pts,dts,flags")
        // libavformat adds the largest negative composition offset to the times of the whole track.
        let readerShift = -(source.samples.map(\.offset).min() ?? 0)
        #expect(packets.map { $0["pts"] } == source.samples.map { String($0.decode + $0.offset + readerShift) })
        #expect(packets.map { $0["flags"]?.first } == source.samples.map { $0.isSync ? "K" : "_" })
        #expect(try CMAFCheck.check(path: path, payload: true) == [])
        let scanned = try TrackScanner.scan(path: path)
        #expect(scanned.index == summary.index)
        #expect(scanned.configuration == source.configuration)
        #expect(scanned.tornBytes == 0)
        #expect(scanned.durationMs == summary.durationMs)
        #expect(try FragmentIndex(decoding: summary.index.encoded()) == summary.index)
    }

    @Test("Priming is taken off by the edit list: the first audible sample is at 0")
    func priming() throws {
        let source = try TestMedia.aac.get()
        let path = try Scratch()
        let file = path.path("clip.cmfa")
        try source.write(file, primingTicks: 1024)
        #expect(try Tool.probe(file, "packet=pts").first?["pts"] == "-1024")
        #expect(try TrackScanner.scan(path: file).index.primingTicks == 1024)
    }

    @Test("A file that exists is not overwritten, and the error says so")
    func exclusive() throws {
        let folder = try Scratch()
        let path = folder.path("clip.cmfv")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        let source = try TestMedia.h264.get()
        let error = #expect(throws: TrackFileError.self) { try source.write(path) }
        #expect(error?.cause == .system(EEXIST))
        #expect(error?.description.contains(path) == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test("A file is created with mode 0640 and its directory can be made durable")
    func mode() throws {
        let folder = try Scratch()
        let source = try TestMedia.aac.get()
        let old = umask(0)
        defer { umask(old) }
        try source.write(folder.path("a.cmfa"))
        var status = stat()
        #expect(stat(folder.path("a.cmfa"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o640)
        try TrackWriter.syncDirectory(folder.url.path)
        #expect(throws: TrackFileError.self) { try TrackWriter.syncDirectory(folder.path("absent")) }
    }

    @Test("A write that the system refuses half way leaves the file with its last whole fragment, and recovers")
    func refusedWrite() throws {
        let source = try TestMedia.h264.get()
        let fragments = source.fragments()
        // memfd_create with MFD_ALLOW_SEALING; the Glibc module does not show GNU functions.
        typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
        let create = unsafeBitCast(try #require(dlsym(nil, "memfd_create")), to: Create.self)
        let descriptor = create("track", 2)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let path = "/proc/self/fd/\(descriptor)"
        let file = try RawFile(path, flags: O_RDWR, as: .open)
        let header = TrackHeader(source.configuration, timescale: source.timescale)
        let writer = try TrackWriter(writingHeaderTo: file, header)
        try source.append(fragments[0], to: writer)
        let whole = writer.bytesWritten
        // F_ADD_SEALS F_SEAL_GROW: the kernel refuses any write beyond the size. One byte of room is left.
        #expect(ftruncate(descriptor, Int(whole) + 1) == 0)
        #expect(fcntl(descriptor, 1033, 4) == 0)
        let error = #expect(throws: TrackFileError.self) { try source.append(fragments[1], to: writer) }
        #expect(error?.operation == .append)
        #expect(try file.size() == whole)
        let summary = try writer.finish()
        #expect(summary.bytes == whole)
        #expect(summary.fragments == 1)
        #expect(try TrackScanner.scan(path: path).tornBytes == 0)
    }

    @Test("A fragment gathered from thousands of buffers, empty ones among them, is written whole and in order")
    func manyBuffers() throws {
        let folder = try Scratch()
        let header = TrackHeader(try TestMedia.aac.get().configuration)
        let writer = try TrackWriter.create(path: folder.path("a.cmfa"), header: header)
        let bytes = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let samples = (0..<3000).map { _ in SampleMetadata(size: 3, durationTicks: 1024) }
        try bytes.withUnsafeBytes { buffer in
            let parts = (0..<3000).flatMap { part in
                [
                    UnsafeRawBufferPointer(rebasing: buffer[part * 3..<part * 3 + 3]),
                    UnsafeRawBufferPointer(start: nil, count: 0),
                ]
            }
            try writer.append(Fragment(decodeTime: 0, samples: samples), data: parts)
        }
        let summary = try writer.finish()
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.cmfa")))
        #expect(UInt64(file.count) == summary.bytes)
        #expect(Array(file.suffix(9000)) == bytes)
        #expect(try CMAFCheck.check(path: folder.path("a.cmfa")) == [])
    }

    @Test("A full disk is told as such, with a remedy")
    func fullDisk() throws {
        let source = try TestMedia.h264.get()
        let file = try RawFile("/dev/full", flags: O_RDWR, as: .open)
        let header = TrackHeader(source.configuration)
        do {
            _ = try TrackWriter(writingHeaderTo: file, header)
            Issue.record("/dev/full took a write")
        } catch {
            #expect(error.storage == .full)
            #expect(error.cause == .system(ENOSPC))
            #expect(error.description.contains("Free room"))
        }
    }

    @Test("What breaks the rules of a track is refused and writes nothing")
    func refusals() throws {
        let folder = try Scratch()
        let source = try TestMedia.h264.get()
        let fragments = source.fragments()
        let header = TrackHeader(source.configuration, timescale: source.timescale)
        let writer = try TrackWriter.create(path: folder.path("a.cmfv"), header: header)
        let before = writer.bytesWritten
        #expect(throws: TrackFileError.self) { try writer.append(Fragment(decodeTime: 0, samples: []), data: []) }
        #expect(throws: TrackFileError.self) { try source.append(fragments[0].dropFirst(), to: writer) }
        let lonely = Fragment(decodeTime: 0, samples: [SampleMetadata(size: 5, durationTicks: 1)])
        #expect(throws: TrackFileError.self) { try writer.append(lonely, data: []) }
        #expect(writer.bytesWritten == before)
        try source.append(fragments[1], to: writer)
        #expect(throws: TrackFileError.self) { try source.append(fragments[0], to: writer) }
        // The scanner would call it damaged, and a repair would cut it off.
        #expect(throws: TrackFileError.self) { try source.append(fragments[2], to: writer, shift: .max / 2) }
        let summary = try writer.finish()
        #expect(summary.fragments == 1)
        #expect(throws: TrackFileError.self) { try source.append(fragments[2], to: writer) }
        #expect(try CMAFCheck.check(path: folder.path("a.cmfv")) == [])
    }
}
