import CLibav
import Foundation
import Machines
import Testing

@testable import Media

@Suite("A file that something else takes the place of (H2)")
struct OpenedFileTests {
    enum Thing: CaseIterable { case pipe, folder, socket }

    private func place(_ thing: Thing, at path: String) throws {
        unlink(path)
        switch thing {
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .folder: try #require(mkdir(path, 0o700) == 0)
        case .socket: try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        }
    }

    @Test(
        "Between the look at it and the opening: it is refused at once, and nobody waits for a writer",
        arguments: Thing.allCases)
    func swapped(_ thing: Thing) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let path = maker.path("a.mp4")
        try Data([1]).write(to: URL(fileURLWithPath: path))
        let interrupt = Interrupt(stop: StopSignal())
        let begin = BootClock.nowMs()
        var cause: LinkFailure?
        do throws(InputFault) {
            _ = try OpenedFile(path, interrupt: interrupt, looked: { try? place(thing, at: path) })
        } catch {
            if case .failed(let failure, _) = error { cause = failure }
        }
        #expect(cause == .unsupported && BootClock.nowMs() - begin < 5_000)
    }

    @Test("While it is read: what was opened is read to its end")
    func replaced() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let path = maker.path("a")
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let file = try OpenedFile(path, interrupt: Interrupt(stop: StopSignal()))
        try place(.pipe, at: path)
        var read = [UInt8](repeating: 0, count: 200_000)
        #expect(avio_read(file.context, &read, 200_000) == 100_000)
        #expect(Array(read.prefix(100_000)) == bytes)
        #expect(avio_size(file.context) == 100_000 && avio_seek(file.context, 5, 0) == 5)
        #expect(avio_r8(file.context) == Int32(bytes[5]))
    }

    @Test("A list in the file opens no other file: no pipe beside it is waited for")
    func list() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        try place(.pipe, at: maker.path("pipe.ts"))
        let lists = [
            ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\npipe.ts\n#EXT-X-ENDLIST\n"),
            ("a.ffconcat", "ffconcat version 1.0\nfile pipe.ts\n"),
        ]
        for (name, text) in lists {
            try Data(text.utf8).write(to: URL(fileURLWithPath: maker.path(name)))
            let sink = CollectingSink()
            let input = Input(name: "list", source: .file(path: maker.path(name)), pool: SlabPool(), sink: sink)
            input.start()
            #expect(sink.wait(seconds: 9) { !$0.ends.isEmpty }, "\(name)")
            input.stop()
            guard case .failed? = sink.seen.ends.first else {
                Issue.record("\(name): \(sink.seen.ends)")
                continue
            }
        }
    }
}
