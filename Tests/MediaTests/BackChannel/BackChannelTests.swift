import Foundation
import Machines
import Testing

@testable import Media

@Suite("The back channel to a camera's loudspeaker", .serialized)
struct BackChannelTests {
    /// Talks to the camera in real time; what it heard, and how it ended.
    private func talk(
        _ rig: LoudspeakerRig, _ packets: [SpokenPacket], credential: CameraCredential? = nil
    ) throws -> (format: String?, end: InputEnd?, counts: BackChannel.Counts?) {
        let events = BackChannelEvents()
        let channel = BackChannel(
            name: "test", source: .rtsp(rig.address, credential: credential), tell: events.take)
        channel.start()
        guard events.wait({ $0.format != nil || $0.end != nil }), events.end == nil else {
            return (nil, events.end?.end, events.end?.counts)
        }
        let begin = BootClock.nowMs()
        for (index, packet) in packets.enumerated() {
            let waitMs = begin + Int64(index) * 20 - BootClock.nowMs()
            if waitMs > 0 { usleep(useconds_t(waitMs * 1_000)) }
            channel.take(packet)
        }
        usleep(300_000)
        channel.stop()
        #expect(events.wait { $0.end != nil })
        return (events.format, events.end?.end, events.end?.counts)
    }

    /// What the camera heard is the tone, in real time and without a hole.
    private func expectTone(_ heard: LoudspeakerRig.Told.Talk?, seconds: Double, _ payloadType: Int) throws {
        let heard = try #require(heard)
        #expect(heard.payloadType == payloadType)
        #expect(heard.wrong == [])
        #expect((435...445).contains(heard.tone), "\(heard)")
        #expect(abs(heard.spoken - seconds) < 0.05 * seconds, "\(heard)")
        // From the first packet of silence to the last: as long as it took.
        let paced = Double(heard.packets - 1) * (payloadType == 97 ? 0.064 : 0.02)
        #expect(abs(heard.seconds - paced) < 0.03 * paced, "\(heard)")
    }

    @Test("a tone in Opus arrives in G.711 and in real time")
    func opusToG711() throws {
        let rig = try LoudspeakerRig("--format", "pcmu")
        defer { rig.stop() }
        let (format, end, counts) = try talk(rig, SpokenTone.opus(seconds: 3))
        #expect(format == "PCMU/8000" && end == .stopped)
        #expect((counts?.played ?? 0) >= 145 && counts?.refused == 0 && counts?.dropped == 0)
        let told = try rig.told(when: { $0.asked.last == "TEARDOWN" })
        #expect(told.complaints == [])
        #expect(told.asked.last == "TEARDOWN" && told.connections == 1)
        try expectTone(told.talks.first, seconds: 3, 0)
    }

    @Test("G.711 is chosen before AAC, and stereo becomes one channel")
    func prefersG711() throws {
        let rig = try LoudspeakerRig("--format", "both")
        defer { rig.stop() }
        #expect(try talk(rig, SpokenTone.opus(seconds: 2, channels: 2)).format == "PCMA/8000")
        try expectTone(try rig.told().talks.first, seconds: 2, 8)
    }

    @Test("AAC is sent where the camera takes nothing else")
    func aac() throws {
        let rig = try LoudspeakerRig("--format", "aac")
        defer { rig.stop() }
        #expect(try talk(rig, SpokenTone.opus(seconds: 3)).format == "AAC/16000")
        try expectTone(try rig.told().talks.first, seconds: 3, 97)
    }

