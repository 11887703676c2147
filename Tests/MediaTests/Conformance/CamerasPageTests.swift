import Foundation
import Testing

/// H3: what becomes of each camera is written down.
@Suite(
    "The page of cameras",
    .enabled(if: FileManager.default.isExecutableFile(atPath: ConformanceRig.program), "needs python3"))
struct CamerasPageTests {
    private static let begin = "<!-- rows: python3 Tests/rig/quirks --table -->\n"
    private static let end = "<!-- end of rows -->\n"

    @Test("H3 has the row of every scripted camera, and no other (VIGIL_UPDATE_GOLDEN=1 writes it)")
    func page() throws {
        let page = ConformanceRig.root.appendingPathComponent("docs/reference/cameras.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let begin = try #require(text.range(of: Self.begin)).upperBound
        let end = try #require(text.range(of: Self.end)).lowerBound
        let maker = try MediaMaker()
        defer { maker.remove() }
        let printed = try maker.run(ConformanceRig.program, [ConformanceRig.folder, "--table"]).output
        let table = String(decoding: printed, as: UTF8.self)
        if ProcessInfo.processInfo.environment["VIGIL_UPDATE_GOLDEN"] == "1" {
            let written = text.replacingCharacters(in: begin..<end, with: table)
            try written.write(to: page, atomically: true, encoding: .utf8)
            return
        }
        #expect(text[begin..<end] == table)
    }

    @Test("H3 each row of the list has a camera")
    func rows() throws {
        let numbers = Set(try ConformanceRig.shared().rows.map(\.number))
        #expect((1...73).filter { !numbers.contains($0) } == [])
    }
}
