import Foundation
import Machines
import Testing

@testable import Policies

@Suite("What is set for one camera over its policy")
struct CameraSettingsTests {
    private static let busy = """
        name: busy
        recording: { mode: continuous, sensitivity: 1, initial: 20s, maxEventLength: 120s }
        schedule:
          - { days: daily, from: "08:00", to: "18:00", mode: event, sensitivity: 5, maxEventLength: 30s }
          - { days: daily, from: "22:00", to: "06:00", mode: off, preRoll: 9s }
        """

    private func policy() throws -> PolicyDocument {
        try ConfigurationLoader.policy(text: Self.busy, file: "busy.yaml").policy
    }

    private func settings(_ values: [CameraSettings.Key: String]) throws -> CameraSettings {
        var settings = CameraSettings()
        for (key, value) in values { try settings.set(key, value) }
        return settings
    }

    @Test("Each key takes what a policy takes, gives it back, and nothing else")
    func values() throws {
        let good: [CameraSettings.Key: [String]] = [
            .mode: ["off", "event", "continuous"], .sensitivity: ["1", "5", "10"],
            .maxEventLength: ["10s", "1m", "1m30s", "3m"], .microphone: ["on", "off"],
            .recordedSound: ["on", "off"], .rotation: ["0", "180"], .nightVision: ["auto", "on", "off"],
            .speakerVolume: ["0", "1", "10", "100", "2"],
        ]
        for key in CameraSettings.Key.allCases {
            for value in try #require(good[key]) {
                var settings = CameraSettings()
                try settings.set(key, value)
                #expect(settings[key] == value)
                for other in CameraSettings.Key.allCases where other != key { #expect(settings[other] == nil) }
                try settings.set(key, nil)
                #expect(settings == CameraSettings())
            }
            for bad in [
                "", "default", "-1", "9s", "181s", "4m", "010", "Off", "270", "on ", "yes", "101", "+5", "1.5", "\u{0}",
                "1d", "99999999999w",
            ] {
                var settings = CameraSettings()
                #expect(throws: CameraSettings.Unfit.self, "\(key) \(bad)") { try settings.set(key, bad) }
                #expect(settings == CameraSettings())
            }
        }
        var long = CameraSettings()
        try long.set(.maxEventLength, "60s")
        #expect(long[.maxEventLength] == "1m")
    }

    @Test("What is set holds at each minute of the week; all else is the policy's, with its schedule")
    func holds() throws {
        let (policy, gmt) = (try policy(), try #require(TimeZone(identifier: "UTC")))
        for values in [
            [.mode: "event"], [.sensitivity: "10"], [.maxEventLength: "10s"], [.maxEventLength: "3m", .mode: "off"],
            [.recordedSound: "off", .rotation: "180", .microphone: "off"], [:],
            [.nightVision: "on", .speakerVolume: "5"],
        ] as [[CameraSettings.Key: String]] {
            let settings = try settings(values)
            for minute in stride(from: Int64(0), to: 10_080, by: 7) {
                let moment = minute * 60_000
                let plain = policy.effective(atUnixMs: moment, in: gmt).policy
                let held = policy.effective(atUnixMs: moment, in: gmt, settings: settings).policy
                #expect(held.mode == values[.mode].flatMap(Mode.init(rawValue:)) ?? plain.mode)
                // Off because somebody said so is not off by the schedule.
                #expect(held.offBySchedule == (values[.mode] == nil && plain.offBySchedule))
                #expect("\(held.sensitivity.rawValue)" == values[.sensitivity] ?? "\(plain.sensitivity.rawValue)")
                let length = values[.maxEventLength].flatMap(DurationText.milliseconds) ?? plain.timeControl.maxMs
                #expect(held.timeControl.maxMs == length)
                #expect(held.timeControl.initialMs == min(20_000, values[.maxEventLength] == nil ? 20_000 : length))
                #expect(held.preRollMs == plain.preRollMs && held.zones == plain.zones)
                #expect(held.timeControl.blindMs == plain.timeControl.blindMs)
            }
        }
    }

    @Test("The next change of the schedule is the next that changes something beside what is set")
    func until() throws {
        let (policy, gmt) = (try policy(), try #require(TimeZone(identifier: "UTC")))
        // Thursday, 1 January 1970, 12:00.
        let noon: Int64 = 12 * 3_600_000
        func hour(_ settings: CameraSettings) -> Int64? {
            policy.effective(atUnixMs: noon, in: gmt, settings: settings).untilUnixMs.map { $0 / 3_600_000 }
        }
        #expect(hour(CameraSettings()) == 18)
        // With these three the entry of the day changes nothing.
        let all: [CameraSettings.Key: String] = [.mode: "event", .sensitivity: "5", .maxEventLength: "30s"]
        #expect(try hour(settings(all)) == 22)
        #expect(try hour(settings([.mode: "event"])) == 18)
    }
}
