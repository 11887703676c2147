import Hashing

/// Answers a camera's challenge over RTSP or HTTP (RFC 2617, 7616 and 7617): digest with SHA-256 or MD5 before basic. Every text in
/// it is `Latin1`, so that a realm of any coding is signed and said back as it came.
package struct CameraLogin: Sendable {
    private let user: String
    private let password: String
    private var challenge: Challenge?
    private var uses: UInt32 = 0
    /// Not a secret: it only makes two answers to one challenge differ.
    private let clientNonce: String
    /// Whether a basic login, which holds the password itself, may be sent.
    private let mayTellPassword: Bool
    /// Whether the camera takes no login but a basic one, which is not sent.
    package private(set) var isHeldBack = false
    /// Whether the camera takes a digest of SHA-256 and nothing else.
    private(set) var demandsSHA256 = false

    private enum Challenge: Sendable {
        case basic
        case digest(Digest)
    }

    private struct Digest: Sendable {
        let realm: String
        let nonce: String
        let opaque: String?
        let hash: Hash
        /// Whether the key is made of both nonces too (`MD5-sess`).
        let isSession: Bool
        let hasQuality: Bool

        var algorithm: String { hash.rawValue + (isSession ? "-sess" : "") }
    }

    private enum Hash: String {
        case md5 = "MD5"
        case sha256 = "SHA-256"
    }

    /// A login that has not been asked for. `isSecure`: nobody on the way can read it.
    package init(credential: CameraCredential, isSecure: Bool) {
        mayTellPassword = isSecure || credential.allowsBasic
        user = Latin1.text(credential.user.utf8)
        password = Latin1.text(credential.password.utf8)
        var generator = SystemRandomNumberGenerator()
        clientNonce = String(generator.next(), radix: 16)
    }

    /// Takes the challenges of a 401; false when none of them can be answered.
    package mutating func challenged(_ fields: [String]) -> Bool {
        uses = 0
        let offers = fields.flatMap(AuthenticationOffer.read)
        let digests = offers.compactMap(CameraLogin.digest)
        let strongest = digests.first { $0.hash == .sha256 } ?? digests.first
        let hasBasic = offers.contains { $0.scheme == "basic" }
        let isBasic = hasBasic && mayTellPassword
        demandsSHA256 = !hasBasic && !digests.isEmpty && digests.allSatisfy { $0.hash == .sha256 }
        isHeldBack = strongest == nil && hasBasic && !mayTellPassword
        challenge = strongest.map { .digest($0) } ?? (isBasic ? .basic : nil)
        return challenge != nil
    }

    /// The scheme in use, for people; nil before the first challenge.
    package var scheme: String? {
        switch challenge {
        case nil: nil
        case .basic: "Basic"
        case .digest(let digest): "Digest \(digest.algorithm)"
        }
    }

    /// The Authorization field for a request; nil before the first challenge.
    package mutating func authorization(method: String, uri: String) -> String? {
        switch challenge {
        case nil: return nil
        case .basic: return "Basic " + Base64.text(Latin1.bytes(user + ":" + password))
        case .digest(let digest):
            uses &+= 1
            let digits = String(uses, radix: 16)
            let count = String(repeating: "0", count: 8 - digits.count) + digits
            let hash = digest.hash
            var first = CameraLogin.hex("\(user):\(digest.realm):\(password)", hash)
            if digest.isSession { first = CameraLogin.hex("\(first):\(digest.nonce):\(clientNonce)", hash) }
            let second = CameraLogin.hex("\(method):\(uri)", hash)
            let middle = digest.hasQuality ? "\(digest.nonce):\(count):\(clientNonce):auth" : digest.nonce
            let response = CameraLogin.hex("\(first):\(middle):\(second)", hash)
            // The blanks behind the commas are what some cameras look for.
            var text = "Digest username=\"\(CameraLogin.quoted(user))\", realm=\"\(digest.realm)\", "
            text += "nonce=\"\(digest.nonce)\", uri=\"\(uri)\", response=\"\(response)\""
            if digest.algorithm != Hash.md5.rawValue { text += ", algorithm=\(digest.algorithm)" }
            if let opaque = digest.opaque { text += ", opaque=\"\(opaque)\"" }
            if digest.hasQuality { text += ", qop=auth, nc=\(count)" }
            if digest.hasQuality || digest.isSession { text += ", cnonce=\"\(clientNonce)\"" }
            return text
        }
    }

    private static func digest(_ offer: AuthenticationOffer) -> Digest? {
        let values = offer.parameters
        guard offer.scheme == "digest", let realm = values["realm"], let nonce = values["nonce"] else { return nil }
        var algorithm = (values["algorithm"] ?? "MD5").uppercased()
        let isSession = algorithm.hasSuffix("-SESS")
        if isSession { algorithm.removeLast(5) }
        guard let hash = Hash(rawValue: algorithm) else { return nil }
        let qualities = (values["qop"] ?? "").lowercased().split(separator: ",").map { $0.trimmingBlanks }
        return Digest(
            realm: realm, nonce: nonce, opaque: values["opaque"], hash: hash, isSession: isSession,
            hasQuality: qualities.contains("auth"))
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
        let bytes = Latin1.bytes(text)
        return Hex.text(hash == .md5 ? MD5.value(of: bytes) : SHA256.value(of: bytes).bytes)
    }
}
