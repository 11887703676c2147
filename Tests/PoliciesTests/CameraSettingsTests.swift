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
            .speakerVolume: ["0", "1", "10", "100", "2"], .brightness: ["0", "50", "100"],
            .contrast: ["0", "50", "100"], .saturation: ["0", "50", "100"], .sharpness: ["0", "50", "100"],
            .viewport: ["0,0,1,1", "0.1,0.1,0.9,0.9", "0,0.9,0.1,1", "0.1234,0.05,0.6235,0.56"],
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

    @Test("A viewport is a part of the picture in the picture's own form; what is none is refused with its reason")
    func viewports() throws {
        let bad: [(String, String)] = [
            ("0.1,0.1,0.9", "give x1,y1"), ("0.1,0.1,0.9,0.9,1", "give x1,y1"), ("0.1,0.1,0.9,1.1", "give x1,y1"),
            ("-0.1,0,0.9,1", "give x1,y1"), ("0.10001,0,1,1", "give x1,y1"), ("a,b,c,d", "give x1,y1"),
            (".1,.1,.9,.9", "give x1,y1"), ("0,0,1e0,1", "give x1,y1"), ("0,0,2,2", "give x1,y1"),
            ("0, 0, 1, 1", "give x1,y1"), (String(repeating: "0", count: 4_000), "give x1,y1"),
            ("0,0,１,1", "give x1,y1"), ("0,0,nan,inf", "give x1,y1"),
            ("0.9,0.1,0.1,0.9", "corners are exchanged"), ("0.1,0.5,0.9,0.5", "corners are exchanged"),
            ("0.1,0.1,0.19,0.19", "too small"), ("0,0,1,0.0999", "too small"),
            ("0.1,0.1,0.9,0.8", "another form"), ("0,0,0.5,0.5101", "another form"),
        ]
        for (text, why) in bad {
            var settings = CameraSettings()
            do {
                try settings.set(.viewport, text)
                Issue.record("\(text) was taken")
            } catch {
                #expect("\(error.what); \(error.remedy)".contains(why), "\(text): \(error)")
            }
            #expect(settings == CameraSettings())
        }
        // Whoever counts pixels can name it: 193 of 1920 and 109 of 1080.
        for (text, kept) in [
            ("0.1005,0.1009,0.9,0.9", "0.1005,0.1009,0.9,0.9"), ("0.10,0.1000,0.90,0.9", "0.1,0.1,0.9,0.9"),
        ] {
            var settings = CameraSettings()
            try settings.set(.viewport, text)
            #expect(settings[.viewport] == kept)
            #expect(settings.viewport?.tenThousandths.right == 9_000)
        }
    }

    @Test("What is set holds at each minute of the week; all else is the policy's, with its schedule")
    func holds() throws {
        let (policy, gmt) = (try policy(), try #require(TimeZone(identifier: "UTC")))
        for values in [
            [.mode: "event"], [.sensitivity: "10"], [.maxEventLength: "10s"], [.maxEventLength: "3m", .mode: "off"],
            [.recordedSound: "off", .rotation: "180", .microphone: "off"], [:],
            [.nightVision: "on", .speakerVolume: "5", .brightness: "0", .sharpness: "100"],
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
