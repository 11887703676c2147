/// What of a camera's recordings is to be played.
public struct PlayRequest: Hashable, Sendable {
    /// The longest time that is played at once, in milliseconds.
    static let lengthMsMax: Int64 = 31 * 86_400_000

    /// The most ticks by which a track is shifted.
    static let shiftMax: UInt64 = 1 << 60

    /// The camera's name.
    public var camera: String
    /// Where playing begins.
    public var from: WallTime
    /// Where it ends; nil: with the day in which it begins, in the site's time zone.
    public var to: WallTime?
    /// Whether holes are closed up where a form would show them, and playing goes on to the end of the day.
    public var skipHoles: Bool
    /// The viewer's session; nil where there is none.
    public var session: String?

    /// What is to be played.
    public init(camera: String, from: WallTime, to: WallTime?, skipHoles: Bool = false, session: String? = nil) {
        self.camera = camera
        self.from = from
        self.to = to
        self.skipHoles = skipHoles
        self.session = session
    }

    /// The query that asks for the same, to stand behind another path.
    public var query: String {
        var query = "?from=\(from.rfc3339)"
        if let to { query += "&to=\(to.rfc3339)" }
        if skipHoles { query += "&skipHoles=true" }
        if let session { query += "&session=\(session)" }
        return query
    }
}

/// In which form a playlist is written.
public enum PlaylistForm: String, Hashable, Sendable, CaseIterable {
    /// HLS: the lists that there are.
    case variants = "play.m3u8"
    /// HLS: the pictures.
    case video = "play/video.m3u8"
    /// HLS: the sound.
    case audio = "play/audio.m3u8"
    /// HLS: key frames alone, for fast winding and scrubbing.
    case keys = "play/keys.m3u8"
    /// DASH.
    case dash = "play.mpd"

    /// Its media type.
    var type: String { self == .dash ? "application/dash+xml" : "application/vnd.apple.mpegurl" }
}

extension Query {
    /// The parameters of what is to be played.
    static let playing: Set<String> = ["from", "to", "skipHoles", "session"]

    /// What is to be played of a camera.
    func playing(_ camera: String) throws(SiteError) -> PlayRequest {
        guard let from = try time("from") else { throw .invalid("from is missing", "give it as an RFC 3339 time") }
        let to = try time("to")
        let skips = try flag("skipHoles")
        guard to != nil || skips else {
            throw .invalid(
                "to is missing", "give it as an RFC 3339 time, or skipHoles=true to play to the end of the day")
        }
        if let to {
            guard from < to else { throw .invalid("from is not before to", "swap them") }
            guard to.ms - from.ms <= PlayRequest.lengthMsMax else {
                throw .invalid(
                    "the time is longer than \(PlayRequest.lengthMsMax / 86_400_000) days", "ask for a shorter one")
            }
        }
        return PlayRequest(camera: camera, from: from, to: to, skipHoles: skips, session: try session())
    }

    /// By how many ticks the times of a track are later; 0 where nothing is said.
    func shift() throws(SiteError) -> UInt64 {
        guard let text = self["shift"] else { return 0 }
        guard let ticks = UInt64(text), ticks <= PlayRequest.shiftMax else {
            throw .invalid("shift is \(text)", "give 0 to \(PlayRequest.shiftMax) ticks, as a playlist does")
        }
        return ticks
    }

    /// The viewer's session; nil where none is named.
    func session() throws(SiteError) -> String? {
        guard let text = self["session"] else { return nil }
        let isName = { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy(isName) else {
            throw .invalid("session is not one that this daemon gave", "give the id that opening the session answered")
        }
        return text
    }
}
