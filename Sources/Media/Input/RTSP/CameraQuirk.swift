/// What a camera does otherwise than RTSP says, as far as a dial notices it. Each is a row of docs/reference/cameras.md.
public enum CameraQuirk: String, Hashable, Sendable, Codable, CaseIterable {
    /// It closes the connection behind its 401.
    case closesAfterChallenge
    /// It takes a digest of SHA-256 and no other login.
    case demandsSHA256
    /// The numbers of its answers are not those of the requests.
    case otherNumbers
    /// There are bytes between its messages and packets that are neither.
    case strayBytes
    /// Its description has no Content-Type.
    case untypedDescription
    /// The base that it gives for its tracks is no whole address.
    case incompleteBase
    /// It writes a login into its addresses.
    case loginInBase
    /// Its base ends without a slash.
    case baseWithoutSlash
    /// It sends on other channels than it was asked for.
    case otherChannels
    /// Its answer to SETUP names no channels.
    case unnamedChannels
    /// It wants the other transport than it was asked for.
    case otherTransport
    /// It sends packets before it answers PLAY.
    case earlyPackets
    /// Packets of other senders come in its channels.
    case foreignPackets
    /// It refuses a keep-alive that it lists.
    case refusedKeepAlive
    /// It has no session left.
    case noSessionLeft

    /// The row of docs/reference/cameras.md.
    public var row: Int {
        switch self {
        case .closesAfterChallenge: 1
        case .demandsSHA256: 2
        case .otherNumbers: 8
        case .strayBytes: 11
        case .untypedDescription: 12
        case .incompleteBase: 16
        case .loginInBase: 17
        case .baseWithoutSlash: 18
        case .otherChannels: 23
        case .unnamedChannels: 24
        case .otherTransport: 29
        case .earlyPackets: 35
        case .foreignPackets: 36
        case .refusedKeepAlive: 37
        case .noSessionLeft: 43
        }
    }

    /// In words, behind "the camera".
    public var words: String {
        switch self {
        case .closesAfterChallenge: "closes the connection behind its 401"
        case .demandsSHA256: "takes a digest of SHA-256 and no other login"
        case .otherNumbers: "answers with other numbers than the requests have"
        case .strayBytes: "sends bytes that are neither message nor packet"
        case .untypedDescription: "leaves out the Content-Type of its description"
        case .incompleteBase: "gives a base for its tracks that is no whole address"
        case .loginInBase: "writes a login into its addresses"
        case .baseWithoutSlash: "leaves out the slash at the end of its base"
        case .otherChannels: "sends on other channels than it was asked for"
        case .unnamedChannels: "names no channels in its answer to SETUP"
        case .otherTransport: "wants the other transport than it was asked for"
        case .earlyPackets: "sends packets before it answers PLAY"
        case .foreignPackets: "sends packets of other senders among its own"
        case .refusedKeepAlive: "refuses a keep-alive that it lists"
        case .noSessionLeft: "has no session left"
        }
    }
}

/// What a dial has learnt of a camera besides its tracks. No secret is in it.
public struct DialFacts: Hashable, Sendable {
    /// What the camera calls itself (`Server`), as it says it.
    public internal(set) var server: String?
    /// How its packets come.
    public internal(set) var transport: RTPTransport
    /// Whether the connection is encrypted.
    public internal(set) var isEncrypted: Bool
    /// The login that it takes: `Basic`, `Digest MD5` and the like; nil where it asked for none.
    public internal(set) var login: String?
    /// The requests that it may take for a sign of life, the one in use first.
    public internal(set) var keepAlive: [String]
    /// After how many milliseconds without one it forgets the session.
    public internal(set) var sessionMs: Int64
    /// What it does otherwise.
    public internal(set) var quirks: Set<CameraQuirk>
}
