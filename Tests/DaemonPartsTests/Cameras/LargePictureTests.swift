import Catalog
import Journal
import Machines
import Media
import Testing

@testable import Daemon

@Suite("Pictures that become larger than is decoded (H1)")
struct LargePictureTests {
    @Test("A stream whose pictures become too large amid it is told once for each change, and every frame is recorded")
    func amid() async throws {
        let dialler = Dialler()
        let camera = try TestCamera(policy: Policy(mode: .continuous), dialler: dialler)
        await camera.settled()
        let dial = try #require(dialler.dials.last)
        dial.dialed([TestFrames.track])
        await camera.settled()
        var frames = TestFrames()
        let (count, sizes) = (5, [TestFrames.Size.small, .huge, .small, .huge])
        for (place, size) in sizes.enumerated() {
            for _ in 0..<count {
                camera.pass(ms: 10)
                dial.frame(try frames.next(at: camera.now, size))
                await camera.settled()
            }
            let told = camera.told(.pictureTooLarge)
            #expect(told.count == (place + 1) / 2)
            #expect(told.allSatisfy { $0[.detail]?.contains("260112384 pixels") == true }, "\(told)")
            #expect(!dial.isStopped && camera.actor.view.machine.coverage == .recorded)
        }
        dial.end(.failed(.closed, detail: "the test ends it"))
        await camera.settled()
        #expect(camera.told(.writeFailed).isEmpty && camera.told(.clipOpenFailed).isEmpty)
        // A clip for each size, which follow each other without a hole; each key frame is a fragment of its own.
        let clips = try camera.catalog.clips(ClipQuery(camera: "front"))
        #expect(clips.map(\.ended) == [.streamChanged, .streamChanged, .streamChanged, .linkLost])
        #expect(clips.flatMap(\.tracks).map(\.fragments) == sizes.map { _ in Int64(count) })
        #expect(clips.compactMap(\.opened.chainedTo) == clips.dropLast().map(\.id))
        #expect(zip(clips, clips.dropFirst()).allSatisfy { $0.end == $1.start })
    }
}
