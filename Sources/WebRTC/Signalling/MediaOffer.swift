/// One medium of an offer.
public struct MediaOffer: Hashable, Sendable {
    /// A format that is offered.
    struct Format: Hashable, Sendable {
        /// The payload type, 0…127.
        let payloadType: UInt8
        /// The name of the encoding in capitals, such as `H264`.
        var name = ""
        /// Ticks a second of its times.
        var clockRate = 0
        /// Channels of sound.
        var channels = 1
        /// Its parameters as they stand there.
        var parameters = ""
        /// What of feedback is offered for it, such as `nack pli`.
        var feedback: [String] = []

        /// A parameter by its name.
        func parameter(_ name: String) -> Substring? {
            for part in parameters.split(separator: ";") {
                let pair = part.split(separator: "=", maxSplits: 1)
                if pair.count == 2, pair[0].drop(while: { $0 == " " }).lowercased() == name { return pair[1] }
            }
            return nil
        }
    }

    /// Which end begins the handshake of DTLS (RFC 8842).
    enum Setup: String, Hashable, Sendable {
        case actpass
        case active
        case passive
    }

    /// The most bytes of an encoding's name, and of one kind of feedback: longer ones are none that are known.
    static let wordBytesMax = 32

    /// `video`, `audio` or another one.
    public let kind: String
    /// What carries it.
    let protocolName: String
    /// The formats as the line names them.
    let formats: [String]
    /// Those of them that are payload types, with what is told of them.
    private(set) var described: [Format] = []
    /// Its name; empty where it has none.
    private(set) var mid = ""
    /// Whether its sender takes media. Port 0 refuses it, unless it goes over the port of another one (RFC 9143, 6).
    var receives: Bool { takesMedia && (!hasNoPort || isBundledOnly) }
    /// Whether its sender gives media.
    var sends: Bool { givesMedia && (!hasNoPort || isBundledOnly) }
    private var (takesMedia, givesMedia) = (true, true)
    private var hasNoPort = false
    private var isBundledOnly = false
    /// What checks are signed with (RFC 8839, 5.4).
    private(set) var user = ""
    private(set) var password = ""
    /// The sums of the sender's certificate.
    private(set) var fingerprints: [Fingerprint] = []
    private(set) var setup: Setup?
    /// Whether RTP and RTCP share a transport (RFC 5761).
    private(set) var hasMultiplexing = false

    init(kind: String, protocolName: String, formats: [String]) {
        (self.kind, self.protocolName, self.formats) = (kind, protocolName, formats)
    }

    /// Reads the line of a medium; what `session` tells holds for it unless it says otherwise.
    init(_ line: Substring, of session: MediaOffer) throws(OfferFault) {
        let words = line.words(3 + SessionOffer.formatsMax)
        guard words.count >= 4, words[0].utf8.allSatisfy(Self.isToken), words[2].utf8.count <= 64,
            words[3...].allSatisfy({ $0.utf8.count <= 64 })
        else { throw .malformed("the line of a medium is not of the form m=kind port protocol formats") }
        (kind, protocolName, formats) = (words[0], words[2], Array(words[3...]))
        (user, password) = (session.user, session.password)
        (fingerprints, setup) = (session.fingerprints, session.setup)
        (takesMedia, givesMedia) = (session.takesMedia, session.givesMedia)
        hasNoPort = words[1] == "0"
        guard protocolName.contains("RTP/") else { return }
        described = formats.compactMap { text in
            Self.payloadType(text[...]).map { Format(payloadType: $0) }
        }
        // What RFC 3551 gives these numbers needs no line.
        for index in described.indices {
            switch described[index].payloadType {
            case 0: (described[index].name, described[index].clockRate) = ("PCMU", 8_000)
            case 8: (described[index].name, described[index].clockRate) = ("PCMA", 8_000)
            default: break
            }
        }
    }

    /// Takes an attribute.
    mutating func take(_ value: Substring) {
        switch value {
        case "sendrecv": (takesMedia, givesMedia) = (true, true)
        case "sendonly": (takesMedia, givesMedia) = (false, true)
        case "recvonly": (takesMedia, givesMedia) = (true, false)
        case "inactive": (takesMedia, givesMedia) = (false, false)
        case "bundle-only": isBundledOnly = true
        case "rtcp-mux": hasMultiplexing = true
        default: takeNamed(value)
        }
    }

    private mutating func takeNamed(_ value: Substring) {
        if let name = value.after("mid:"), name.utf8.count <= 32, name.utf8.allSatisfy(Self.isToken) {
            mid = String(name)
        } else if let text = value.after("ice-ufrag:"), (4...256).contains(text.utf8.count) {
            user = String(text)
        } else if let text = value.after("ice-pwd:"), (22...256).contains(text.utf8.count) {
            password = String(text)
        } else if let text = value.after("fingerprint:"), let fingerprint = Fingerprint(text), fingerprints.count < 8 {
            fingerprints.append(fingerprint)
        } else if let text = value.after("setup:") {
            setup = Setup(rawValue: String(text))
        } else if let text = value.after("rtpmap:") {
            change(text) { format, rest in
                let parts = rest.split(separator: "/")
                guard parts.count >= 2, parts[0].utf8.count <= Self.wordBytesMax, let rate = Int(parts[1]),
                    (1...1_000_000).contains(rate)
                else { return }
                (format.name, format.clockRate) = (parts[0].uppercased(), rate)
                if parts.count > 2, let channels = Int(parts[2]), (1...8).contains(channels) {
                    format.channels = channels
                }
            }
        } else if let text = value.after("fmtp:") {
            change(text) { format, rest in if rest.utf8.count <= 512 { format.parameters = String(rest) } }
        } else if let text = value.after("rtcp-fb:") {
            if let rest = text.after("* ") {
                for index in described.indices { described[index].takeFeedback(rest) }
            } else {
                change(text) { $0.takeFeedback($1) }
            }
        }
    }

    /// Changes the format that a text begins with.
    private mutating func change(_ text: Substring, _ body: (inout Format, Substring) -> Void) {
        guard let blank = text.firstIndex(of: " "), let type = Self.payloadType(text[..<blank]),
            let index = described.firstIndex(where: { $0.payloadType == type })
        else { return }
        body(&described[index], text[text.index(after: blank)...])
    }

    /// A payload type in decimal digits, at most 127.
    private static func payloadType(_ text: Substring) -> UInt8? {
        UInt8(text, radix: 10).flatMap { $0 < 128 ? $0 : nil }
    }

    /// RFC 8866, 9: what names are made of.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7E: true
        default: false
        }
    }
}

extension MediaOffer.Format {
    fileprivate mutating func takeFeedback(_ text: Substring) {
        if feedback.count < 16, text.utf8.count <= MediaOffer.wordBytesMax { feedback.append(String(text)) }
    }
}
