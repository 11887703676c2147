import Catalog
import Journal
import Machines
import Server
import Testing

@testable import Daemon

@Suite("Labels of an event that is under way")
struct EventLabelTests {
    private let number = EventNumber(rawValue: 1)

    private func begun() throws -> TestCamera {
        let camera = try TestCamera()
        camera.shell.events.begin(number, .detection, level: .low, at: camera.now)
        return camera
    }

    private func kept(_ camera: TestCamera) throws -> [String] {
        camera.settle()
        return try camera.catalog.records(EventQuery(camera: "front")).flatMap(\.labels).map(\.name)
    }

    @Test("Each name is told once, when it is kept; one that could not be written is kept when it is told again")
    func told() throws {
        let camera = try begun()
        // The table has no such box.
        let outside = LabelBox(x: 2, y: 0, width: 0.5, height: 0.5)
        camera.shell.events.label(number, "person", outside, by: "anna", at: camera.now)
        #expect(try kept(camera) == [])
        #expect(camera.told(.eventLabelled).isEmpty && camera.told(.writeFailed).count == 1)
        for _ in 0..<2 { camera.shell.events.label(number, "person", nil, by: "anna", at: camera.now) }
        #expect(try kept(camera) == ["person"])
        #expect(camera.told(.eventLabelled).map { $0[.label] } == ["person"])
    }

    @Test("There is room for so many names, and for those that it has already")
    func room() throws {
        let camera = try begun()
        let names = (0..<LabelInfo.ofEventMax).map { "thing-\($0)" }
        for name in names {
            #expect(camera.shell.events.hasRoom(for: name))
            camera.shell.events.label(number, name, nil, by: "anna", at: camera.now)
        }
        #expect(!camera.shell.events.hasRoom(for: "one-more") && camera.shell.events.hasRoom(for: names[0]))
        camera.shell.events.label(number, "one-more", nil, by: "anna", at: camera.now)
        #expect(try Set(kept(camera)) == Set(names))
        // The next event has room again.
        camera.shell.events.end(number, .quiet, picture: nil, at: camera.now)
        #expect(camera.shell.events.hasRoom(for: "one-more"))
    }
}
