internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Policies
internal import Server

extension CameraSettings {
    /// What holds of a camera whose settings cannot be read, until somebody sets them: nothing is recorded, and nothing heard.
    static let resting: CameraSettings = {
        var settings = CameraSettings()
        try? settings.set(.mode, Mode.off.rawValue)
        try? settings.set(.microphone, "off")
        return settings
    }()

    /// What is set, as policies write it, by key; nil where nothing is.
    var texts: [String: String]? {
        let texts = Key.allCases.compactMap { key in self[key].map { (key.rawValue, $0) } }
        return texts.isEmpty ? nil : Dictionary(texts) { _, new in new }
    }
}

/// What is set for single cameras over their policies and vigil.yaml (docs/design/settings.md).
extension DaemonSite {
    func settings(camera: String) async throws -> CameraSettingsInfo {
        let runtime = try known(camera)
        // Of one moment: who set what holds.
        let (kept, assignment) = try await Blocking.run { [catalog] in
            try runtime.keepSettings { (try catalog.settings(of: camera), runtime.assignment) }
        }
        let said = await devices.said(camera)
        let device = said?.settings ?? DeviceSettings()
        let plain = values(assignment, CameraSettings(), device)
        let held = values(assignment, assignment.settings, device)
        return CameraSettingsInfo(
            camera: camera, policy: assignment.policy.name,
            settings: CameraSettings.Key.allCases.compactMap { key in
                guard let value = held[key] else { return nil }
                let setting = kept.first { $0.key == key.rawValue && assignment.settings[key] != nil }
                return CameraSettingsInfo.Line(
                    key: key.rawValue, value: value, standard: plain[key] ?? "",
                    since: setting.map { WallTime(ms: $0.sinceWallMs) }, by: setting?.by,
                    reported: device.agrees(with: value, of: key) ? nil : device[key])
            },
            device: said.map { said in
                CameraSettingsInfo.Device(answered: said.wallMs.map { WallTime(ms: $0) }, problem: said.problem)
            })
    }

    func set(camera: String, _ command: SettingsCommand, by caller: Caller) async throws -> CameraSettingsInfo {
        let runtime = try known(camera)
        let changes = try Self.read(command, camera)
        let own = changes.compactMap { key, value in key.isOfDevice ? value.map { (key: key, value: $0) } : nil }
        let reply: FactReply?
        if own.isEmpty {
            let said = await devices.said(camera)?.settings ?? DeviceSettings()
            reply = try await Blocking.run { [self] in try put(changes, runtime, said, by: caller) }
        } else {
            reply = try await setAtCamera(own, runtime) { [self] said in
                try await Blocking.run { try put(changes, runtime, said, by: caller) }
            }
        }
        if let reply {
            _ = try taken(await reply.answer(withinMs: CameraInbox.answerMs), camera)
        }
        return try await settings(camera: camera)
    }

    /// What a command changes, each value as policies write it.
    private static func read(
        _ command: SettingsCommand, _ camera: String
    ) throws -> [(key: CameraSettings.Key, value: String?)] {
        var settings = CameraSettings()
        return try command.values.map { name, text in
            guard let key = CameraSettings.Key(rawValue: name) else {
                throw SiteError(
                    .conflict, what: "\(name) of camera \(camera) cannot be set", why: "ONVIF has no operation for it",
                    remedy: "set it on the camera's own page")
            }
            do { try settings.set(key, text == SettingsCommand.standard ? nil : text) } catch let unfit
                as CameraSettings.Unfit
            {
                throw SiteError(
                    .invalid, what: "the setting of camera \(camera)", why: unfit.what,
                    remedy: unfit.remedy + ", or \(SettingsCommand.standard)")
            }
            return (key, settings[key])
        }
    }

    /// Writes changes down and puts them in force; nil where all of it holds already. Blocking.
    private func put(
        _ wanted: [(key: CameraSettings.Key, value: String?)], _ runtime: CameraRuntime, _ said: DeviceSettings,
        by caller: Caller
    ) throws -> FactReply? {
        try runtime.keepSettings {
            let before = runtime.assignment
            let changes = wanted.filter { before.settings[$0.key] != $0.value }
            guard !changes.isEmpty else { return nil }
            var settings = before.settings
            // They were read before.
            for change in changes { try? settings.set(change.key, change.value) }
            let wall = clock.wallMs()
            do {
                try catalog.set(
                    changes.map { change in
                        CameraSetting(
                            camera: runtime.name, key: change.key.rawValue, value: change.value, sinceWallMs: wall,
                            by: "\(caller)")
                    })
            } catch {
                throw SiteError(
                    .unavailable, what: "the setting of camera \(runtime.name)", why: "it cannot be kept: \(error)",
                    remedy: "nothing was changed; look at the storage")
            }
            let zone = TimeZone(identifier: configuration.current.timeZone) ?? .current
            let reply = runtime.set(settings, by: "\(caller)", wallMs: wall, now: clock.now(), zone: zone)
            let (old, new) = (values(before, before.settings, said), values(before, settings, said))
            for change in changes {
                func words(_ value: String?, _ isSet: Bool) -> String { (value ?? "") + (isSet ? "" : " by default") }
                journal.send(
                    .settingChanged, camera: runtime.name,
                    fields: [
                        (.setting, change.key.rawValue),
                        (.from, words(old[change.key], before.settings[change.key] != nil)),
                        (.to, words(new[change.key], change.value != nil)), (.user, "\(caller)"),
                    ])
            }
            return reply
        }
    }

    /// What holds at this moment with these settings, as policies write it. Of the camera's own what it says, where nothing is set.
    private func values(
        _ assignment: CameraRuntime.Assignment, _ settings: CameraSettings, _ said: DeviceSettings
    ) -> [CameraSettings.Key: String] {
        let policy = assignment.policy.policy(
            atUnixMs: clock.wallMs(), in: TimeZone(identifier: configuration.current.timeZone) ?? .current,
            settings: settings)
        var values: [CameraSettings.Key: String] = [
            .mode: policy.mode.rawValue, .sensitivity: "\(policy.sensitivity.rawValue)",
            .maxEventLength: DurationText.text(milliseconds: policy.timeControl.maxMs),
            .microphone: settings[.microphone] ?? "on", .recordedSound: settings[.recordedSound] ?? "on",
            .rotation: settings[.rotation] ?? "\(assignment.camera.rotation.rawValue)",
            .viewport: settings[.viewport] ?? "\(CameraSettings.Viewport.whole)",
        ]
        for key in CameraSettings.Key.allCases where key.isOfDevice { values[key] = settings[key] ?? said[key] }
        return values
    }
}
