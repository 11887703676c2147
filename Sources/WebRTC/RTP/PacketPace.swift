/// How fast packets go to one viewer: a group of pictures that is sent at once would run over what its system keeps for it.
struct PacketPace {
    /// How many packets may go within a millisecond, in the long run: some 48 Mbit/s.
    static let packetsOfMs: Int64 = 5
    /// How many may go at once, at most: a third of what Linux keeps for a socket by its standards.
    static let packetsMax: Int64 = 32

    private var left = packetsMax
    private var atMs: Int64 = 0

    /// How many of `count` packets may go now; those are taken to go.
    mutating func take(_ count: Int, nowMs: Int64) -> Int {
        let passed = max(0, min(1_000, nowMs - atMs))
        left = min(Self.packetsMax, left + passed * Self.packetsOfMs)
        atMs = nowMs
        let taken = min(left, Int64(clamping: count))
        left -= taken
        return Int(taken)
    }
}
