public import VigilKit

/// Begins a live view by WebRTC with an offer of the app's own library of WebRTC, which takes the answer. Gives the answer, the
/// session, and for how long it is shown.
public func startLiveView(
    _ vigil: Vigil, camera: String, offer: String
) async throws -> (answer: String, session: String, seconds: Double?) {
    let view = try await vigil.answer(camera: camera, offer: offer)
    // Nil where nothing limits it.
    let seconds = view.durationMs.map { Double($0) / 1_000 }
    return (view.answer, view.session, seconds)
}

/// Lets it last its whole time again; gives how long that is from now.
public func extendLiveView(_ vigil: Vigil, session: String) async throws -> Double? {
    let view = try await vigil.extend(session: session)
    return view.leftMs.map { Double($0) / 1_000 }
}

/// Stops it; gives why it ended, which is another reason where it was over already.
public func stopLiveView(_ vigil: Vigil, session: String) async throws -> Session.Ending? {
    let view = try await vigil.close(session: session)
    return view.ended
}

/// Begins or ends talk-back; gives why the viewer cannot talk, in one word, and nil where all is well.
public func setTalkback(_ vigil: Vigil, session: String, on: Bool) async throws -> String? {
    do {
        try await vigil.talk(session: session, on)
        return nil
    } catch let error as VigilError where error.step == "talk" {
        // The camera has no loudspeaker, for instance (unsupported), or somebody else talks (talking).
        return error.reason
    }
}

/// What holds for a camera, by the names of the settings.
public func currentSettings(_ vigil: Vigil, camera: String) async throws -> [String: String] {
    let lines = try await vigil.settings(camera: camera).settings
    return Dictionary(uniqueKeysWithValues: lines.map { ($0.key, $0.value) })
}

/// Sets whether the microphone is heard, whether sound is recorded, and how loud the camera's speaker is, 0…100.
public func setSound(
    _ vigil: Vigil, camera: String, microphone: Bool, recorded: Bool, volume: Int
) async throws -> CameraSettingsInfo {
    var sound = SettingsCommand()
    sound.microphone = microphone ? "on" : "off"
    sound.recordedSound = recorded ? "on" : "off"
    sound.speakerVolume = String(volume)
    return try await vigil.set(camera: camera, sound)
}

/// Sets how the picture is turned, which part of it is shown, and how the camera sees at night: `auto`, `on` or `off`.
public func setPicture(
    _ vigil: Vigil, camera: String, isTurned: Bool, part: Viewport, nightVision: String
) async throws -> CameraSettingsInfo {
    var picture = SettingsCommand()
    picture.rotation = isTurned ? "180" : "0"
    picture.viewport = "\(part.x1),\(part.y1),\(part.x2),\(part.y2)"
    picture.nightVision = nightVision
    return try await vigil.set(camera: camera, picture)
}

/// Records around events, which movement begins that this sensitivity notices (1, 5 or 10), and which last so long at most.
public func setEvents(
    _ vigil: Vigil, camera: String, sensitivity: Int, longestSeconds: Int
) async throws -> CameraSettingsInfo {
    var events = SettingsCommand()
    events.mode = "event"
    events.sensitivity = String(sensitivity)
    events.maxEventLength = "\(longestSeconds)s"
    return try await vigil.set(camera: camera, events)
}

/// Tries to set the status light; gives why that cannot be, nil where it is set.
public func setStatusLight(_ vigil: Vigil, camera: String, to brightness: String) async throws -> String? {
    var light = SettingsCommand()
    light.statusLight = brightness
    do {
        _ = try await vigil.set(camera: camera, light)
        return nil
    } catch let VigilError.refused(refusal) where refusal.kind == .conflict {
        return refusal.why
    }
}

/// Sets nothing of a camera any longer: its policy holds, and what is set at the camera itself stays as it is.
public func leaveSettings(_ vigil: Vigil, camera: String) async throws -> CameraSettingsInfo {
    let now = try await vigil.settings(camera: camera)
    var command = SettingsCommand()
    for line in now.settings where line.since != nil {
        _ = command.set(line.key, SettingsCommand.standard)
    }
    return command.values.isEmpty ? now : try await vigil.set(camera: camera, command)
}
