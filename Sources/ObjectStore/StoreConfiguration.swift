/// How a store is spoken to.
public struct StoreConfiguration: Sendable {
    /// Where the bucket is.
    public var address: StoreAddress
    /// Which sum is sent along and asked for again; stores that keep none are verified by entity tag, or by reading.
    public var checksum: ChecksumAlgorithm = .crc32c
    /// A file with the certificates that are trusted, in PEM; nil for the system's.
    public var caFile: String?
    /// How long no byte may move in a transfer, in seconds. There is no bound on the whole: a large object over a thin line takes
    /// as long as it takes.
    public var quietSecondsMax = 60
    /// How long a connection may take to be made, in seconds.
    public var connectSecondsMax = 10
    /// How many requests may be under way at a time.
    public var connectionsMax = 16
    /// Whether the body's digest is signed although TLS protects it. Without TLS it always is.
    var signsSecurePayload = false
    /// What all transfers together may take of the line; nil for as much as there is.
    public var bandwidth: BandwidthLimit?
    /// The clocks.
    public var clock = StoreClock.system

    /// The usual values for an address.
    public init(address: StoreAddress) { self.address = address }
}
