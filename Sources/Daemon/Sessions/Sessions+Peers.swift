internal import Journal
internal import Machines
internal import Media
internal import Server

/// Viewers of WebRTC: each is shown the picture of a session, of which it is the only viewer.
extension Sessions {
    /// The live picture in a session of its own. That of a player is prolonged while it looks on and ends with it; any other ends
    /// after its time unless it is extended. Sound is heard in the form that `sound` chooses of what the camera sends.
    func peer(
        _ camera: CameraRuntime, _ definition: Session.Definition, isPlayer: Bool, by caller: Caller,
        sound: @Sendable (StreamDial) -> SoundForm?
    ) async throws -> (session: String, viewer: StreamViewer) {
        let id = try open(camera, by: caller, isPlayer: isPlayer).id
        do {
            _ = try await ask(id, .connect, by: caller)
            _ = try await ask(id, .startPreview(definition, others: 0), by: caller)
            let form = camera.shell.streams.stream(StreamName(definition)).dial.flatMap(sound)
            viewers[id]?.soundForm = form ?? .original
            if form != nil { _ = try? await ask(id, .mute(false), by: caller) }
            return (id, try picture(of: id, camera: camera.name, sound: form ?? .original))
        } catch {
            _ = try? close(id, by: "\(caller)")
            throw error
        }
    }

    /// The picture of a session that is named, with its sound, where that is on, in the form that `sound` chooses.
    func peer(
        of id: String, _ camera: CameraRuntime, sound: @Sendable (StreamDial) -> SoundForm?
    ) throws -> StreamViewer {
        let dial = viewers[id]?.picture.flatMap { camera.shell.streams.stream($0.name).dial }
        return try picture(of: id, camera: camera.name, sound: dial.flatMap(sound) ?? .original)
    }
}
