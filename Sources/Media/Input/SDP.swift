import Machines

/// A session description (RFC 8866), as far as it says what can be had and where.
struct SDP {
    /// One medium.
    struct Media {
        let kind: TrackKind
        /// Payload type of its RTP packets, the first one offered.
        let payloadType: UInt8
        /// Name of the encoding as in the rtpmap, upper case.
        var encoding: String
        var clockRate: Int
        var channels: Int
        /// `a=fmtp` parameters, names in lower case.
        var format: [String: String] = [:]
        /// `a=control`.
        var control: String?
    }

    /// The media in their order; other than video and audio are left out.
    var media: [Media] = []
    /// `a=control` of the session.
    var control: String?

    /// Reads a description; what it does not know it passes over.
    init(_ text: String, mediaMax: Int) {
        var isInMedia = false
        for line in text.split(whereSeparator: \.isNewline) {
            guard line.count > 2, line.dropFirst().first == "=" else { continue }
            let value = line.dropFirst(2)
            switch line.first {
            case "m":
                isInMedia = media.count < mediaMax && append(media: value)
                if !isInMedia { skipped = true }
            case "a":
                if isInMedia {
                    attribute(value, of: media.count - 1)
                } else if media.isEmpty, !skipped, value.hasPrefix("control:") {
                    control = value.dropFirst(8).trimmingBlanks
                }
            default: break
            }
        }
    }

    private var skipped = false

    /// `m=video 0 RTP/AVP 96`
    private mutating func append(media value: Substring) -> Bool {
        let words = value.split(separator: " ")
        guard words.count >= 4, words[2].hasPrefix("RTP/"), let type = UInt8(words[3]), type < 128 else { return false }
        let kind: TrackKind
        switch words[0] {
        case "video": kind = .video
        case "audio": kind = .audio
        default: return false
        }
        let known = SDP.staticTypes[type] ?? ("", 0, 1)
        media.append(Media(kind: kind, payloadType: type, encoding: known.0, clockRate: known.1, channels: known.2))
        return true
    }

    private mutating func attribute(_ value: Substring, of index: Int) {
        if value.hasPrefix("control:") {
            media[index].control = value.dropFirst(8).trimmingBlanks
        } else if value.hasPrefix("rtpmap:") {
            let words = value.dropFirst(7).split(separator: " ", maxSplits: 1)
            guard words.count == 2, UInt8(words[0]) == media[index].payloadType else { return }
            let parts = words[1].trimmingBlanks.split(separator: "/")
            guard let encoding = parts.first else { return }
            media[index].encoding = encoding.uppercased()
            if parts.count > 1, let rate = Int(parts[1]), (1...1_000_000).contains(rate) {
                media[index].clockRate = rate
            }
            if parts.count > 2, let channels = Int(parts[2]), (1...8).contains(channels) {
                media[index].channels = channels
            }
        } else if value.hasPrefix("fmtp:") {
            let words = value.dropFirst(5).split(separator: " ", maxSplits: 1)
            guard words.count == 2, UInt8(words[0]) == media[index].payloadType else { return }
            for pair in words[1].split(separator: ";") {
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2 else { continue }
                media[index].format[halves[0].trimmingBlanks.lowercased()] = halves[1].trimmingBlanks
            }
        }
    }

    /// RFC 3551, table 4 and 5, as far as cameras use them without an rtpmap.
    private static let staticTypes: [UInt8: (String, Int, Int)] = [
        0: ("PCMU", 8000, 1), 8: ("PCMA", 8000, 1), 10: ("L16", 44100, 2), 11: ("L16", 44100, 1),
        26: ("JPEG", 90000, 1),
    ]
}

extension SDP.Media {
    /// Parameter sets of the description, possibly none.
    var parameterSets: [[UInt8]] {
        let names = encoding == "H265" ? ["sprop-vps", "sprop-sps", "sprop-pps"] : ["sprop-parameter-sets"]
        return names.flatMap { name in
            (format[name] ?? "").split(separator: ",").compactMap { Base64.decode($0) }.filter { !$0.isEmpty }
        }
    }
}

/// Where a medium of a description is set up.
enum ControlAddress {
    /// The address that `control` means: itself if it is whole, else appended to `base` as cameras expect it, which is
    /// not how RFC 3986 would resolve it where the base has a query.
    static func resolve(_ control: String?, base: String) -> String {
        guard let control, !control.isEmpty, control != "*" else { return base }
        let lower = control.lowercased()
        if lower.hasPrefix("rtsp://") || lower.hasPrefix("rtsps://") { return control }
        if base.hasSuffix("/") != control.hasPrefix("/") { return base + control }
        return base.hasSuffix("/") ? base + control.dropFirst() : base + "/" + control
    }
}
