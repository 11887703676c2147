public import Media

/// A session as it is pushed: media without a hole but for fillers, under a number of its own.
public struct IngestSession: Sendable {
    /// Which lists go with the media, by Matter's names.
    public enum Interface: String, Hashable, Sendable, CaseIterable {
        /// A manifest of DASH before the media, and after it.
        case interface1
        /// The same.
        case interface2DASH
        /// Playlists of HLS before the media, and those of the tracks again after it.
        case interface2HLS
    }

    /// A track.
    public struct Track: Sendable {
        /// Its name (`isName`).
        public let name: String
        /// What comes before its segments.
        let header: TrackHeader

        /// A track.
        public init(name: String, header: TrackHeader) { (self.name, self.header) = (name, header) }
    }

    /// Its number, which no other session at any address has.
    public let number: Int64
    /// Which lists go with it.
    public let interface: Interface
    /// The length of its segments in milliseconds, as it is said.
    public let segmentMs: Int64
    /// When its first frame came, milliseconds since 1970.
    public let beganWallMs: Int64
    /// Its tracks, the picture first.
    public let tracks: [Track]

    /// A session.
    public init(number: Int64, interface: Interface, segmentMs: Int64, beganWallMs: Int64, tracks: [Track]) {
        (self.number, self.interface, self.segmentMs) = (number, interface, segmentMs)
        (self.beganWallMs, self.tracks) = (beganWallMs, tracks)
    }

    /// Whether a track may have this name: it is a part of addresses and of manifests as it stands.
    public static func isName(_ name: String) -> Bool {
        (1...16).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// The folder of everything that belongs to it, with a slash at its end.
    var folder: String { "session_\(number)/" }
}

/// One object of a session as it is put.
public struct IngestObject: Hashable, Sendable {
    /// What it is, by which follows what an answer means.
    enum Content: Hashable, Sendable {
        /// A list of the whole session.
        case manifest
        /// The list of a track.
        case playlist
        /// The header of a track.
        case header
        /// A segment of a track.
        case media(track: Int)

        var type: String {
            switch self {
            case .manifest: "application/dash+xml"
            case .playlist: "application/x-mpegURL"
            case .header: "video/mp4"
            case .media: "video/iso.segment"
            }
        }
    }

    /// A field of the request's head besides those of every request.
    public struct Header: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Its value: ASCII, one line.
        public let value: String
    }

    /// Where it belongs, below the publishing point.
    public let path: String
    /// What it is.
    let content: Content
    /// What its request says besides.
    public let headers: [Header]
    /// Its bytes.
    public let bytes: [UInt8]

    /// What `Content-Type` says.
    var contentType: String { content.type }

    init(_ path: String, _ content: Content, headers: [Header] = [], _ bytes: [UInt8]) {
        (self.path, self.content, self.headers, self.bytes) = (path, content, headers, bytes)
    }
}
