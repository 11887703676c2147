/// A file of low-latency HLS, by its name below `…/live/`.
public enum LiveFile: Hashable, Sendable {
    /// Which track.
    public enum Track: String, Hashable, Sendable, CaseIterable {
        case video
        case audio
    }

    /// `main.m3u8`: what there is.
    case main
    /// `video.m3u8`: the list of a track's segments and parts.
    case playlist(Track)
    /// `video-0.mp4`: what comes before the segments of a run.
    case header(Track, run: Int)
    /// `video-12.m4s`: a segment.
    case segment(Track, number: Int)
    /// `video-12.3.m4s`: a part of a segment.
    case part(Track, number: Int, part: Int)

    /// The file of that name; nil where there is none.
    public init?(_ name: String) {
        if name == "main.m3u8" {
            self = .main
            return
        }
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let (stem, ending) = (name[..<dot], name[dot...])
        if ending == ".m3u8" {
            guard let track = Track(rawValue: String(stem)) else { return nil }
            self = .playlist(track)
            return
        }
        let words = stem.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2, let track = Track(rawValue: String(words[0])) else { return nil }
        let numbers = words[1].split(separator: ".", omittingEmptySubsequences: false).map(Self.number)
        switch (ending, numbers.count, numbers.first ?? nil, numbers.last ?? nil) {
        case (".mp4", 1, .some(let run), _): self = .header(track, run: run)
        case (".m4s", 1, .some(let number), _): self = .segment(track, number: number)
        case (".m4s", 2, .some(let number), .some(let part)): self = .part(track, number: number, part: part)
        default: return nil
        }
    }

    /// A number of at most nine digits, and nothing but digits.
    private static func number(_ text: Substring) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy(digits.contains) else { return nil }
        return Int(text)
    }

    /// Its name.
    public var name: String {
        switch self {
        case .main: "main.m3u8"
        case .playlist(let track): "\(track.rawValue).m3u8"
        case .header(let track, let run): "\(track.rawValue)-\(run).mp4"
        case .segment(let track, let number): "\(track.rawValue)-\(number).m4s"
        case .part(let track, let number, let part): "\(track.rawValue)-\(number).\(part).m4s"
        }
    }

    /// What it holds.
    public var contentType: String {
        switch self {
        case .main, .playlist: "application/vnd.apple.mpegurl"
        case .header(let track, _), .segment(let track, _), .part(let track, _, _): "\(track.rawValue)/mp4"
        }
    }
}

/// From when on a list of segments is wanted: the directives `_HLS_msn` and `_HLS_part` of RFC 8216bis.
public struct LiveAwaited: Hashable, Sendable {
    /// The number of the segment that it has to hold.
    public var number: Int
    /// The part of it; nil: all of it.
    public var part: Int?

    /// What is waited for.
    public init(number: Int, part: Int? = nil) { (self.number, self.part) = (number, part) }
}
