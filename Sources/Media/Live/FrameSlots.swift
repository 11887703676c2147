internal import Synchronization

/// The slots in which one reader of shared memory is given frames: which are free, and which it has. Who decodes takes them; they are
/// given back from any thread.
public final class FrameSlots: Sendable {
    /// A slot that is taken.
    public struct Slot: Sendable {
        /// Its number.
        public let number: UInt8
        /// How long its frame is.
        public let bytes: Int
        /// Where it lies.
        public let memory: FrameMemory

        /// Where it begins.
        var begin: UnsafeMutableRawPointer { memory.begin(ofSlot: Int(number &- memory.first)) }
    }

    /// How many there are: one that is made, one on its way, and two at the reader.
    public static let count = 4

    private struct State {
        var memory: FrameMemory?
        var free: [UInt8] = []
        var taken: Set<UInt8> = []
        /// What the reader has of memory that was replaced; their numbers are not given anew before long.
        var late: Set<UInt8> = []
        var misused: UInt8?
        var isOver = false
    }

    private let state = Mutex(State())

    /// No slots; the first frame that wants one makes them.
    public init() {}

    /// Whether the reader has all of them.
    public var areTaken: Bool { state.withLock { $0.memory != nil && $0.free.isEmpty } }

    /// The number that was given back and that the reader did not have; nil where none was.
    public var misused: UInt8? { state.withLock { $0.misused } }

    /// A free slot for a frame of so many bytes; nil where the reader has all of them. What is too small is replaced. For one thread
    /// at a time. Throws `budget` where there is no memory.
    func take(_ bytes: Int, _ budget: DecoderBudget) throws(FrameDecoderError) -> Slot? {
        try fit(bytes, budget)
        return state.withLock { state in
            guard let memory = state.memory, let number = state.free.popLast() else { return nil }
            state.taken.insert(number)
            return Slot(number: number, bytes: bytes, memory: memory)
        }
    }

    /// Gives a slot back; false where the reader did not have it, which ends it.
    public func giveBack(_ number: UInt8) -> Bool {
        state.withLock { state in
            if state.taken.remove(number) != nil {
                state.free.append(number)
                return true
            }
            if state.late.remove(number) != nil { return true }
            state.misused = state.misused ?? number
            return false
        }
    }

    /// Lets the memory go; nothing more is put into it.
    public func end() { state.withLock { ($0.memory, $0.free, $0.isOver) = (nil, [], true) } }

    private func fit(_ bytes: Int, _ budget: DecoderBudget) throws(FrameDecoderError) {
        let first = state.withLock { state -> UInt8? in
            if state.isOver { return nil }
            if let memory = state.memory, bytes <= memory.slotBytes { return nil }
            let next = state.memory.map { $0.first &+ UInt8(clamping: Self.count) } ?? 0
            // What was there goes first, so that there is room for what comes.
            state.late.formUnion(state.taken)
            (state.memory, state.free, state.taken) = (nil, [], [])
            return next
        }
        guard let first else { return }
        guard let memory = FrameMemory(slots: Self.count, bytes: bytes, first: first, budget: budget) else {
            throw .budget
        }
        state.withLock { state in
            guard !state.isOver else { return }
            state.memory = memory
            state.free = (0..<Self.count).map { first &+ UInt8(clamping: $0) }.reversed()
            state.late.subtract(state.free)
        }
    }
}
