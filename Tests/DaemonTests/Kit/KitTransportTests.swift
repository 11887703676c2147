import KitExamples
import Testing
import VigilKit

@Suite("Transports by the library for apps, at the running daemon", .serialized, .timeLimit(.minutes(10)))
struct KitTransportTests {
    @Test("An app sees whether a camera records, switches it, sets how, and adds a transport of its own")
    func flow() async throws {
        try await KitSite.with { site in
            let vigil = site.vigil
            let able = try await vigil.transportCapabilities(camera: "front")
            #expect(able.streamUsages == ["recording"] && able.unsupported.contains { $0.name == "metadata" })
            try await toggleRecording(vigil, camera: "front")
            #expect(try await vigil.isRecording(camera: "front") == false)
            try await toggleRecording(vigil, camera: "front")
            #expect(try await vigil.isRecording(camera: "front"))
            // In continuous mode nothing is sensitive; the policy says that it is no trigger of motion.
            let refused = await #expect(throws: VigilError.self) {
                try await setOwnRecording(vigil, camera: "front", sensitivity: 10, longestSeconds: 30)
            }
            let refusal: SiteError? = if case .refused(let refusal) = refused { refusal } else { nil }
            #expect(refusal?.matter == "DYNAMIC_CONSTRAINT_ERROR")
            var inEvents = SettingsCommand()
            inEvents.mode = "event"
            _ = try await vigil.set(camera: "front", inEvents)
            let own = try await setOwnRecording(vigil, camera: "front", sensitivity: 10, longestSeconds: 30)
            #expect(own.transportOptions.triggerOptions?.motionSensitivity == 10)
            #expect(own.transportOptions.triggerOptions?.motionTimeControl?.maxDuration == 30)

            var options = own.transportOptions
            options.triggerOptions = TransportTriggerOptions(triggerType: "command", maxPreRollLen: 0)
            let added = try #require(try await addTransport(vigil, camera: "front", options))
            #expect(added.transportStatus == "active")
            let number = added.connectionID
            let triggered = try await vigil.triggerTransport(
                camera: "front", number: number,
                TransportTriggerCommand(
                    activationReason: "doorbellPressed",
                    timeControl: TransportTimeControl(initialDuration: 60, maxDuration: 60)))
            #expect(triggered.recording)
            let recording = try #require(try await vigil.transportRecordings(camera: "front", number: number).first)
            #expect(recording.activationReason == "doorbellPressed" && recording.ended == nil)
            _ = try await vigil.deallocateTransport(camera: "front", number: number)
            #expect(try await vigil.transports(camera: "front").map(\.connectionID) == [0])
        }
    }
}
