import Machines
import Testing

@testable import Catalog

@Suite struct ClipPathsTests {
    @Test func `a path tells camera and start, in UTC`() throws {
        let paths = try #require(ClipPaths(camera: "front-door_2", startWallMs: 1_795_240_077_123, token: "k3"))
        #expect(
            paths.path(.video) == "clips/front-door_2/2026/11/21/20261121T054757.123Z-k3.cmfv")
        #expect(ClipPaths(parsing: paths.path(.audio)) == paths)
    }

    @Test(arguments: [0, 951_782_399_999, 951_782_400_000, 1_709_164_800_000, 4_102_444_799_999, 253_402_300_799_999])
    func `any moment comes back from its name`(_ ms: Int64) throws {
        let paths = try #require(ClipPaths(camera: "a", startWallMs: ms))
        #expect(ClipPaths(parsing: paths.path(.video))?.startWallMs == ms)
    }

    @Test func `moments outside the calendar are pulled into it`() {
        #expect(ClipPaths(camera: "a", startWallMs: -5, token: "0")?.startWallMs == 0)
        #expect(ClipPaths(camera: "a", startWallMs: .max, token: "0")?.folder == "clips/a/9999/12/31")
    }

    @Test(arguments: [
        "clips/../2026/11/21/20261121T054757.123Z-k3.cmfv", "/clips/a/2026/11/21/20261121T054757.123Z-k3.cmfv",
        "clips/a/2026/11/22/20261121T054757.123Z-k3.cmfv", "clips/a/2026/11/21/20261321T054757.123Z-k3.cmfv",
        "clips/a/2026/11/21/20261121T054757.123Z-k/3.cmfv", "clips/a/2026/11/21/20261121T054757.123Z-k3.mp4",
        "clips/a/2026/11/21/x.cmfv", "catalog.sqlite", "", "clips/A/2026/11/21/20261121T054757.123Z-k3.cmfv",
    ])
    func `no other path is taken for a clip's`(_ path: String) { #expect(ClipPaths(parsing: path) == nil) }

    @Test(arguments: ["", "..", "a/b", "Ä", String(repeating: "x", count: 65)])
    func `a name that a path must not hold is refused`(_ name: String) {
        #expect(ClipPaths(camera: name, startWallMs: 0) == nil)
    }
}
