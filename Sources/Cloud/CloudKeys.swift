internal import Catalog
public import Machines

/// The names of what lies in the bucket (docs/design/cloud.md "In the bucket"). The key of an object is the store's prefix, the
/// clip's key and the object's name, with a slash between two of them. The clip's key is the path of its track files without
/// their ending (`ClipPaths.stem`), such as `clips/front/2026/11/23/20261123T101500.000Z-k3x9`; the catalog has it in the column
/// `key`.
public enum CloudKeys {
    /// The description, put last: a folder without it holds no clip.
    public static let description = "clip.json"
    /// The description so far, while the clip is open.
    public static let liveDescription = "live.json"
    /// What players are given: the HLS list of the lists.
    public static let index = "index.m3u8"
    /// The DASH manifest.
    public static let manifest = "manifest.mpd"

    /// Where the key of an encrypted clip would be; there is none, since it stays at home: players are given it otherwise.
    public static let key = "key"

    /// The folder, in that of a clip, of what was made of it for players.
    public static let encoded = "encoded"

    /// A whole track file.
    public static func track(_ kind: TrackKind) -> String { "\(kind.rawValue).\(ClipPaths.suffix(kind))" }

    /// A piece of a track that was sent while the clip was open, with six digits; `number` from 1.
    public static func piece(_ kind: TrackKind, _ number: Int) -> String {
        "\(kind.rawValue).\(max(number, 1).padded(to: 6)).\(ClipPaths.suffix(kind))"
    }

    /// The number of the piece of a track that a name stands for; nil for every other name.
    public static func number(ofPiece name: String, _ kind: TrackKind) -> Int? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let number = Int(parts[1]), number > 0, piece(kind, number) == name else { return nil }
        return number
    }

    /// The HLS list of a track.
    static func playlist(_ kind: TrackKind) -> String { "\(kind.rawValue).m3u8" }

    /// The picture of an event, named by its begin on the monotonic clock of its boot, in milliseconds.
    public static func picture(beganMonotonicMs ms: Int64) -> String { "event-\(ms).jpg" }

    private static let sealed = ".aes"

    /// The name of a picture that is sealed.
    public static func sealed(_ picture: String) -> String { picture + sealed }

    /// The name that a sealed picture had before; nil where the name is not of one.
    public static func opened(_ picture: String) -> String? {
        picture.hasSuffix(sealed) ? String(picture.dropLast(sealed.count)) : nil
    }

    /// The type of media of an object that holds media.
    public static func mediaType(_ kind: TrackKind) -> String { "\(kind.rawValue)/mp4" }

    /// What the keys of all objects of a clip begin with, below the store's prefix; a slash at its end. `key` is the clip's key as
    /// the catalog has it in `upload` and `remote_clip`.
    public static func folder(of key: String) -> String { "\(key)/" }

    /// The key of the list of a camera's day, below the store's prefix; nil if the name or the date (`yyyy-mm-dd`, of the site's
    /// time zone) is none.
    public static func day(camera: String, date: String) -> String? {
        let parts = date.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], !date.contains("+"), let year = Int64(parts[0]),
            let month = Int64(parts[1]), let day = Int64(parts[2]),
            CivilDate(year: year, month: month, day: day) != nil,
            ClipPaths(camera: camera, startWallMs: 0, token: "0") != nil
        else { return nil }
        return "days/\(camera)/\(date).m3u8"
    }

    /// Whether a text is the key of a clip.
    public static func isClip(_ key: String) -> Bool { ClipPaths(parsing: key + ".cmfv") != nil }

    /// Whether a name may be that of an object in a clip's folder: 1 to 64 letters, digits, `-`, `_` and `.`, none of the last at
    /// its begin, and no two together.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.hasPrefix(".") && !text.contains("..")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
