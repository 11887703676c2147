/// Puts what a talker sends into order again. Bounded: what is beyond `packetsMax` pushes the oldest out. Reads no clock.
struct JitterBuffer {
    /// The most packets that wait.
    static let packetsMax = 50
    /// Behind so many packets one that is missing is not waited for any more.
    static let reorderMax = 5
    /// A number that is farther from the last one than this begins anew.
    static let stepMax: Int64 = 500

    private var waiting: [(number: Int64, packet: SpokenPacket)] = []
    /// The number that is to come, counted on over its wraps; nil before the first.
    private var next: Int64?
    private var source: UInt32 = 0
    /// Packets that came too late, twice, or were too many.
    private(set) var dropped: UInt64 = 0

    /// Takes a packet.
    mutating func put(_ packet: SpokenPacket) {
        if packet.source != source { begin(packet) }
        var number = expand(packet.sequence)
        if let next, (number &- next).magnitude > Self.stepMax.magnitude {
            begin(packet)
            number = expand(packet.sequence)
        }
        if next == nil { next = number }
        let place = waiting.lastIndex { $0.number <= number }
        if let next, number < next { return drop() }
        if let place, waiting[place].number == number { return drop() }
        waiting.insert((number, packet), at: place.map { $0 + 1 } ?? 0)
        guard waiting.count > Self.packetsMax else { return }
        waiting.removeFirst()
        next = waiting.first?.number
        drop()
    }

    /// The next packet in order, and whether packets before it are missing; nil where it is waited for. `isNeeded`: what is missing is
    /// not waited for.
    mutating func take(isNeeded: Bool) -> (packet: SpokenPacket, hasGap: Bool)? {
        guard let first = waiting.first, let next else { return nil }
        guard first.number == next || isNeeded || waiting.count >= Self.reorderMax else { return nil }
        waiting.removeFirst()
        self.next = first.number &+ 1
        return (first.packet, first.number != next)
    }

    private mutating func begin(_ packet: SpokenPacket) {
        dropped &+= UInt64(waiting.count)
        (waiting, next, source) = ([], nil, packet.source)
    }

    private mutating func drop() { dropped &+= 1 }

    /// The number nearest to the one that is to come.
    private func expand(_ sequence: UInt16) -> Int64 {
        guard let next else { return Int64(sequence) }
        return next &+ Int64(Int16(bitPattern: sequence &- UInt16(truncatingIfNeeded: next)))
    }
}
