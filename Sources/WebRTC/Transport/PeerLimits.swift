/// The bounds of WebRTC.
public enum PeerLimits {
    /// The most viewers at a time. Each takes up to 700 KB for what it may ask for again.
    public static let peersMax = 64
    /// The most memory that they take together, in bytes: of each its packets, and as much as its DTLS and SRTP take.
    public static let memoryBytes = peersMax * (PacketHistory.packetsMax * PacketHistory.packetBytes + 256 << 10)
    /// The most bytes of a packet of RTP before it is protected: with what comes around it, it fits where IPv6 has to (1 280 bytes).
    static let packetBytes = 1_200
    /// The longest datagram that is taken, in bytes.
    static let datagramBytes = 2_048
    /// How many datagrams are taken before anything else is done.
    static let datagramsOfTurn = 64
    /// A viewer that is not connected after so many milliseconds is over.
    static let connectMsMax: Int64 = 15_000
    /// One of whom nothing signed was heard for so many milliseconds is gone; RFC 7675, 5.1 has 30 s.
    static let consentMsMax: Int64 = 25_000
    /// How often reports are sent, in milliseconds.
    static let reportMs: Int64 = 1_000
    /// How many packets are sent again to a viewer within a second; at least so many may be, else half as many as it was sent.
    static let againMax = 1_000
    static let againMin = 100
    /// How many packets of sound are taken of a viewer within a second: one lasts 10 ms at least.
    static let heardMax = 200
    /// From how many places a viewer may be heard.
    static let pathsMax = 8
    /// How long packets wait that may not go at once, in milliseconds.
    static let paceMs: Int64 = 2
    /// How often each viewer is looked after, in milliseconds.
    static let tickMs: Int64 = 100
}
