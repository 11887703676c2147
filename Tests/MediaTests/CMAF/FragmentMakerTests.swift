import Foundation
import Machines
import Testing

@testable import Media

@Suite("Fragments for a live viewer")
struct FragmentMakerTests {
    private static let video = ["-c:v", "libx264", "-g", "25", "-bf", "0", "-pix_fmt", "yuv420p"]

    /// The frames of two seconds of picture and sound.
    private func frames(_ maker: MediaMaker, audio: [String]) throws -> [Frame] {
        let file = try maker.make("in.mkv", video: Self.video, audio: audio)
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: file, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        return Array(sink.seen.frames.drop { !$0.isVideoStart })
    }

    /// What a viewer gets when it cuts after every `each` frames, by track.
    private func stream(_ frames: [Frame], each: Int) throws -> [Int: Data] {
        var maker = FragmentMaker(leadMs: 1_000)
        var sent: [Int: Data] = [:]
        func send(isLast: Bool) {
            for ordinal in maker.tracks.keys.sorted() {
                if sent[ordinal] == nil { sent[ordinal] = Data(maker.tracks[ordinal]?.header.encoded() ?? []) }
                guard let cut = maker.cut(ordinal, isLast: isLast) else { continue }
                sent[ordinal]?.append(contentsOf: cut.bytes)
            }
        }
        for (index, frame) in frames.enumerated() {
            #expect(maker.accepts(frame))
            maker.append(frame)
            try maker.sort()
            if (index + 1).isMultiple(of: each) { send(isLast: false) }
        }
        send(isLast: true)
        #expect(maker.waitingCount == 0 && !maker.holdsBack)
        return sent
    }

    @Test(
        "of one frame or of many are read without a complaint, with every frame once and at its time",
        arguments: [1, 7, 40])
    func readable(each: Int) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try frames(maker, audio: ["-c:a", "aac"])
        let sent = try stream(frames, each: each)
        #expect(sent.count == 2)
        let reference = try stream(frames, each: .max)
        for (ordinal, data) in sent.sorted(by: { $0.key < $1.key }) {
            let own = frames.filter { $0.track == ordinal }
            let paths = (maker.path("live-\(ordinal).mp4"), maker.path("whole-\(ordinal).mp4"))
            try data.write(to: URL(fileURLWithPath: paths.0))
            try #require(reference[ordinal]).write(to: URL(fileURLWithPath: paths.1))
            #expect(try Tool.complaints(paths.0) == "")
            #expect(try Tool.packetHashes(paths.0).count == own.count)
            #expect(try Tool.packetHashes(paths.0) == Tool.packetHashes(paths.1))
            let entries = "packet=pts,dts,duration,size,flags"
            #expect(try Tool.probe(paths.0, entries) == Tool.probe(paths.1, entries))
            // Fragments of pictures begin within groups here, which is noted; everything else keeps the rules.
            let findings = try CMAFCheck.check(path: paths.0, payload: true)
            #expect(own.first?.kind == .video || findings.isEmpty, "\(findings)")
        }
    }

    @Test("hold no sound that clips cannot hold, and say so")
    func unsupported() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try frames(maker, audio: ["-c:a", "pcm_mulaw", "-ar", "8000", "-ac", "1"])
        let original = try #require(frames.first { $0.configuration.parameters.codec == .pcmu })
        var fragments = FragmentMaker()
        fragments.append(original)
        #expect(throws: BitstreamError.self) { try fragments.sort() }
        let stored = try stream(frames.filter { $0.configuration.parameters.codec.isStored }, each: 1)
        #expect(stored.count == 2)
    }
}
