import Machines

/// A packet that waits until it is known what it is.
struct HeldPacket {
    let bytes: [UInt8]
    let arrivalMs: Int64
}

/// Decides which packets of a channel are the camera's own (H4). A sender is a source number (SSRC) with a payload type.
/// One sender is held on to; what comes from another one is kept aside, and is taken only when the first one has fallen
/// silent meanwhile: then nothing of it is lost. A sender that was announced is preferred to one that was not.
struct PacketOwner {
    /// What to do with a packet.
    enum Verdict: Hashable {
        /// It belongs to the stream.
        case own
        /// It belongs to somebody else.
        case foreign
        /// It is kept aside; the owner has a copy.
        case held
        /// From here on its sender is the stream's: first what `takeHeld` gives, then this packet.
        case takeOver
    }

    private struct Sender: Hashable {
        let source: UInt32
        let payloadType: UInt8
    }

    /// How long another sender must have been alone before it is followed, in milliseconds: twice the longest silence of the
    /// present one, within these bounds.
    static let aloneMs: ClosedRange<Int64> = 500...5_000
    /// What is kept of a sender that may have to be followed; with more than that it is followed at once.
    static let heldPacketsMax = 4_096
    static let heldBytesMax = 4 << 20

    private let payloadType: UInt8
    private var announced: Set<UInt32> = []
    private var current: Sender?
    private var lastMs: Int64 = 0
    private var longestSilenceMs: Int64 = 0
    private var rival: Sender?
    private var rivalSinceMs: Int64 = 0
    private var held: [HeldPacket] = []
    private var heldBytes = 0
    /// Another sender was heard beside the present one: numbers that go on from one to the other say nothing.
    private var isShared = false
    /// Packets of others so far.
    private(set) var foreign: UInt64 = 0

    /// `payloadType`: the one that the description names.
    init(payloadType: UInt8) { self.payloadType = payloadType }

    /// The camera said that its packets have one of these source numbers. It need not be true.
    mutating func announce(_ sources: some Sequence<UInt32>) { announced.formUnion(sources) }

    /// Judges a packet. `continues`: its number and time are the ones that come next in the stream.
    mutating func judge(
        _ packet: RTPPacket, _ bytes: UnsafeRawBufferPointer, at nowMs: Int64, continues: Bool
    ) -> Verdict {
        let sender = Sender(source: packet.source, payloadType: packet.payloadType)
        if sender == current {
            longestSilenceMs = max(longestSilenceMs, nowMs - lastMs)
            lastMs = nowMs
            if rival != nil { dropRival() }
            return .own
        }
        if rank(sender) > rank(current) {
            if rival != sender { dropHeld() }
            return follow(sender, at: nowMs)
        }
        if continues, !isShared, sender.payloadType == current?.payloadType {
            // A camera that gives each packet a source number of its own.
            current = sender
            lastMs = nowMs
            return .own
        }
        if rival == nil {
            rival = sender
            rivalSinceMs = nowMs
        }
        guard sender == rival else {
            foreign += 1
            return .foreign
        }
        let alone = max(PacketOwner.aloneMs.lowerBound, min(PacketOwner.aloneMs.upperBound, longestSilenceMs * 2))
        let isFull =
            held.count >= PacketOwner.heldPacketsMax || heldBytes + bytes.count > PacketOwner.heldBytesMax
        if isFull || nowMs - rivalSinceMs >= alone { return follow(sender, at: nowMs) }
        held.append(HeldPacket(bytes: [UInt8](bytes), arrivalMs: nowMs))
        heldBytes += bytes.count
        return .held
    }

    /// What was kept aside of the sender that is followed now, in the order of arrival.
    mutating func takeHeld() -> [HeldPacket] {
        defer {
            held = []
            heldBytes = 0
        }
        return held
    }

    /// The stream has ended. What is kept aside is the stream's where nothing came from anybody else since.
    mutating func takeRest() -> [HeldPacket] {
        guard current == nil || !isShared else {
            dropHeld()
            return []
        }
        return takeHeld()
    }

    /// A described payload type counts for more than an announced source: the latter is often wrong.
    private func rank(_ sender: Sender?) -> Int {
        guard let sender else { return 1 }
        return (sender.payloadType == payloadType ? 2 : 0) + (announced.contains(sender.source) ? 1 : 0)
    }

    private mutating func follow(_ sender: Sender, at nowMs: Int64) -> Verdict {
        current = sender
        rival = nil
        lastMs = nowMs
        longestSilenceMs = 0
        return .takeOver
    }

    private mutating func dropRival() {
        rival = nil
        isShared = true
        dropHeld()
    }

    private mutating func dropHeld() {
        foreign += UInt64(held.count)
        held.removeAll(keepingCapacity: true)
        heldBytes = 0
    }
}
