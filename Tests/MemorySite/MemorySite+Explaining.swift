internal import Machines
public import Server
internal import Synchronization

extension MemorySite {
    /// Recorded in continuous mode, whatever the moment.
    public func why(camera: String, at moment: WallTime) async throws -> WhyAnswer {
        if let explainer = contents.withLock({ $0.explainer }) { return try explainer.why(camera, moment) }
        try explain("why \(camera) \(moment.rfc3339)", camera)
        return WhyAnswer(
            camera: camera, time: moment, label: "recorded", source: "catalog", rule: nil, from: nil, to: nil, clip: 7,
            event: nil, machineLabel: .recorded, failed: [], suppressed: [],
            remedy: WhyAnswer.Remedy(kind: "none", changes: [], words: "it was recorded"), remarks: [], moment: nil)
    }

    /// The same as what was in force, for each camera.
    public func simulate(_ command: SimulateRequest, in scope: CameraScope) async throws -> [SimulateAnswer] {
        if let explainer = contents.withLock({ $0.explainer }) { return try explainer.simulate(command) }
        try explain("simulate \(command.policy ?? "a text")", command.camera)
        let simulated = SimulatedRecordingAnswer(events: 0, clips: 5, recordedMs: 100_000, bytes: nil, suppressed: [:])
        return try await states(in: scope).map { state in
            SimulateAnswer(
                camera: state.camera, policy: command.policy ?? "draft", revision: "r44", from: command.from,
                to: command.to, inForce: simulated, simulated: simulated, gained: [], lost: [], gainedMs: 0, lostMs: 0,
                notKnown: [])
        }
    }

    /// No rung at all.
    public func ladder(camera: String, from: WallTime, to: WallTime, asEvents: Bool) async throws -> LadderAnswer {
        if let explainer = contents.withLock({ $0.explainer }) {
            return try explainer.ladder(camera, from, to, asEvents)
        }
        try explain("ladder \(camera)\(asEvents ? " as events" : "")", camera)
        return LadderAnswer(camera: camera, from: from, to: to, rungs: [], remarks: [], notKnown: [])
    }

    private func explain(_ what: String, _ camera: String?) throws {
        try contents.withLock { world in
            if let camera, world.cameras[camera] == nil { throw Self.unknown(camera: camera) }
            world.explained.append(what)
        }
    }
}
