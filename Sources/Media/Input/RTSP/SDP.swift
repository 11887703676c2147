import Hashing
import Machines

/// A session description (RFC 8866), as far as it says what can be had and where.
struct SDP {
    /// Who sends a medium, in the words of the description.
    enum Direction: String {
        case sendOnly = "sendonly"
        case receiveOnly = "recvonly"
        case both = "sendrecv"
        case inactive
    }

    /// One medium.
    struct Media {
        let kind: TrackKind
        /// Payload type of its RTP packets, the first one offered.
        let payloadType: UInt8
        /// All that are offered, in their order, at most `payloadTypesMax`.
        let payloadTypes: [UInt8]
        /// Whether it comes encrypted only (SRTP, RFC 3711).
        let isEncrypted: Bool
        /// Name of the encoding as in the rtpmap, upper case.
        var encoding: String
        var clockRate: Int
        var channels: Int
        /// `a=fmtp` parameters, names in lower case.
        var format: [String: String] = [:]
        /// `a=control`.
        var control: String?
        var direction: Direction?
        /// `a=rtpmap` and `a=fmtp` below it, with the payload types that they name.
        fileprivate var maps: [(type: UInt8, text: String)] = []
        fileprivate var formats: [(type: UInt8, text: String)] = []
    }

    /// How many payload types of a medium are looked at.
    private static let payloadTypesMax = 32

    /// The media in their order; other than video and audio are left out.
    var media: [Media] = []
    /// `a=control` of the session.
    var control: String?
    private var skipped = false

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
        for index in media.indices { settle(index) }
    }

    /// `m=video 0 RTP/AVP 96`
    private mutating func append(media value: Substring) -> Bool {
        let words = value.split(whereSeparator: \.isBlank)
        guard words.count >= 4, words[2].hasPrefix("RTP/"), let type = UInt8(words[3], radix: 10), type < 128 else {
            return false
        }
        let kind: TrackKind
        switch words[0] {
        case "video": kind = .video
        case "audio": kind = .audio
        default: return false
        }
        let types = words[3...].prefix(SDP.payloadTypesMax).compactMap { UInt8($0, radix: 10) }.filter { $0 < 128 }
        media.append(Media(kind, type, of: types, isEncrypted: words[2].hasPrefix("RTP/SAVP")))
        return true
    }

    private mutating func attribute(_ value: Substring, of index: Int) {
        if value.hasPrefix("control:") {
            media[index].control = value.dropFirst(8).trimmingBlanks
        } else if value.hasPrefix("rtpmap:") {
            if let map = SDP.numbered(value.dropFirst(7)) { media[index].maps.append(map) }
        } else if value.hasPrefix("fmtp:") {
            if let format = SDP.numbered(value.dropFirst(5)) { media[index].formats.append(format) }
        } else if let direction = Direction(rawValue: value.trimmingBlanks) {
            media[index].direction = direction
        }
    }

    /// `96 H264/90000`, with any blanks.
    private static func numbered(_ value: Substring) -> (type: UInt8, text: String)? {
        let words = value.split(maxSplits: 1, whereSeparator: \.isBlank)
        guard words.count == 2, let type = UInt8(words[0], radix: 10) else { return nil }
        return (type, words[1].trimmingBlanks)
    }

    /// Applies what is said of the medium's payload type. What names another type is believed where it is all there is, and a
    /// format may stand below another medium.
    private mutating func settle(_ index: Int) {
        let type = media[index].payloadType
        let (maps, formats) = (media[index].maps, media[index].formats)
        if let map = maps.first(where: { $0.type == type }) ?? (maps.count == 1 && type >= 35 ? maps.first : nil) {
            media[index].apply(map: map.text)
        }
        let mine = formats.filter { $0.type == type }
        let elsewhere = media.indices.filter { $0 != index && media[$0].payloadType != type }
            .flatMap { media[$0].formats }.filter { $0.type == type }
        let chosen = !mine.isEmpty ? mine : formats.isEmpty ? elsewhere : formats.count == 1 ? formats : []
        for format in chosen { media[index].apply(format: format.text) }
    }

    /// Whether the medium leads to the camera's loudspeaker: it is called `sendonly` where another one is called `recvonly`, or
    /// where another one of its kind is not called so. Cameras without a loudspeaker may call all they send `sendonly`.
    func isBackChannel(_ medium: Media) -> Bool {
        guard medium.direction == .sendOnly else { return false }
        return media.contains {
            $0.direction == .receiveOnly || $0.kind == medium.kind && $0.direction != .sendOnly
        }
    }

    /// RFC 3551, table 4 and 5, as far as cameras use them without an rtpmap.
    fileprivate static let staticTypes: [UInt8: (String, Int, Int)] = [
        0: ("PCMU", 8000, 1), 8: ("PCMA", 8000, 1), 10: ("L16", 44100, 2), 11: ("L16", 44100, 1),
        26: ("JPEG", 90000, 1),
    ]
}

extension SDP.Media {
    fileprivate init(_ kind: TrackKind, _ type: UInt8, of types: [UInt8], isEncrypted: Bool) {
        let known = SDP.staticTypes[type] ?? ("", 0, 1)
        self.init(
            kind: kind, payloadType: type, payloadTypes: types, isEncrypted: isEncrypted, encoding: known.0,
            clockRate: known.1, channels: known.2)
    }

    fileprivate mutating func apply(map text: String) {
        let parts = text.split(separator: "/").map { $0.trimmingBlanks }
        guard let encoding = parts.first else { return }
        self.encoding = encoding.uppercased()
        if parts.count > 1, let rate = Int(parts[1]), (1...1_000_000).contains(rate) { clockRate = rate }
        if parts.count > 2, let channels = Int(parts[2]), (1...8).contains(channels) { self.channels = channels }
    }

    fileprivate mutating func apply(format text: String) {
        for pair in text.split(separator: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            format[halves[0].trimmingBlanks.lowercased()] = halves[1].trimmingBlanks
        }
    }

    /// The medium as each of the payload types that are offered codes it.
    var forms: [SDP.Media] {
        guard payloadTypes.count > 1 else { return [self] }
        return payloadTypes.map { type in
            var form = SDP.Media(kind, type, of: [type], isEncrypted: isEncrypted)
            (form.control, form.direction) = (control, direction)
            for map in maps where map.type == type { form.apply(map: map.text) }
            for format in formats where format.type == type { form.apply(format: format.text) }
            return form
        }
    }

    /// Parameter sets of the description, possibly none.
    var parameterSets: [[UInt8]] {
        let names = encoding == "H265" ? ["sprop-vps", "sprop-sps", "sprop-pps"] : ["sprop-parameter-sets"]
        return names.flatMap { name in
            (format[name] ?? "").split(separator: ",").compactMap(Self.bytes).filter { !$0.isEmpty }
        }
    }

    /// What `text` means in Base64, as cameras write it: with blanks, with more or less padding than it needs, or with a letter that
    /// ends no byte.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var letters = text.utf8.filter { $0 != UInt8(ascii: "=") && $0 > 0x20 }
        if letters.count % 4 == 1 { letters.removeLast() }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
        return Base64.bytes(String(decoding: letters + padding, as: UTF8.self))
    }
}
