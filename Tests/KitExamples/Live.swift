public import VigilKit

/// Shows the live picture of a camera with its sound, until `show` is false.
public func showLive(_ vigil: Vigil, camera: String, show: (Frame) -> Bool) async throws {
    try await vigil.withSession(camera: camera) { session in
        try await session.startPreview(.hd)
        try await session.mute(false)
        for try await frame in session.frames {
            guard show(frame) else { break }
        }
        try await session.stopPreview()
    }
}

/// Records what the camera sends while `body` runs; gives whether that was possible.
public func recording(_ session: CameraSession, _ body: () async throws -> Void) async throws -> Bool {
    do {
        try await session.record(true)
    } catch let error as VigilError where error.step == "record" {
        // Recording privacy, or the recording toggle: error.reason says which.
        return false
    }
    try await body()
    try await session.record(false)
    return true
}

/// Waits for the end of a session; gives why it has ended.
public func end(of session: CameraSession) async throws -> Session.Ending? {
    for try await report in session.reports where report.session.phase == "ended" {
        return report.session.ended
    }
    return nil
}
