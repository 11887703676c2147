import Foundation
import KitExamples
import Testing
import VigilKit

@Suite("A camera as apps of Google Home use one, at the running daemon", .serialized, .timeLimit(.minutes(10)))
struct KitHomeTests {
    /// Beside the cameras of the demo `gate`, which has a loudspeaker, and a device of ONVIF that is set. Nothing moves there.
    private func with(without services: [String] = [], _ body: (KitSite) async throws -> Void) async throws {
        let camera = try TalkingCamera()
        defer { camera.end() }
        let device = try ONVIFDevice(of: camera.url, without: services)
        defer { device.end() }
        let line = "  gate: { main: \"\(camera.url)\", onvif: \"\(device.url)\", policy: all, detection: 'off' }"
        try await KitSite.with(cameras: line) { site in
            try await site.daemon.wait(camera: "gate", coverage: "recorded")
            try await body(site)
        }
    }

    // MARK: Live view

    /// What came of a live view in which somebody wants to talk.
    private struct Looked {
        let answer: String
        let seconds: Double?
        /// The session in the list of all.
        let listed: SessionInfo?
        let extendedSeconds: Double?
        /// The session when it was extended, and when its viewer wanted to talk.
        let extended: SessionInfo
        /// Why the viewer cannot talk, by the example and with the step.
        let refused: String?
        let refusedStep: String?
        let talking: SessionInfo
        /// The session when its viewer was done with it, why it ended, and what is said of it then.
        let quiet: SessionInfo
        let ending: Session.Ending?
        let after: SessionInfo
    }

    /// Looks with the offer of aiortc, whose sound is `sendrecv`. Throws `ended` where the session is over before it is stopped.
    private func look(_ vigil: Vigil, _ camera: String) async throws -> Looked {
        let file = URL(fileURLWithPath: Rig.folder).deletingLastPathComponent()
            .appendingPathComponent("webrtc/offers/aiortc.sdp")
        let offer = try String(contentsOf: file, encoding: .utf8)
        let (answer, session, seconds) = try await startLiveView(vigil, camera: camera, offer: offer)
        let listed = try await vigil.sessions().first { $0.session == session }
        // So that the end is later by more than the clocks are apart.
        try await Task.sleep(for: .milliseconds(200))
        let extendedSeconds = try await extendLiveView(vigil, session: session)
        let extended = try await vigil.sessionInfo(session)
        let refused = try await setTalkback(vigil, session: session, on: true)
        var refusedStep: String?
        if refused != nil { refusedStep = try await KitSite.refusal { try await vigil.talk(session: session, true) } }
        let talking = try await vigil.extend(session: session)
        if refused == nil { _ = try await setTalkback(vigil, session: session, on: false) }
        let quiet = try await vigil.extend(session: session)
        let ending = try await stopLiveView(vigil, session: session)
        return Looked(
            answer: answer, seconds: seconds, listed: listed, extendedSeconds: extendedSeconds, extended: extended,
            refused: refused, refusedStep: refusedStep, talking: talking, quiet: quiet, ending: ending,
            after: try await vigil.sessionInfo(session))
    }

    /// The same, anew where the session was over: nobody connects by this offer, so each ends after 15 s, and a busy machine may need
    /// longer.
    private func lookInTime(_ vigil: Vigil, _ camera: String) async throws -> Looked {
        for _ in 0..<5 {
            do { return try await look(vigil, camera) } catch let error as VigilError where error.reason == "ended" {}
        }
        return try await look(vigil, camera)
    }

