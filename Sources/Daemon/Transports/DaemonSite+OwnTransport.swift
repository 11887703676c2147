internal import Foundation
internal import Journal
internal import Machines
internal import Policies
internal import Server

/// The camera's own recording as its first transport: the recording toggle is its status, the policy its options.
extension DaemonSite {
    /// The policy as it is, without what other transports want.
    private func policy(of runtime: CameraRuntime) -> Policy {
        let assignment = runtime.assignment
        return assignment.policy.policy(
            atUnixMs: clock.wallMs(), in: TimeZone(identifier: configuration.current.timeZone) ?? .current,
            zones: assignment.camera.zones.map(\.name), settings: assignment.settings)
    }

    func own(_ runtime: CameraRuntime) -> TransportInfo {
        let (policy, machine) = (policy(of: runtime), runtime.actor.view.machine)
        let facts = Self.facts(runtime)
        let keyFrameMs = max(facts.keyFrameMs ?? 4_000, 1)
        let segmentMs = (499 + keyFrameMs) / keyFrameMs * keyFrameMs
        let options = TransportOptions(
            streamUsage: "recording", videoStreams: [TransportStream(name: "video", id: 0)],
            audioStreams: facts.hasSound && runtime.assignment.settings.recordedSound ?? true
                ? [TransportStream(name: "audio", id: 0)] : nil,
            triggerOptions: Self.trigger(policy, facts.zones), ingestMethod: "cmafIngest",
            containerOptions: TransportContainerOptions(
                containerType: "cmaf",
                cmafContainerOptions: TransportContainerOptions.CMAF(
                    cmafInterface: "interface1", segmentDuration: segmentMs, chunkDuration: 0)))
        let isActive = machine.intent.enabled && policy.mode != .off
        let records = policy.mode == .continuous || machine.trigger.active != nil
        return TransportInfo(
            camera: runtime.name, connectionID: TransportInfo.own,
            transportStatus: (isActive ? PushTransport.Status.active : .inactive).rawValue, transportOptions: options,
            recording: machine.intent.recordingWanted && isActive && records, expires: nil)
    }

    private static func trigger(_ policy: Policy, _ zones: [String]) -> TransportTriggerOptions {
        if policy.mode == .continuous { return TransportTriggerOptions(triggerType: "continuous") }
        let control = policy.timeControl
        let named = policy.zones.map { filter in
            zones.prefix(ZoneMap.zoneLimit).enumerated().filter { filter.inside & 1 << UInt32($0.offset) != 0 }
                .map { TransportZone(zone: $0.element) } + (filter.outside ? [TransportZone(zone: nil)] : [])
        }
        return TransportTriggerOptions(
            triggerType: "motion", motionZones: named, motionSensitivity: policy.sensitivity.rawValue,
            motionTimeControl: TransportTimeControl(
                initialDuration: control.initialMs / 1_000, augmentationDuration: control.augmentationMs / 1_000,
                maxDuration: control.maxMs / 1_000, blindDuration: control.blindMs / 1_000),
            maxPreRollLen: policy.preRollMs)
    }

    /// What can be set for a camera is set: sensitivity and max event length. All else is the policy's.
    func modifyOwn(
        _ runtime: CameraRuntime, _ options: TransportOptions, by caller: Caller
    ) async throws -> TransportInfo {
        let before = own(runtime).transportOptions
        let wanted = options.merged(over: before)
        var fits = before
        fits.triggerOptions?.motionSensitivity = wanted.triggerOptions?.motionSensitivity
        fits.triggerOptions?.motionTimeControl?.maxDuration = wanted.triggerOptions?.motionTimeControl?.maxDuration
        guard wanted == fits else {
            throw Self.refuse(
                .unprocessable, "DYNAMIC_CONSTRAINT_ERROR", runtime.name,
                "of the camera's own recording motionSensitivity and maxDuration are set here, and nothing else",
                "change its policy: vigil policy show \(runtime.assignment.policy.name)")
        }
        var command = SettingsCommand()
        if let sensitivity = options.triggerOptions?.motionSensitivity { command.sensitivity = "\(sensitivity)" }
        if let seconds = options.triggerOptions?.motionTimeControl?.maxDuration {
            command.maxEventLength = "\(seconds)s"
        }
        if command != SettingsCommand() {
            do { _ = try await set(camera: runtime.name, command, by: caller) } catch var error as SiteError {
                if error.kind == .invalid { error.matter = "CONSTRAINT_ERROR" }
                throw error
            }
        }
        return own(runtime)
    }

    /// `isAlone`: nothing else was asked for, so a status that cannot hold is refused.
    func setOwn(
        _ runtime: CameraRuntime, _ status: PushTransport.Status, isAlone: Bool, by caller: Caller
    ) async throws {
        if status == .active {
            let isOff = isAlone && policy(of: runtime).mode == .off
            if runtime.actor.view.machine.intent.blocked || isOff { throw Self.refusal(.blocked, runtime.name) }
        }
        _ = try await setEnabled(camera: runtime.name, enabled: status == .active, by: caller)
    }

    func triggerOwn(_ runtime: CameraRuntime, _ control: TimeControl?, by caller: Caller) async throws {
        let info = own(runtime)
        if runtime.actor.view.machine.intent.blocked { throw Self.refusal(.blocked, runtime.name) }
        if info.transportStatus != PushTransport.Status.active.rawValue { throw Self.refusal(.inactive, runtime.name) }
        if info.transportOptions.triggerOptions?.triggerType == "continuous" {
            throw Self.refusal(.continuous, runtime.name)
        }
        _ = try await record(camera: runtime.name, forMs: control?.initialMs, by: caller)
    }
}
