internal import Journal
internal import Server

/// Cameras that turn and zoom.
extension DaemonSite {
    func ptz(camera: String) async throws -> PTZInfo {
        let head = try await head(of: camera)
        do { return try await ptz.look(camera, head) } catch {
            throw Self.error(error, "camera \(camera) does not tell where it looks", camera)
        }
    }

    func turn(camera: String, _ command: PTZCommand, by caller: Caller) async throws -> PTZInfo {
        let head = try await head(of: camera)
        do { try await ptz.turn(camera, head, command) } catch {
            throw Self.error(error, "camera \(camera) was not turned", camera)
        }
        journal.send(.cameraTurned, camera: camera, fields: [(.detail, Self.words(command)), (.user, "\(caller)")])
        // It was turned, also where it does not say where it looks now.
        return (try? await ptz.look(camera, head)) ?? PTZInfo(camera: camera)
    }

    private func head(of camera: String) async throws -> PTZHead {
        let runtime = try known(camera)
        let device = try await device(
            of: runtime, "camera \(camera) cannot be turned",
            else: "look whether it turns at all: `vigil discover HOST`")
        return PTZHead(device: device, streams: runtime.assignment.camera.streams)
    }

    private static func error(_ error: any Error, _ what: String, _ camera: String) -> any Error {
        guard let missing = error as? PTZCamera.NoPreset else { return deviceRefusal(error, what) }
        return SiteError(
            .notFound, what: "preset \(missing.name) of camera \(camera)", why: "the camera keeps no such position",
            remedy: "`vigil ptz \(camera)` lists those that it keeps")
    }

    /// What was ordered, for the journal.
    private static func words(_ command: PTZCommand) -> String {
        if let move = command.move {
            let parts = [("pan", move.pan), ("tilt", move.tilt), ("zoom", move.zoom)]
                .compactMap { name, value in value.map { "\(name) \($0)" } }
            return parts.joined(separator: ", ") + " for \(move.forMs ?? PTZCommand.forMsDefault) ms"
        }
        if let name = command.preset { return "to preset \(name)" }
        if let name = command.save { return "preset \(name) saved" }
        if let name = command.remove { return "preset \(name) removed" }
        return command.home == nil ? "stopped" : "to its home position"
    }
}
