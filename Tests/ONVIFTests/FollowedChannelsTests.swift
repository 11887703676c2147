import Testing

@testable import ONVIF

@Suite("Channels of a device that is followed")
struct FollowedChannelsTests {
    private let error = ONVIFError(.unsupported, "GetProfiles", of: "cam", "no such stream", remedy: "none")
    private let late = ONVIFError(.unreachable, "GetStreamUri", of: "cam", "late", remedy: "none")

    private func one(_ source: String) -> Result<DeviceChannel, ONVIFError> {
        .success(.one(source, of: DeviceChannels([])))
    }

    /// What a device answers that tells its channels.
    private func told(_ channels: [String: Result<DeviceChannel, ONVIFError>]) -> FollowedChannels.Answer {
        FollowedChannels.Answer(channels: channels, isTold: true)
    }

    private let wanted = ["a": ["rtsp://cam/a"], "b": ["rtsp://cam/b"]]

    @Test("Where all is known nothing is asked again; what is not known is, after pauses that grow to a bound")
    func again() {
        var channels = FollowedChannels()
        channels.begin()
        let all = channels.take(told(["a": one("1"), "b": one("2")]), of: wanted)
        #expect(all.found == ["a", "b"] && channels.known.map(\.camera) == ["a", "b"])
        #expect(channels.againMs == nil)
        channels.begin()
        #expect(channels.againMs == nil && channels.known.isEmpty)
        var pauses: [Int64] = []
        for _ in 0..<12 {
            let changes = channels.take(told(["a": one("1"), "b": .failure(error)]), of: wanted)
            #expect(changes.unknown.map(\.camera) == ["b"])
            pauses.append(channels.againMs ?? 0)
        }
        #expect(pauses.prefix(3) == [1_000, 2_000, 4_000] && pauses.last == DeviceEvents.againMsMax)
        let changes = channels.take(told(["a": one("1"), "b": one("2")]), of: wanted)
        #expect(changes.found == ["b"] && changes.gone == [] && channels.againMs == nil)
    }

    @Test("A device that tells no channels is asked again, and one camera is all of it only until it does")
    func untold() {
        var channels = FollowedChannels()
        channels.begin()
        let alone = ["a": ["rtsp://cam/a"]]
        let first = channels.take(FollowedChannels.Answer(channels: ["a": .success(.only)], isTold: false), of: alone)
        #expect(first.found == ["a"] && channels.againMs == 1_000)
        // What was on at all channels does not hold for the one.
        let second = channels.take(told(["a": one("1")]), of: alone)
        #expect(second.found == [] && second.gone == ["a"] && channels.againMs == nil)
    }

    @Test("What is known is kept where the device answers too late or nothing, and not where it says otherwise")
    func keeps() {
        var channels = FollowedChannels()
        channels.begin()
        _ = channels.take(told(["a": one("1"), "b": .failure(late)]), of: wanted)
        let unanswered = channels.take(told(["a": .failure(late), "b": .failure(late)]), of: wanted)
        #expect(unanswered.gone == [] && channels.known.map(\.camera) == ["a"])
        let refused = channels.take(
            FollowedChannels.Answer(channels: ["a": .failure(error), "b": .failure(error)], isTold: false), of: wanted)
        #expect(refused.gone == [] && channels.known.map(\.camera) == ["a"])
        let changes = channels.take(told(["a": .failure(error), "b": one("2")]), of: wanted)
        #expect(changes.gone == ["a"] && changes.unknown.map(\.camera) == ["a"] && changes.found == ["b"])
    }

    @Test("What was on at a camera whose channel a new subscription does not know is over")
    func gone() {
        var channels = FollowedChannels()
        channels.begin()
        _ = channels.take(told(["a": one("1"), "b": one("2")]), of: wanted)
        channels.begin()
        let changes = channels.take(told(["a": one("1"), "b": .failure(late)]), of: wanted)
        #expect(changes.found == ["a"] && changes.gone == ["b"])
    }

    @Test("Of other cameras those that stay lose nothing, and one with another stream begins anew")
    func changed() {
        var channels = FollowedChannels()
        channels.begin()
        _ = channels.take(told(["a": one("1"), "b": .failure(error)]), of: wanted)
        _ = channels.take(told(["a": one("1"), "b": .failure(error)]), of: wanted)
        #expect(channels.againMs == 2_000)
        let other = ["a": ["rtsp://cam/a"], "b": ["rtsp://cam/c"], "c": ["rtsp://cam/d"]]
        #expect(channels.cameras != other)
        let changes = channels.take(told(["a": one("1"), "b": one("3"), "c": .failure(error)]), of: other)
        #expect(changes.found == ["b"] && changes.gone == [] && channels.againMs == 1_000)
        let moved = channels.take(told(["a": one("4")]), of: ["a": ["rtsp://cam/e"]])
        #expect(moved.found == ["a"] && moved.gone == ["a", "b"] && channels.againMs == nil)
    }

    @Test("A pull waits no longer than until channels are to be asked for again")
    func pull() {
        #expect(DeviceEvents.pull(areOff: true, untilDue: nil) == 20)
        #expect(DeviceEvents.pull(areOff: false, untilDue: nil) == 10)
        #expect(DeviceEvents.pull(areOff: true, untilDue: .milliseconds(500)) == 1)
        #expect(DeviceEvents.pull(areOff: true, untilDue: .seconds(4)) == 4)
        #expect(DeviceEvents.pull(areOff: false, untilDue: .seconds(300)) == 10)
        #expect(DeviceEvents.pull(areOff: true, untilDue: .seconds(-3)) == 1)
    }
}
