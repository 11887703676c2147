public import Machines

/// Where a clip's track files lie, relative to the root:
/// `clips/<camera>/<yyyy>/<mm>/<dd>/<yyyymmdd>T<hhmmss>.<mmm>Z-<token>.cmfv|.cmfa`, in UTC. The name carries camera and
/// start, so that a lost catalog can be rebuilt from the files alone. A clock that is set later renames nothing.
public struct ClipPaths: Hashable, Sendable {
    /// Name of the camera.
    public let camera: String
    /// First frame, UTC epoch milliseconds, 1970…9999.
    public let startWallMs: Int64
    /// What makes the name unique: 1…16 characters of `[0-9a-z]`.
    public let token: String

    /// The paths of a new clip; the token is drawn at random unless given. nil if the camera's name or the token has
    /// characters that a path must not hold.
    public init?(camera: String, startWallMs: Int64, token: String? = nil) {
        let token = token ?? String(UInt32.random(in: .min ... .max), radix: 36)
        guard Self.isName(camera, max: 64), Self.isName(token, max: 16), !token.contains(where: { "-_".contains($0) })
        else { return nil }
        self.camera = camera
        self.startWallMs = min(max(startWallMs, 0), Self.lastMs)
        self.token = token
    }

    /// Reads a path that `path(_:)` has given; nil for any other.
    public init?(parsing path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, parts[0] == "clips", let dot = parts[5].lastIndex(of: ".") else { return nil }
        let stem = parts[5][..<dot]
        guard let dash = stem.lastIndex(of: "-"), let ms = CivilTime.parse(stem[..<dash]),
            let paths = ClipPaths(camera: parts[1], startWallMs: ms, token: String(stem[stem.index(after: dash)...])),
            Self.kind(of: path).map({ paths.path($0) }) == path
        else { return nil }
        self = paths
    }

    /// The folder, relative to the root.
    public var folder: String {
        let date = CivilTime(epochMs: startWallMs).date
        return
            "clips/\(camera)/\(date.year.padded(to: 4))/\(date.month.padded(to: 2))/\(date.day.padded(to: 2))"
    }

    /// The track file of a kind, relative to the root.
    public func path(_ kind: TrackKind) -> String { "\(stem).\(Self.suffix(kind))" }

    /// The path of the track files without their ending, relative to the root: what names the clip on every machine.
    public var stem: String { "\(folder)/\(CivilTime(epochMs: startWallMs).compact)-\(token)" }

    /// What a track file carries, by its name; nil if it is none.
    public static func kind(of path: String) -> TrackKind? {
        TrackKind.allCases.first { path.hasSuffix("." + suffix($0)) }
    }

    /// The ending of the name of a track file, without its dot.
    public static func suffix(_ kind: TrackKind) -> String {
        switch kind {
        case .video: "cmfv"
        case .audio: "cmfa"
        }
    }

    /// 9999-12-31T23:59:59.999Z.
    private static let lastMs: Int64 = 253_402_300_799_999

    private static func isName(_ text: String, max: Int) -> Bool {
        (1...max).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}
