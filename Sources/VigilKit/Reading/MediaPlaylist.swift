internal import Wire

/// A media playlist of HLS (RFC 8216bis), read from a foreign text. What it does not know it leaves out.
struct MediaPlaylist: Hashable, Sendable {
    /// Some bytes that can be asked for.
    struct Resource: Hashable, Sendable {
        /// As the list has it: relative to the list.
        var uri: String
        /// Which bytes of it; nil: all.
        var range: Range<UInt64>?
    }

    /// A segment.
    struct Segment: Hashable, Sendable {
        /// Its number.
        var number: Int
        /// How many discontinuities lie before it.
        var run: Int
        /// What comes before its media.
        var header: Resource?
        /// When it begins, where the list says.
        var time: WallTime?
        /// Its media.
        var media = Resource(uri: "")
        /// Whether there is nothing to ask for.
        var isGap = false
    }

    /// The longest text, and the most segments.
    static let bytesMax = 16 << 20, segmentsMax = 200_000

    /// In order.
    private(set) var segments: [Segment] = []
    /// Whether nothing will follow.
    private(set) var isEnded = false

    /// Reads a list; nil where the text is none, or has more than it may.
    init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax, text.hasPrefix("#EXTM3U") else { return nil }
        var (number, run) = (0, 0)
        var (header, range): (Resource?, Range<UInt64>?)
        var next = Segment(number: 0, run: 0)
        for line in text.split(whereSeparator: \.isNewline) {
            guard line.hasPrefix("#") else {
                guard segments.count < Self.segmentsMax else { return nil }
                (next.header, next.media) = (header, Resource(uri: String(line), range: range))
                next.number = number
                segments.append(next)
                guard number < Int(Int32.max) else { return nil }
                number += 1
                range = nil
                next = Segment(number: number, run: run)
                continue
            }
            let (tag, value) = Self.tag(line)
            switch tag {
            case "EXT-X-MEDIA-SEQUENCE": number = Self.count(value)
            case "EXT-X-DISCONTINUITY-SEQUENCE":
                run = Self.count(value)
                next.run = run
            case "EXT-X-DISCONTINUITY":
                run = min(run + 1, Int(Int32.max))
                next.run = run
            case "EXT-X-ENDLIST": isEnded = true
            case "EXT-X-GAP": next.isGap = true
            case "EXT-X-PROGRAM-DATE-TIME": next.time = WallTime(rfc3339: String(value))
            case "EXT-X-BYTERANGE":
                guard let read = Self.range(value) else { return nil }
                range = read
            case "EXT-X-MAP":
                let attributes = Attributes(value)
                header = attributes["URI"].map { uri in
                    Resource(uri: uri, range: attributes["BYTERANGE"].flatMap { Self.range($0[...]) })
                }
            default: break
            }
        }
    }

    private static func tag(_ line: Substring) -> (Substring, Substring) {
        let halves = line.dropFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (halves[0], halves.count > 1 ? halves[1] : "")
    }

    /// A number that is counted with; 0 for what is none, or none that a list comes to.
    private static func count(_ text: Substring) -> Int { Int(UInt32(text).map { min($0, UInt32(Int32.max)) } ?? 0) }

    /// Bytes as `length@start`.
    private static func range(_ text: Substring) -> Range<UInt64>? {
        let numbers = text.split(separator: "@", omittingEmptySubsequences: false).map { UInt64($0) }
        guard numbers.count == 2, let length = numbers[0], let start = numbers[1], length > 0 else { return nil }
        let (end, overflow) = start.addingReportingOverflow(length)
        return overflow || end > UInt64(Int64.max) ? nil : start..<end
    }
}

/// The attributes of a tag, `NAME=VALUE,NAME="VALUE"`.
struct Attributes {
    private var values: [String: String] = [:]

    init(_ text: Substring) {
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals])
            rest = rest[rest.index(after: equals)...]
            let end: Substring.Index
            if rest.first == "\"" {
                rest = rest.dropFirst()
                end = rest.firstIndex(of: "\"") ?? rest.endIndex
            } else {
                end = rest.firstIndex(of: ",") ?? rest.endIndex
            }
            values[name] = String(rest[..<end])
            rest = rest[end...]
            rest = (rest.firstIndex(of: ",").map { rest[rest.index(after: $0)...] }) ?? ""
        }
    }

    subscript(name: String) -> String? { values[name] }
}