    @Test(
        "An offer is answered with a session and its time, which is extended and stopped; its viewer talks where the camera has a loudspeaker, and is told where it has none"
    )
    func liveView() async throws {
        try await with { site in
            let gate = try await lookInTime(site.vigil, "gate")
            let front = try await lookInTime(site.vigil, "front")
            for (camera, seen) in [("gate", gate), ("front", front)] {
                #expect(seen.answer.hasPrefix("v=0\r\n") && seen.answer.contains("H264/90000"), "\(seen.answer)")
                // Five minutes, but for the time that it takes.
                #expect((200...300).contains(seen.seconds ?? 0), "\(String(describing: seen.seconds))")
                #expect((200...300).contains(seen.extendedSeconds ?? 0), "\(String(describing: seen.extendedSeconds))")
                let listed = try #require(seen.listed)
                #expect(listed.camera == camera && listed.phase == "previewing" && !listed.talk, "\(listed)")
                let (before, after) = (try #require(listed.expires), try #require(seen.extended.expires))
                #expect(after.ms >= before.ms + 100, "\(listed)\n\(seen.extended)")
                #expect(seen.quiet.phase == "previewing" && !seen.quiet.talk, "\(seen.quiet)")
                #expect(seen.ending == .closed && seen.after.phase == "ended", "\(seen.after)")
            }
            #expect(gate.refused == nil && gate.talking.talk, "\(gate.talking)")
            #expect(front.refused == "unsupported" && front.refusedStep == "talk unsupported")
            #expect(front.talking.phase == "previewing" && !front.talking.talk, "\(front.talking)")
            #expect(try await site.vigil.sessions().allSatisfy { $0.phase == "ended" })
        }
    }

    // MARK: Settings

    @Test(
        "Every setting is read back as it was set, also by the camera itself, and left to policy and camera again; what a camera has not is refused by name"
    )
    func settings() async throws {
        // Nobody subscribes to its events: it is asked because it is started.
        try await with(without: ["tev"]) { site in
            let vigil = site.vigil
            try await site.until("answered") {
                let device = try await vigil.settings(camera: "gate").device
                return device?.answered == nil ? device?.problem ?? "not asked yet" : "answered"
            }
            let before = try await currentSettings(vigil, camera: "gate")
            #expect(before["speakerVolume"] == "50", "\(before)")
            let part = Viewport(x1: 0.25, y1: 0.25, x2: 0.75, y2: 0.75)
            _ = try await setSound(vigil, camera: "gate", microphone: false, recorded: false, volume: 80)
            _ = try await setPicture(vigil, camera: "gate", isTurned: true, part: part, nightVision: "on")
            _ = try await setEvents(vigil, camera: "gate", sensitivity: 10, longestSeconds: 30)
            let all = try await currentSettings(vigil, camera: "gate")
            // Apps of Google Home know nothing of these; the camera keeps its own.
            let levels = ["brightness", "contrast", "saturation", "sharpness"]
            #expect(levels.allSatisfy { all[$0] == "50" && before[$0] == "50" }, "\(all)")
            let set = all.filter { !levels.contains($0.key) }
            #expect(
                set == [
                    "mode": "event", "sensitivity": "10", "maxEventLength": "30s", "microphone": "off",
                    "recordedSound": "off", "rotation": "180", "viewport": "0.25,0.25,0.75,0.75",
                    "nightVision": "on", "speakerVolume": "80",
                ])
            #expect(before.count == all.count && set.allSatisfy { before[$0.key] != $0.value }, "\(before)")
            // The camera itself says the same.
            let told = try await vigil.settings(camera: "gate")
            #expect(
                told.settings.allSatisfy {
                    $0.reported == nil && ($0.since != nil) == !levels.contains($0.key)
                        && ($0.by == nil) == ($0.since == nil)
                }, "\(told)")
            #expect(told.device?.answered != nil && told.device?.problem == nil, "\(told)")
            #expect(try await vigil.capabilities(camera: "gate").viewport == part)

            let left = try await leaveSettings(vigil, camera: "gate")
            #expect(left.settings.allSatisfy { $0.since == nil })
            var wanted = before
            wanted["nightVision"] = "on"
            wanted["speakerVolume"] = "80"
            #expect(try await currentSettings(vigil, camera: "gate") == wanted)

            let light = try await setStatusLight(vigil, camera: "gate", to: "low")
            #expect(light?.contains("ONVIF has no operation for it") == true, "\(String(describing: light))")
            // Without a device of ONVIF nothing of such a command is set.
            let without = try await currentSettings(vigil, camera: "front")
            await #expect {
                _ = try await setSound(vigil, camera: "front", microphone: false, recorded: false, volume: 80)
            } throws: { error in
                guard case VigilError.refused(let refusal) = error else { return false }
                return refusal.kind == .conflict && refusal.what.contains("speakerVolume")
            }
            #expect(try await currentSettings(vigil, camera: "front") == without)
            #expect(without["microphone"] == "on" && without["speakerVolume"] == nil)
        }
    }

    // MARK: Transports

    @Test(
        "A transport for movement is found and changed in what is named alone, records when it is triggered by hand, and is gone when it is taken away"
    )
    func transports() async throws {
        try await with { site in
            let vigil = site.vigil
            try await site.until("known") {
                try await vigil.transportCapabilities(camera: "gate").keyFrameInterval.map { _ in "known" }
            }
            #expect(
                try await changeMotionTransport(vigil, camera: "gate", sensitivity: 5, longestSeconds: nil) == nil)
            let made = try #require(
                try await addMotionTransport(vigil, camera: "gate", sensitivity: 10, longestSeconds: 60))
            let number = made.connectionID
            #expect(number != TransportInfo.own && made.transportStatus == "active" && !made.recording)
            var wanted = made.transportOptions
            wanted.triggerOptions?.motionSensitivity = 5
            let sensitive = try await changeMotionTransport(
                vigil, camera: "gate", sensitivity: 5, longestSeconds: nil)
            #expect(sensitive?.connectionID == number && sensitive?.transportOptions == wanted)
            wanted.triggerOptions?.motionTimeControl?.maxDuration = 30
            let shorter = try await changeMotionTransport(
                vigil, camera: "gate", sensitivity: nil, longestSeconds: 30)
            #expect(shorter?.transportOptions == wanted && made.transportOptions != wanted)
            #expect(try await vigil.transport(camera: "gate", number: number).transportOptions == wanted)

            #expect(try await recordNow(vigil, camera: "gate", number: number, seconds: 600))
            let recordings = try await vigil.transportRecordings(camera: "gate", number: number)
            #expect(recordings.map(\.activationReason) == ["userInitiated"] && recordings.first?.ended == nil)
            let off = try await vigil.setTransports(camera: "gate", number: number, active: false)
            #expect(off.map(\.transportStatus) == ["inactive"] && off.map(\.recording) == [false])
            let ended = try await vigil.transportRecordings(camera: "gate", number: number)
            #expect(ended.map(\.id) == recordings.map(\.id) && ended.first?.ended != nil)
            let refused = await #expect(throws: VigilError.self) {
                try await recordNow(vigil, camera: "gate", number: number, seconds: 600)
            }
            let refusal: SiteError? = if case .refused(let refusal) = refused { refusal } else { nil }
            #expect(refusal?.matter == "InvalidTransportStatus", "\(String(describing: refused))")
            // One that is active is switched off and on with all that records the camera.
            _ = try await vigil.setTransports(camera: "gate", number: number, active: true)
            try await toggleRecording(vigil, camera: "gate")
            #expect(try await vigil.transports(camera: "gate").allSatisfy { $0.transportStatus == "inactive" })
            try await toggleRecording(vigil, camera: "gate")
            #expect(try await vigil.transport(camera: "gate", number: number).transportStatus == "active")

            #expect(try await vigil.deallocateTransport(camera: "gate", number: number).connectionID == number)
            #expect(try await vigil.transports(camera: "gate").map(\.connectionID) == [TransportInfo.own])
            #expect(
                try await changeMotionTransport(vigil, camera: "gate", sensitivity: 5, longestSeconds: nil) == nil)
        }
    }
}
