public import VigilKit

/// Plays the newest day's first clip and what follows it without a hole, until `show` is false.
public func playNewestDay(_ vigil: Vigil, camera: String, show: (Frame) -> Bool) async throws {
    try await vigil.withSession(camera: camera) { session in
        guard let day = try await session.days().last,
            let clip = try await session.clips(of: day).first
        else { return }
        try await session.startPlayback(day: day, clip: clip.id)
        for try await frame in session.frames {
            guard show(frame) else { break }
        }
        try await session.stopPlayback()
    }
}

/// Plays a day from its first clip on, over holes and with sound, until `show` is false.
public func playWholeDay(_ session: CameraSession, day: CalendarDay, show: (Frame) -> Bool) async throws {
    guard let clip = try await session.clips(of: day).first else { return }
    try await session.startPlayback(day: day, clip: clip.id, overHoles: true)
    try await session.mute(false)
    for try await frame in session.frames {
        guard show(frame) else { break }
    }
}

/// Holds, goes on faster, and jumps, as the buttons of a player do.
public func press(_ session: CameraSession, day: CalendarDay, clip: ClipInfo, at moment: WallTime) async throws {
    try await session.pause()
    try await session.resume()
    try await session.speed(4)
    try await session.startPlayback(day: day, clip: clip.id, at: moment)
}

/// Every frame of a time as fast as it comes, for what reads recordings and shows nothing.
public func countPictures(_ vigil: Vigil, camera: String, from: WallTime, to: WallTime) async throws -> Int {
    var pictures = 0
    let frames = vigil.recordedFrames(camera: camera, from: from, to: to)
    for try await frame in frames where frame.format.codec.isVideo {
        pictures += 1
    }
    return pictures
}