    @Test("GStreamer's ONVIF server takes the sound, and keeps the session alive")
    func gstreamer() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("vigil-\(UUID().uuidString).raw")
        defer { try? FileManager.default.removeItem(at: file) }
        let rig = try LoudspeakerRig(file.path, program: "onvif_speaker.py")
        defer { rig.stop() }
        let (format, end, _) = try talk(rig, SpokenTone.opus(seconds: 3))
        #expect(format == "PCMA/8000" && end == .stopped)
        let samples = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        // Packets that come too late on a busy machine are left out; what is heard is the tone all the same, 440 times a second.
        let rises = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
        let periods = zip(rises, rises.dropFirst()).map { $1 - $0 }
        let right = periods.count { (18...19).contains($0) }
        #expect(
            right >= 440 && right * 10 >= periods.count * 9,
            "\(samples.count) samples, \(right) of \(periods.count) periods")
    }

    @Test("a camera that asks for a login gets one, and a wrong one is refused without the password")
    func login() throws {
        let rig = try LoudspeakerRig("--login")
        defer { rig.stop() }
        let right = CameraCredential(user: "admin", password: "s3cret")
        #expect(try talk(rig, SpokenTone.g711(.pcmu, seconds: 1), credential: right).end == .stopped)
        let wrong = CameraCredential(user: "admin", password: "other")
        let end = try talk(rig, [], credential: wrong).end
        #expect(end == .failed(.unauthorized, detail: "the camera refuses the login"))
    }

    @Test(
        "a camera without a back channel, or with one in no format that is made, is refused with the reason",
        arguments: [
            ("none", "the camera offers no back channel: no sound in its description is sendonly"),
            ("unknown", "the camera offers no back channel: it does not know ONVIF's"),
            ("opus", "the camera's loudspeaker takes only OPUS/48000, and none of these is made"),
        ])
    func refused(format: String, why: String) throws {
        let rig = try LoudspeakerRig("--format", format)
        defer { rig.stop() }
        #expect(try talk(rig, []).end == .failed(.unsupported, detail: why))
        #expect(try rig.told().complaints == [])
    }

    @Test("who only looks sets nothing up")
    func looks() throws {
        let rig = try LoudspeakerRig("--format", "pcma")
        defer { rig.stop() }
        let events = BackChannelEvents()
        BackChannel(name: "test", source: .rtsp(rig.address), looks: true, tell: events.take).start()
        #expect(events.wait { $0.end != nil })
        #expect(events.format == "PCMA/8000" && events.end?.end == .stopped)
        #expect(try rig.told().asked == ["OPTIONS", "DESCRIBE"])
    }

    @Test("a camera that ends the connection ends the back channel, and a file has none")
    func ends() throws {
        let rig = try LoudspeakerRig("--leaves", "0.5")
        defer { rig.stop() }
        let events = BackChannelEvents()
        let channel = BackChannel(name: "test", source: .rtsp(rig.address), tell: events.take)
        channel.start()
        #expect(events.wait { $0.end != nil })
        guard case .failed(.closed, _)? = events.end?.end else {
            Issue.record("\(events.all)")
            return
        }
        let other = BackChannelEvents()
        BackChannel(name: "test", source: .file(path: "/nowhere"), tell: other.take).start()
        #expect(other.wait { $0.end != nil })
        guard case .failed(.unsupported, _)? = other.end?.end else {
            Issue.record("\(other.all)")
            return
        }
    }

    @Test("a stop while the camera does not answer ends it at once")
    func stopsWhileDialling() throws {
        let camera = try ScriptedCamera { _, _ in nil }
        defer { camera.stop() }
        let events = BackChannelEvents()
        let channel = BackChannel(
            name: "test", source: .rtsp(try RTSPAddress("rtsp://127.0.0.1:\(camera.port)/live")), tell: events.take)
        channel.start()
        let deadline = BootClock.nowMs() + 60_000
        while camera.requests.isEmpty, BootClock.nowMs() < deadline { usleep(5_000) }
        let stopped = BootClock.nowMs()
        channel.stop()
        #expect(events.wait { $0.end != nil } && events.end?.end == .stopped)
        // By itself the dial would go on for seconds more.
        #expect(BootClock.nowMs() - stopped < BackChannel.dialMs / 4)
    }
}
