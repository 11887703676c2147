import Catalog
import Machines
import Testing

@testable import Cloud

@Suite struct CloudKeysTests {
    @Test("Objects are named as the table of the design has it")
    func names() throws {
        let paths = try #require(ClipPaths(camera: "front", startWallMs: BucketFolder.startWallMs, token: "k3x9"))
        #expect(CloudKeys.folder(of: paths.stem) == "clips/front/2026/11/23/20261123T101500.000Z-k3x9/")
        #expect(CloudKeys.isClip(paths.stem) && !CloudKeys.isClip(paths.folder) && !CloudKeys.isClip(paths.stem + "/"))
        #expect(TrackKind.allCases.map(CloudKeys.track) == ["video.cmfv", "audio.cmfa"])
        #expect(TrackKind.allCases.map(CloudKeys.playlist) == ["video.m3u8", "audio.m3u8"])
        #expect(
            CloudKeys.piece(.video, 1) == "video.000001.cmfv" && CloudKeys.piece(.audio, 12_345) == "audio.012345.cmfa")
        // The store lists keys by their bytes: pieces in their order.
        #expect(CloudKeys.piece(.video, 9) < CloudKeys.piece(.video, 10))
        #expect(CloudKeys.picture(beganMonotonicMs: 61_000) == "event-61000.jpg")
        #expect(CloudKeys.day(camera: "front", date: "2026-11-23") == "days/front/2026-11-23.m3u8")
        for name in ["video.000001.cmfv", "clip.json", "event-61000.jpg", "a"] { #expect(CloudKeys.isName(name)) }
        for name in [
            "", ".", "..", "a..b", "../a", "a/b", "/a", "a b", "a\n", "ä", "a%2Fb", String(repeating: "a", count: 65),
        ] {
            #expect(!CloudKeys.isName(name), "\(name)")
        }
    }
}
