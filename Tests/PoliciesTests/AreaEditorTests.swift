import Foundation
import Machines
import Testing

@testable import Policies

@Suite("Zones and masks in vigil.yaml") struct AreaEditorTests {
    private typealias Area = Configuration.Camera.Area

    private static let commented = """
        # Of the shop
        cameras:
          front:   # over the door
            main: rtsp://127.0.0.1/a
            policy: shop
            zones:
              # where people come in
              door: [ [0.1, 0.2], [0.4, 0.2], [0.4, 0.9] ]   # narrow
              path:
                - [0.5, 0.5]
                - [1, 0.5]
                - [1, 1]
            # the end of front
          yard: { main: demo, policy: shop }
          garage:
            main: demo
            zones:
            policy: shop

        """

    private static func area(_ name: String, _ corners: [(Int, Int)] = [(0, 0), (5_000, 0), (5_000, 2_525)]) -> Area {
        Area(name: name, polygon: Polygon(corners.map { Point(x: $0.0, y: $0.1) }))
    }

    private static let door = area("door", [(1_000, 2_000), (4_000, 2_000), (4_000, 9_000)])
    private static let path = area("path", [(5_000, 5_000), (10_000, 5_000), (10_000, 10_000)])

    private static func difference(_ camera: String, zones: [Area], masks: [Area] = []) throws -> [String] {
        let changed = try AreaEditor.set(commented, camera: camera, zones: zones, masks: masks)
        return UnifiedDiff.diff(from: commented, to: changed, oldName: "a", newName: "b").split(separator: "\n")
            .dropFirst(2).filter { $0.hasPrefix("-") || $0.hasPrefix("+") }.map(String.init)
    }

    @Test func `What stays the same stays as it is written`() throws {
        #expect(try Self.difference("front", zones: [Self.path, Self.door]).isEmpty)
    }

    @Test func `One area is added, changed and removed, and nothing else changes`() throws {
        #expect(
            try Self.difference("front", zones: [Self.door, Self.path, Self.area("wall")]) == [
                "+      wall: [ [0, 0], [0.5, 0], [0.5, 0.2525] ]"
            ])
        #expect(
            try Self.difference("front", zones: [Self.area("door"), Self.path]) == [
                "-      door: [ [0.1, 0.2], [0.4, 0.2], [0.4, 0.9] ]   # narrow",
                "+      door: [ [0, 0], [0.5, 0], [0.5, 0.2525] ]   # narrow",
            ])
        #expect(
            try Self.difference("front", zones: [Self.path]) == [
                "-      door: [ [0.1, 0.2], [0.4, 0.2], [0.4, 0.9] ]   # narrow"
            ])
        // What is written over several lines is taken out and added anew.
        let changed = try Self.difference("front", zones: [Self.door, Self.area("path")])
        #expect(
            changed.contains("+      path: [ [0, 0], [0.5, 0], [0.5, 0.2525] ]") && changed.count == 5, "\(changed)")
    }

    @Test func `The first zone and the first mask get lines of their own, also in brackets and in an empty section`()
        throws
    {
        #expect(
            try Self.difference("front", zones: [Self.door, Self.path], masks: [Self.area("clock")]) == [
                "+    masks:", "+      clock: [ [0, 0], [0.5, 0], [0.5, 0.2525] ]",
            ])
        #expect(
            try Self.difference("yard", zones: [Self.area("gate")]) == [
                "-  yard: { main: demo, policy: shop }",
                "+  yard: { main: demo, policy: shop, zones: { gate: [ [0, 0], [0.5, 0], [0.5, 0.2525] ] } }",
            ])
        #expect(
            try Self.difference("garage", zones: [Self.area("car")]) == [
                "-    zones:", "+    zones:", "+      car: [ [0, 0], [0.5, 0], [0.5, 0.2525] ]",
            ])
    }

    @Test func `All go, and their section with them`() throws {
        let text = try AreaEditor.set(Self.commented, camera: "front", zones: [], masks: [])
        let item = try YAMLReader.read(Array(text.utf8), file: "vigil.yaml")
        #expect(item["cameras"]?["front"]?["zones"] == nil && item["cameras"]?["front"]?["policy"] != nil)
        #expect(text.contains("# Of the shop"))
    }

    @Test
    func `What cannot be proven is refused: names that are none, a camera that is not there, brackets over lines`() {
        for name in ["a: b", "a\n  b", "a #b", "{a", "- a", ""] {
            #expect(throws: EditProblem.self, "\(name)") {
                try AreaEditor.set(Self.commented, camera: "front", zones: [Self.area(name)], masks: [])
            }
        }
        #expect(throws: EditProblem.absent(keyPath: "cameras.none")) {
            try AreaEditor.set(Self.commented, camera: "none", zones: [], masks: [])
        }
        let lines = "cameras: { a: { main: demo, policy: p, zones: { x: [ [0, 0],\n  [1, 0], [1, 1] ] } } }\n"
        #expect(throws: EditProblem.tooInvolved(keyPath: "cameras.a.zones.x")) {
            try AreaEditor.set(lines, camera: "a", zones: [Self.area("x")], masks: [])
        }
        let large = "cameras: { a: { main: demo } }\n" + String(repeating: "#\n", count: AreaEditor.maxBytes)
        #expect(throws: EditProblem.self) { try AreaEditor.set(large, camera: "a", zones: [], masks: []) }
    }

    @Test func `Whatever areas there were and are to be, the file has them then, and all else as before`() throws {
        for chosen in 0..<64 {
            let names = ["a", "b", "c", "door", "path", "d"].enumerated().filter { chosen >> $0.offset & 1 == 1 }.map(
                \.element)
            let zones = names.map { Self.area($0, [(chosen, 0), (10_000, 37 * chosen), (10_000, 10_000)]) }
            let first = try AreaEditor.set(Self.commented, camera: "front", zones: zones, masks: zones.reversed())
            let last = try AreaEditor.set(first, camera: "front", zones: [Self.door], masks: [])
            let item = try YAMLReader.read(Array(first.utf8), file: "vigil.yaml")
            for (key, areas) in [("zones", zones), ("masks", zones)] {
                let found = item["cameras"]?["front"]?[key]?.entries ?? []
                #expect(Set(found.map(\.key)) == Set(names))
                for area in areas {
                    #expect(found.first { $0.key == area.name }.flatMap { AreaText.polygon($0.value) } == area.polygon)
                }
            }
            let end = try YAMLReader.read(Array(last.utf8), file: "vigil.yaml")
            #expect(end["cameras"]?["front"]?["zones"]?.entries?.map(\.key) == ["door"])
            #expect(end["cameras"]?["yard"] == item["cameras"]?["yard"])
        }
    }
}
