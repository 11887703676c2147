import Foundation
import Machines
import Testing

@testable import Policies

@Suite struct ZoneTests {
    private static let door = "[ [0.1, 0.2], [0.4, 0.2], [0.4, 0.9], [0.1, 0.9] ]"

    private static func configuration(_ areas: String) -> String {
        "cameras:\n  front:\n    main: demo\n    policy: shop\n    \(areas)\n"
    }

    private static func policy(_ zones: String) -> String { "name: shop\nrecording: { zones: \(zones) }\n" }

    @Test func `Zones and masks of a camera are read in their order`() throws {
        let text = Self.configuration(
            "zones: { yard: [[0,0],[1,0],[1,1]], door: \(Self.door) }\n    masks: { flag: \(Self.door) }")
        let camera = try #require(try Fixture.load(text).result.get().configuration.camera("front"))
        #expect(camera.zones.map(\.name) == ["yard", "door"])
        #expect(camera.masks.map(\.name) == ["flag"])
        #expect(camera.zones.last?.polygon.points.first == Point(x: 1_000, y: 2_000))
        let map = camera.zoneMap(columns: 10, rows: 10)
        #expect(map.isMasked(3 * 10 + 2) && !map.isMasked(0))
        #expect(map.zones(ofMoving: [3 * 10 + 8]) == Zones(inside: 1, outside: false))
    }

    @Test(
        arguments: [
            ("{ door: [[0,0],[1,0]] }", "zones.door", "2 corners bound no area"),
            ("{ door: [[0,0],[1,0],[1,1.2]] }", "zones.door[2]", "two numbers from 0 to 1"),
            ("{ door: [[0,0],[1,0],[50,50]] }", "zones.door[2]", "two numbers from 0 to 1"),
            ("{ door: [[0,0],[1,0],[1]] }", "zones.door[2]", "two numbers from 0 to 1"),
            ("{ door: [[0,0],[1,0],[1,nan]] }", "zones.door[2]", "two numbers from 0 to 1"),
            (
                "{ door: [[0,0],[1,1],[1,0],[0,1]] }", "zones.door",
                "from corner 3 to 4 touches the one from 1 to 2"
            ),
            ("{ door: [[0,0],[1,0],[0,0.00001]] }", "zones.door", "corners 1 and 3 are at the same place"),
            ("{ door: [[0,0],[1,0],[0.5,0]] }", "zones.door", "turns back on itself at corner"),
            ("{ door: 5 }", "zones.door", "expected a list"), ("[ door ]", "zones", "expected names with corners"),
            ("{ Door: [[0,0],[1,0],[1,1]] }", "zones.Door", "is not a name"),
            ("{ \"null\": [[0,0],[1,0],[1,1]] }", "zones.null", "outside every zone"),
            (
                "{ " + (0..<32).map { "z\($0): [[0,0],[1,0],[1,1]]" }.joined(separator: ", ") + " }", "zones",
                "at most 31"
            ),
            ("{ door: [\((0..<33).map { "[0.\($0),0]" }.joined(separator: ", "))] }", "zones.door", "at most 32"),
        ])
    func `A bad area is refused with its place`(areas: String, keyPath: String, words: String) {
        let found = Fixture.findings(Self.configuration("zones: \(areas)"))
        #expect(found.map(\.keyPath) == ["cameras.front." + keyPath])
        #expect(found.first?.reason.contains(words) == true, "\(found)")
        #expect(found.first?.line == 5 && found.first?.severity == .error)
    }

    @Test func `A policy names zones, the outside, or neither`() throws {
        let names = ["yard", "door"]
        let cases: [(String, Zones?)] = [
            ("[]", nil), ("[ door ]", Zones(inside: 0b10, outside: false)),
            ("[ null ]", Zones(inside: 0, outside: true)), ("[ ~, yard ]", Zones(inside: 0b01, outside: true)),
        ]
        for (text, zones) in cases {
            let policy = try Fixture.policy(Self.policy(text))
            let effective = policy.effective(atUnixMs: 0, in: .gmt, zones: names).policy
            #expect(effective.zones == zones, "\(text)")
        }
        #expect(try Fixture.policy("name: a").recording.zones.isEmpty)
        #expect(Fixture.policyFindings(Self.policy("[ \"a door\" ]")).map(\.keyPath) == ["recording.zones[0]"])
        #expect(Fixture.policyFindings(Self.policy("door")).first?.reason == "expected a list, found a value")
    }

    @Test func `An entry of the schedule sets the zones, and an empty list is anywhere again`() throws {
        let policy = try Fixture.policy(
            """
            name: a
            recording: { zones: [ door, null ] }
            schedule:
              - { days: daily, from: "08:00", to: "09:00", zones: [] }
              - { days: daily, from: "10:00", to: "11:00", zones: [ yard ] }
            """)
        func zones(_ hour: Int) -> Zones? { policy.policy(atMinuteOfWeek: hour * 60, zones: ["yard", "door"]).zones }
        #expect(zones(7) == Zones(inside: 0b10, outside: true))
        #expect(zones(8) == nil)
        #expect(zones(10) == Zones(inside: 0b01, outside: false))
        let lines = policy.explain()
        #expect(lines[1].contains("moves (medium, in door or outside every zone), events"))
        #expect(lines[2].contains("moves (medium), events"))
        #expect(lines[3].contains("moves (medium, in yard), events"))
        // A change of the zones alone is a change of the policy in force.
        let eight: Int64 = 8 * 3_600_000
        #expect(policy.effective(atUnixMs: eight - 1, in: .gmt, zones: ["yard", "door"]).untilUnixMs == eight)
    }

    @Test func `A zone that a camera has not is refused at the camera`() {
        let found = Fixture.findings(
            Self.configuration("zones: { yard: \(Self.door) }"), policies: ["shop.yaml": Self.policy("[ door, null ]")])
        #expect(found.map(\.keyPath) == ["cameras.front.zones"])
        #expect(found.first?.reason.contains("\"door\", which this camera has not (there are yard)") == true)
        let none = Fixture.findings(Self.configuration(""), policies: ["shop.yaml": Self.policy("[ door ]")])
        #expect(none.first?.reason.contains("(it has none)") == true)
    }

    @Test func `The editor sets zones, also where a list in brackets is there`() throws {
        let added = try PolicyEditor.set("name: a # b\n", keyPath: "recording.zones", value: "[ door ]")
        #expect(added == "name: a # b\nrecording: { zones: [ door ] }\n")
        let changed = try PolicyEditor.set(added, keyPath: "recording.zones", value: "[ yard, null ]")
        #expect(changed == "name: a # b\nrecording: { zones: [ yard, null ] }\n")
        #expect(try PolicyEditor.unset(changed, keyPath: "recording.zones") == "name: a # b\n")
    }
}
