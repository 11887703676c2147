import Foundation
import Testing

@testable import Policies

/// Ages and pre-roll against what was measured.
@Suite struct StorageExaminationTests {
    private static let gigabyte: Int64 = 1_000_000_000

    private static func load(_ policy: String, storage: String = "{}") throws -> LoadedConfiguration {
        try Fixture.load(
            """
            timezone: UTC
            storage: \(storage)
            cameras:
              front: { main: demo, policy: a }
              back: { main: demo, policy: a }
            """, policies: ["a.yaml": "name: a\n" + policy, "b.yaml": "name: b\n"]
        ).result.get()
    }

    /// Two cameras of 4 Mbit/s, 2 GB of events a day each.
    private static func facts(disk: Int64, other: Int64 = 0) -> SiteFacts {
        let measured = SiteFacts.Measured(bytesPerSecond: 500_000, eventBytesPerDay: 2e9)
        return SiteFacts(
            capacityBytes: disk * gigabyte, otherBytes: other * gigabyte, ringBytes: 64 << 20,
            cameras: ["front": measured, "back": measured])
    }

    private static func found(_ loaded: LoadedConfiguration, _ facts: SiteFacts?) -> [Diagnostic] {
        Examiner().examine(loaded, facts: facts).filter { $0.rule != .unused }
    }

    @Test func `An age that the disk cannot hold is refused with the sum, and the age that fits is named`() throws {
        let site = try Self.load("recording: { mode: continuous }\nretention: { continuous: 30d }\n")
        let found = Self.found(site, Self.facts(disk: 1_000, other: 100))
        #expect(
            found.map(\.story) == [
                """
                /etc/vigil/policies/a.yaml:3:26: error: retention.continuous: recordings of 30 days need 2.6 TB with those of all cameras, and there is room for 850 GB; 9d fits: set retention.continuous to it or less, or give the storage more room [retention-disk]
                    front, retention.continuous: 4 Mbit/s × 30 days = 1.3 TB
                    back, retention.continuous: 4 Mbit/s × 30 days = 1.3 TB
                    together: 2.6 TB
                    disk: 1 TB − reserve 50 GB − other files 100 GB = 850 GB
                """
            ])
        // 2 × 43.2 GB a day × 9 days are 777.6 GB, and 10 days 864 GB.
        #expect(Self.found(site, Self.facts(disk: 3_000)) == [])
        #expect(Self.found(site, nil) == [])
        let bounded = try Self.load(
            "recording: { mode: continuous }\nretention: { continuous: 30d }\n", storage: "{ maxSize: 40GB }")
        #expect(Self.found(bounded, Self.facts(disk: 5_000)).first?.remedy.hasPrefix("11h fits") == true)
    }

    @Test func `Parts of the week and events count for what they are, and a quota bounds them`() throws {
        let site = try Self.load(
            """
            schedule: [ { days: mon-fri, from: "00:00", to: "24:00", mode: continuous } ]
            retention: { continuous: 7d, events: 30d }

            """)
        // 2 × (43.2 GB × 5/7 × 7 + 2 GB × 30) = 552 GB.
        #expect(Self.found(site, Self.facts(disk: 600)) == [])
        let tight = Self.found(site, Self.facts(disk: 500))
        #expect(tight.map(\.keyPath) == ["retention.continuous", "retention.events"])
        #expect(
            tight.first?.trace.first?.what == "front, retention.continuous: 4 Mbit/s × 120 h a week × 7 days = 216 GB")
        #expect(tight.map(\.remedy.first) == ["5", "1"])
        let quota = try Self.load(
            "recording: { mode: continuous }\nretention: { continuous: 30d, maxSize: 100GB }\n")
        let found = Self.found(quota, Self.facts(disk: 500))
        #expect(
            found.map(\.rule) == [.retentionQuota, .retentionQuota] && found.allSatisfy { $0.severity == .warning })
        #expect(found.first?.reason.contains("fills its 100 GB in 2.3 days") == true)
    }

    @Test func `Quotas that exceed the site's, and policies without a camera, are told`() throws {
        let site = try Self.load("retention: { maxSize: 300GB }\n", storage: "{ maxSize: 500GB }")
        let found = Examiner().examine(site, facts: nil)
        #expect(found.map(\.rule) == [.quotaSite, .unused])
        #expect(found.first?.reason.hasPrefix("2 × 300 GB is more than") == true)
        #expect(found.last?.file == "/etc/vigil/policies/b.yaml")
        #expect(found.map { $0.concerns("a", in: site) } == [true, false])
    }

    @Test func `A pre-roll that the memory cannot hold is refused with what it can hold`() throws {
        let site = try Self.load("recording: { preRoll: 60s }\n")
        var facts = Self.facts(disk: 5_000)
        #expect(Self.found(site, facts) == [])
        facts.cameras["back"]?.bytesPerSecond = 2_000_000
        let found = Self.found(site, facts)
        #expect(found.map(\.rule) == [.preRollRing])
        #expect(found.first?.remedy.hasPrefix("set preRoll to 33s or less") == true)
        #expect(found.first?.trace.first?.what == "back: 16 Mbit/s × 60 s = 120 MB")
    }
}
