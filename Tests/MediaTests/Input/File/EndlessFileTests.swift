import CLibav
import Foundation
import Machines
import Testing

@testable import Media

/// Files of which libav reads on and on without giving a frame: what it gathers meanwhile is memory of ours (H1).
@Suite("Files without end", .serialized)
struct EndlessFileTests {
    enum Kind: String, CaseIterable {
        case h264, hevc, ts, mkv, nothing
    }

    @Test("end by a bound on what is read for one frame (H1)", arguments: Kind.allCases)
    func bounded(kind: Kind) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let file = try make(kind, maker)
        #expect(truncate(file, 64 << 30) == 0)
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: file, looped: true), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        guard case .failed(.budget, let detail) = sink.seen.ends.first else {
            Issue.record("\(kind): \(sink.seen.ends)")
            return
        }
        #expect(detail.contains("more than 12 MiB were read for one frame of the file"))
    }

    @Test("libav takes no piece of memory beyond the bound, so no index of a movie does (H1)")
    func pieces() {
        LibavProcess.prepare()
        for (bytes, isGiven) in [(LibavProcess.pieceBytesMax / 2, true), (LibavProcess.pieceBytesMax + 1, false)] {
            let piece = av_malloc(bytes)
            #expect((piece != nil) == isGiven, "\(bytes) bytes")
            av_free(piece)
        }
    }

    /// A begin behind which zeros follow that belong to it.
    private func make(_ kind: Kind, _ maker: MediaMaker) throws -> String {
        switch kind {
        case .h264: return try maker.make("a.h264", video: FileInputTests.h264 + ["-bf", "0"])
        case .hevc: return try maker.make("a.hevc", video: FileInputTests.h265)
        case .nothing:
            // A start code and the head of a picture.
            let path = maker.path("a.h264")
            try Data([0, 0, 0, 1, 0x65, 0x88, 0x84]).write(to: URL(fileURLWithPath: path))
            return path
        case .mkv:
            let path = try maker.make("a.mkv", video: FileInputTests.h264)
            // A block of 200 MB, of track 1, in a cluster without an end.
            var data = try Data(contentsOf: URL(fileURLWithPath: path))
            data += [0x1F, 0x43, 0xB6, 0x75, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xE7, 0x81, 0x50]
            data += [0xA3, 0x1C, 0x00, 0x00, 0x00, 0x81, 0, 0, 0x80]
            try data.write(to: URL(fileURLWithPath: path))
            return path
        case .ts:
            let path = try maker.make("a.ts", video: FileInputTests.h264)
            // The last picture goes on for 40 MB: packets of its stream that begin nothing.
            var data = try Data(contentsOf: URL(fileURLWithPath: path))
            var next = [UInt8](repeating: 0, count: 188)
            (next[0], next[1], next[2]) = (0x47, 0x01, 0x00)
            for index in 0..<(40 << 20) / 188 {
                next[3] = 0x10 | UInt8(index & 15)
                data += next
            }
            try data.write(to: URL(fileURLWithPath: path))
            return path
        }
    }
}
