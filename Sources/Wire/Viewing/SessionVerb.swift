public import Machines

/// What a viewer asks of its session.
public enum SessionVerb: Hashable, Sendable {
    /// A connection to the camera's streams and clips.
    case connect
    /// The live picture.
    case startPreview(Session.Definition)
    /// A clip of a day, from a moment on; from its begin where nil. To the first hole, or over holes to the end of the day.
    case startPlayback(CalendarDay, clip: Int64, at: WallTime?, overHoles: Bool = false)
    /// Hold the clip.
    case pause
    /// Let it go on.
    case resume
    /// Play faster or slower, in hundredths.
    case speed(hundredths: Int)
    /// A finer or coarser live picture.
    case definition(Session.Definition)
    /// The sound of what is shown: true mutes it.
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

extension SessionVerb {
    /// The last part of its route below `/v1/sessions/{session}`.
    package var name: String {
        switch self {
        case .connect: "connect"
        case .startPreview: "startPreview"
        case .startPlayback: "startPlayback"
        case .pause: "pause"
        case .resume: "resume"
        case .speed: "speed"
        case .definition: "definition"
        case .mute: "mute"
        case .talk: "talk"
        case .record: "record"
        case .days: "days"
        case .clips: "clips"
        case .stopPreview: "stopPreview"
        case .stopPlayback: "stopPlayback"
        case .extend: "extend"
        }
    }

    /// The body of its request.
    package var body: any Encodable & Sendable {
        switch self {
        case .startPreview(let definition): StartPreviewCommand(definition: definition)
        case .startPlayback(let day, let clip, let at, let overHoles):
            StartPlaybackCommand(day: day, clip: clip, at: at, overHoles: overHoles ? true : nil)
        case .speed(let hundredths): SpeedCommand(speed: Double(hundredths) / 100)
        case .definition(let definition): DefinitionCommand(definition: definition)
        case .mute(let on), .talk(let on), .record(let on): SwitchCommand(on: on)
        case .clips(let day): ListClipsCommand(day: day)
        case .connect, .pause, .resume, .days, .stopPreview, .stopPlayback, .extend: EmptyCommand()
        }
    }
}

/// The body of `startPreview`.
package struct StartPreviewCommand: Hashable, Sendable, Codable {
    /// `hd` (the main stream) where it is absent.
    package var definition: Session.Definition?

    /// A body.
    package init(definition: Session.Definition? = nil) { self.definition = definition }
}

/// The body of `startPlayback`.
package struct StartPlaybackCommand: Hashable, Sendable, Codable {
    /// The day whose clips were listed last.
    package var day: CalendarDay
    /// One of them.
    package var clip: Int64
    /// The moment to be shown first; the clip's begin where it is absent.
    package var at: WallTime?
    /// Whether it is played on over holes to the end of the day; false where it is absent.
    package var overHoles: Bool?
}

/// The body of `speed`.
package struct SpeedCommand: Hashable, Sendable, Codable {
    /// 0.25, 0.5, 1, 2, 4, 8 or 16.
    package var speed: Double

    /// In hundredths; 0, which is no speed, for what no speed is near.
    package var hundredths: Int {
        guard (0...1_000).contains(speed) else { return 0 }
        return Int(exactly: speed * 100) ?? 0
    }
}

/// The body of `definition`.
package struct DefinitionCommand: Hashable, Sendable, Codable {
    /// `hd` or `sd`.
    package var definition: Session.Definition
}

/// The body of `mute`, `talk` and `record`.
package struct SwitchCommand: Hashable, Sendable, Codable {
    /// Whether it is on.
    package var on: Bool
}

/// The body of `clips`.
package struct ListClipsCommand: Hashable, Sendable, Codable {
    /// The day, in the site's time zone.
    package var day: CalendarDay
}

/// A body that says nothing.
package struct EmptyCommand: Hashable, Sendable, Codable {
    /// A body.
    package init() {}
}
