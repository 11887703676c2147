internal import Journal
internal import Machines
internal import Media
internal import Server

/// Viewers of WebRTC: each is shown the picture of a session, of which it is the only viewer.
extension Sessions {
    /// The live picture in a session of its own. That of a player is prolonged while it looks on and ends with it; any other ends
    /// after its time unless it is extended. Sound is heard as the camera sends it where `wantsSound` says so of what it sends.
    func peer(
        _ camera: CameraRuntime, _ definition: Session.Definition, isPlayer: Bool, by caller: Caller,
        wantsSound: @Sendable (StreamDial) -> Bool
    ) async throws -> (session: String, viewer: StreamViewer) {
        let id = try open(camera, by: caller, isPlayer: isPlayer).id
        do {
            _ = try await ask(id, .connect, by: caller)
            _ = try await ask(id, .startPreview(definition, others: 0), by: caller)
            viewers[id]?.soundForm = .original
            if let dial = camera.shell.streams.stream(StreamName(definition)).dial, wantsSound(dial) {
                _ = try? await ask(id, .mute(false), by: caller)
            }
            return (id, try picture(of: id, camera: camera.name, sound: .original))
        } catch {
            _ = try? close(id, by: "\(caller)")
            throw error
        }
    }
}
