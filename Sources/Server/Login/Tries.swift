internal import Foundation

/// Counts wrong tries to log in, of each address and each token that is claimed: so many within a time, then no more is
/// looked at. Who guesses keeps nobody else out, because the tries of another address, and those for another token, are
/// counted apart. The table is bounded.
struct Tries: Sendable {
    /// What is counted together.
    struct Key: Hashable, Sendable {
        /// An address, of IPv6 the first 64 bits, which belong to one household.
        let network: String
        /// The ID of the token that is claimed, where there is a token of this ID; nil for what is no token at all.
        let token: String?

        init(address: String, token: String?) {
            network = Tries.network(of: address)
            self.token = token
        }
    }

    private struct Entry {
        var count: Int
        let since: Int64
    }

    private var entries: [Key: Entry] = [:]

    /// Whether another try may be looked at. `now` in milliseconds of a clock that is never set.
    func allows(_ key: Key, now: Int64) -> Bool {
        guard let entry = entries[key], now - entry.since < LoginBounds.triesMs else { return true }
        return entry.count < LoginBounds.triesMax
    }

    /// A try was wrong. Whether it is the first that reaches the bound.
    mutating func failed(_ key: Key, now: Int64) -> Bool {
        var entry = entries[key] ?? Entry(count: 0, since: now)
        if now - entry.since >= LoginBounds.triesMs { entry = Entry(count: 0, since: now) }
        entry.count += 1
        if entries[key] == nil, entries.count >= LoginBounds.triersMax { makeRoom(now) }
        entries[key] = entry
        return entry.count == LoginBounds.triesMax
    }

    /// How many are counted.
    var count: Int { entries.count }

    private mutating func makeRoom(_ now: Int64) {
        entries = entries.filter { now - $0.value.since < LoginBounds.triesMs }
        guard entries.count >= LoginBounds.triersMax, let oldest = entries.min(by: { $0.value.since < $1.value.since })
        else { return }
        entries[oldest.key] = nil
    }

    /// The part of an address by which tries are counted.
    static func network(of address: String) -> String {
        guard address.contains(":"), !address.contains(".") else { return address }
        let halves = address.components(separatedBy: "::")
        let head = halves[0].split(separator: ":")
        guard halves.count > 1 else { return head.prefix(4).joined(separator: ":") }
        let tail = halves[1].split(separator: ":")
        let zeros = Array(repeating: Substring("0"), count: max(0, 8 - head.count - tail.count))
        return (head + zeros + tail).prefix(4).joined(separator: ":")
    }
}
