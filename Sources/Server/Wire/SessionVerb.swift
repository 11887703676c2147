public import Machines

/// What a viewer asks of its session.
public enum SessionVerb: Hashable, Sendable {
    /// A connection to the camera's streams and clips.
    case connect
    /// The live picture.
    case startPreview(Session.Definition)
    /// A clip of a day, from a moment on; from its begin where nil.
    case startPlayback(CalendarDay, clip: Int64, at: WallTime?)
    /// Hold the clip.
    case pause
    /// Let it go on.
    case resume
    /// Play faster or slower, in hundredths.
    case speed(hundredths: Int)
    /// A finer or coarser live picture.
    case definition(Session.Definition)
    /// The live sound: true mutes it.
    case mute(Bool)
    /// Talk-back.
    case talk(Bool)
    /// Record what is shown.
    case record(Bool)
    /// Which days have clips.
    case days
    /// The clips of a day.
    case clips(CalendarDay)
    /// No live picture any more.
    case stopPreview
    /// No clip any more.
    case stopPlayback
    /// The whole time of a session again, from now.
    case extend
}

/// The body of `startPreview`.
struct StartPreviewCommand: Hashable, Codable {
    /// `hd` (the main stream) where it is absent.
    var definition: Session.Definition?
}

/// The body of `startPlayback`.
struct StartPlaybackCommand: Hashable, Codable {
    /// The day whose clips were listed last.
    var day: CalendarDay
    /// One of them.
    var clip: Int64
    /// The moment to be shown first; the clip's begin where it is absent.
    var at: WallTime?
}

/// The body of `speed`.
struct SpeedCommand: Hashable, Codable {
    /// 0.25, 0.5, 1, 2, 4, 8 or 16.
    var speed: Double

    /// In hundredths; 0, which is no speed, for what no speed is near.
    var hundredths: Int {
        guard (0...1_000).contains(speed) else { return 0 }
        return Int(exactly: speed * 100) ?? 0
    }
}

/// The body of `definition`.
struct DefinitionCommand: Hashable, Codable {
    /// `hd` or `sd`.
    var definition: Session.Definition
}

/// The body of `mute`, `talk` and `record`.
struct SwitchCommand: Hashable, Codable {
    /// Whether it is on.
    var on: Bool
}

/// The body of `clips`.
struct ListClipsCommand: Hashable, Codable {
    /// The day, in the site's time zone.
    var day: CalendarDay
}

/// A body that says nothing.
struct EmptyCommand: Hashable, Codable {}
