import CLibav

/// Answers a camera's challenge (RFC 2617 and 7616): digest with MD5 or SHA-256 before basic.
struct RTSPLogin {
    private let credential: CameraCredential
    private var challenge: Challenge?
    private var uses: UInt32 = 0
    /// Not a secret: it only makes two answers to one challenge differ.
    private let clientNonce: String

    private enum Challenge {
        case basic
        case digest(realm: String, nonce: String, opaque: String?, hash: Hash, hasQuality: Bool)
    }

    private enum Hash: String {
        case md5 = "MD5"
        case sha256 = "SHA-256"
    }

    init(credential: CameraCredential) {
        self.credential = credential
        var generator = SystemRandomNumberGenerator()
        clientNonce = String(generator.next(), radix: 16)
    }

    /// Takes the challenges of a 401; false when none of them can be answered.
    mutating func challenged(_ fields: [String]) -> Bool {
        uses = 0
        let digests = fields.compactMap(RTSPLogin.digest)
        let strongest = digests.first { if case .digest(_, _, _, .sha256, _) = $0 { true } else { false } }
        let isBasic = fields.contains { $0.lowercased().hasPrefix("basic") }
        challenge = strongest ?? digests.first ?? (isBasic ? .basic : nil)
        return challenge != nil
    }

    /// The Authorization field for a request; nil before the first challenge.
    mutating func authorization(method: String, uri: String) -> String? {
        switch challenge {
        case nil: return nil
        case .basic:
            return "Basic " + Base64.encode(Array((credential.user + ":" + credential.password).utf8))
        case .digest(let realm, let nonce, let opaque, let hash, let hasQuality):
            uses += 1
            let first = RTSPLogin.hex("\(credential.user):\(realm):\(credential.password)", hash)
            let second = RTSPLogin.hex("\(method):\(uri)", hash)
            let count = String(repeating: "0", count: 8 - String(uses, radix: 16).count) + String(uses, radix: 16)
            let middle = hasQuality ? "\(nonce):\(count):\(clientNonce):auth" : nonce
            let response = RTSPLogin.hex("\(first):\(middle):\(second)", hash)
            var text =
                "Digest username=\"\(RTSPLogin.quoted(credential.user))\", realm=\"\(realm)\", nonce=\"\(nonce)\", "
            text += "uri=\"\(uri)\", response=\"\(response)\""
            if hash == .sha256 { text += ", algorithm=SHA-256" }
            if let opaque { text += ", opaque=\"\(opaque)\"" }
            if hasQuality { text += ", qop=auth, nc=\(count), cnonce=\"\(clientNonce)\"" }
            return text
        }
    }

    private static func digest(_ field: String) -> Challenge? {
        guard field.lowercased().hasPrefix("digest") else { return nil }
        let values = parameters(field.dropFirst(6))
        guard let realm = values["realm"], let nonce = values["nonce"] else { return nil }
        let algorithm = (values["algorithm"] ?? "MD5").uppercased()
        guard let hash = Hash(rawValue: algorithm) else { return nil }
        let qualities = (values["qop"] ?? "").lowercased().split(separator: ",").map { $0.trimmingBlanks }
        return .digest(
            realm: realm, nonce: nonce, opaque: values["opaque"], hash: hash, hasQuality: qualities.contains("auth"))
    }

    /// `name=value, name="value, with comma"`.
    static func parameters(_ text: some StringProtocol) -> [String: String] {
        var values: [String: String] = [:]
        var rest = Substring(text)
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].trimmingBlanks.lowercased()
            rest = rest[rest.index(after: equals)...].drop { $0 == " " }
            if rest.first == "\"" {
                rest = rest.dropFirst()
                let close = rest.firstIndex(of: "\"") ?? rest.endIndex
                values[name] = String(rest[..<close])
                rest = rest[close...].dropFirst()
            } else {
                let comma = rest.firstIndex(of: ",") ?? rest.endIndex
                values[name] = rest[..<comma].trimmingBlanks
                rest = rest[comma...]
            }
            rest = rest.drop { $0 == "," || $0 == " " || $0 == ";" }
        }
        return values
    }

    /// Fit to stand between quotation marks: no user name can end the field or the line.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for character in text.unicodeScalars where character.value >= 0x20 {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted
    }

    private static func hex(_ text: String, _ hash: Hash) -> String {
        let bytes = Array(text.utf8)
        var sum = [UInt8](repeating: 0, count: hash == .md5 ? 16 : 32)
        switch hash {
        case .md5: av_md5_sum(&sum, bytes, bytes.count)
        case .sha256:
            guard let context = av_sha_alloc() else { return "" }
            defer { av_free(UnsafeMutableRawPointer(context)) }
            av_sha_init(context, 256)
            av_sha_update(context, bytes, bytes.count)
            av_sha_final(context, &sum)
        }
        return sum.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// RFC 4648, section 4.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for begin in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[begin..<min(begin + 3, bytes.count)]
            let word = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(16 - 8 * $1.offset) }
            for index in 0..<4 {
                let isThere = index <= group.count
                text.append(isThere ? alphabet[Int(word >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What `text` codes; blanks are passed over, nil when another character is in it.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var word: UInt32 = 0
        var bits = 0
        for byte in text.utf8 where byte != UInt8(ascii: "=") && byte > 0x20 {
            guard let value = alphabet.firstIndex(of: byte) else { return nil }
            word = word << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
            }
        }
        return bytes
    }
}
