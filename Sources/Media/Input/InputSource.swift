/// Who logs in to a camera. Never part of an address, a description or an error.
public struct CameraCredential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    package let user: String
    package let password: String
    /// Whether a camera that asks for a basic login over an unencrypted connection gets the password, which anybody on the
    /// way can read then.
    package let allowsBasic: Bool

    /// A user and a password; unless `allowsBasic`, the password is never sent in clear.
    public init(user: String, password: String, allowsBasic: Bool = false) {
        self.user = user
        self.password = password
        self.allowsBasic = allowsBasic
    }

    /// Says that there is one, and nothing of it.
    public var description: String { "credential (hidden)" }
    /// Shows nothing to `dump` and the debugger.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How RTP comes.
public enum RTPTransport: String, Hashable, Sendable, Codable, CaseIterable {
    /// Interleaved in the RTSP connection.
    case tcp
    /// In datagrams of its own.
    case udp
}

/// What is demanded of TLS (`rtsps:`).
public struct TLSRules: Hashable, Sendable {
    /// What a certificate must be.
    public enum Verification: String, Hashable, Sendable, CaseIterable {
        /// Signed by an authority that is believed, valid today, and for the host that is dialled.
        case full
        /// The same, for whatever host.
        case chain
        /// Anything.
        case none
    }

    /// File with the authorities that are believed (PEM); nil: the system's.
    public var authorityFile: String?
    /// What the camera's certificate must be.
    public var verification: Verification

    /// Rules; the certificate is checked against the system's authorities unless said otherwise.
    public init(authorityFile: String? = nil, verification: Verification = .full) {
        self.authorityFile = authorityFile
        self.verification = verification
    }
}

/// Where a camera's packets come from.
public enum InputSource: Hashable, Sendable {
    /// A camera at an `rtsp:` or `rtsps:` address.
    case rtsp(
        RTSPAddress, credential: CameraCredential? = nil, transport: RTPTransport = .tcp, tls: TLSRules = TLSRules(),
        g726: G726Order = .auto, habits: CameraHabits = CameraHabits())
    /// A media file, read in real time; `looped`: again and again, as one stream.
    case file(path: String, looped: Bool = true)
    /// The built-in demo camera.
    case demo(DemoOptions)
    /// What is pushed to a publishing point.
    case push(PublishingPoint)
}

/// The address of a stream, without credential.
public struct RTSPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Why a text is no address that Vigil takes.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// It does not begin with `rtsp://` or `rtsps://`.
        case scheme
        /// It has no host, or a port outside of 1…65535.
        case host
        /// It holds a user or a password; these belong into the credential.
        case credential
        /// It holds spaces, control characters or other than ASCII.
        case characters

        /// What is wrong and what to write instead.
        public var description: String {
            switch self {
            case .scheme: "The address must begin with rtsp:// or rtsps://."
            case .host: "The address needs a host, and a port from 1 to 65535 if any."
            case .credential: "The address must not hold a user or password; name a credential instead."
            case .characters: "The address must be ASCII without spaces; percent-encode the rest."
            }
        }
    }

    /// Whether TLS is used.
    public let isSecure: Bool
    /// Name or address of the host, without brackets.
    public let host: String
    /// Port, 554 (322 with TLS) unless given.
    public let port: UInt16
    /// The whole address as it is sent to the camera.
    public let text: String

    /// The whole address; it holds no credential.
    public var description: String { text }

    /// Reads an address.
    public init(_ text: String) throws(Refusal) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .characters }
        let lower = text.lowercased()
        let scheme = lower.hasPrefix("rtsp://") ? "rtsp://" : lower.hasPrefix("rtsps://") ? "rtsps://" : nil
        guard let scheme else { throw .scheme }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { throw .credential }
        var host = authority
        var port = ""[...]
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { throw .host }
            host = authority[authority.index(after: authority.startIndex)..<close]
            port = authority[authority.index(after: close)...]
        } else if let colon = authority.lastIndex(of: ":") {
            host = authority[..<colon]
            port = authority[colon...]
        }
        guard !host.isEmpty, port.isEmpty || port.hasPrefix(":") else { throw .host }
        isSecure = scheme == "rtsps://"
        self.host = String(host)
        let digits = port.dropFirst()
        if !digits.isEmpty {
            guard let number = UInt16(digits, radix: 10), number > 0 else { throw .host }
            self.port = number
        } else {
            self.port = isSecure ? 322 : 554
        }
        self.text = text
    }
}
