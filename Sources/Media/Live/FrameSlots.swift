internal import Synchronization

/// The slots in which one reader of shared memory is given frames: which are free, and which it has. Who decodes takes them; they are
/// given back from any thread.
public final class FrameSlots: Sendable {
    /// Where a frame lies.
    public struct Place: Sendable {
        /// The number of its slot.
        public let number: UInt8
        /// How long it is.
        public let bytes: Int
        /// In which memory its slot is, from 1.
        public let generation: Int
    }

    /// Memory, as its reader is told of it.
    public struct Shown: Sendable {
        /// Which one it is, from 1.
        public let generation: Int
        /// How many slots it has.
        public let slots: Int
        /// How long each is: slot after slot, from the begin of the file.
        public let slotBytes: Int
        /// The number of the first slot; the others follow.
        public let first: UInt8
        /// With which the file can be read and not written; whoever is shown it closes it.
        public let descriptor: Int32
    }

    /// A slot that is taken, for who writes it.
    struct Slot: Sendable {
        let number: UInt8
        /// How long its frame is.
        let bytes: Int
        /// Where it lies.
        let memory: FrameMemory

        /// Where it begins.
        var begin: UnsafeMutableRawPointer { memory.begin(ofSlot: Int(number &- memory.first)) }
        /// The same for who reads it.
        var place: Place { Place(number: number, bytes: bytes, generation: memory.generation) }
    }

    /// How many there are: one that is made, one on its way, and two at the reader.
    public static let count = 4

    private struct State {
        var memory: FrameMemory?
        /// How many memories were made or begun.
        var generation = 0
        var free: [UInt8] = []
        var taken: Set<UInt8> = []
        /// What the reader has of memory that was replaced; their numbers are not given anew before long.
        var late: Set<UInt8> = []
        var misused: UInt8?
        var isOver = false
    }

    private let state = Mutex(State())
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// No slots; the first frame that wants one makes them. `later`: does on a thread of its own what takes milliseconds.
    public init(later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.later = later }

    /// Whether the reader has all of them.
    public var areTaken: Bool { state.withLock { $0.memory != nil && $0.free.isEmpty && !$0.isOver } }

    /// The number that was given back and that the reader did not have; nil where none was.
    public var misused: UInt8? { state.withLock { $0.misused } }

    /// A free slot for a frame of so many bytes; nil where the reader has all of them. What is too small is replaced. For one thread
    /// at a time, which may block. Throws `budget` or `memory` where there is none.
    func take(_ bytes: Int, _ budget: DecoderBudget) throws(FrameDecoderError) -> Slot? {
        try fit(bytes, budget)
        return state.withLock { state in
            guard !state.isOver, let memory = state.memory, let number = state.free.popLast() else { return nil }
            state.taken.insert(number)
            return Slot(number: number, bytes: bytes, memory: memory)
        }
    }

    /// The memory in which frames are put now; nil before the first frame, and at the end. For the thread that decodes. Throws `memory`
    /// where the system has no descriptor.
    public func shown() throws(FrameDecoderError) -> Shown? {
        guard let memory = state.withLock({ $0.isOver ? nil : $0.memory }) else { return nil }
        return Shown(
            generation: memory.generation, slots: memory.slots, slotBytes: memory.slotBytes, first: memory.first,
            descriptor: try memory.readerDescriptor())
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

    /// Lets the memory go; nothing more is put into it. It goes a moment later, from any thread.
    public func end() {
        state.withLock { ($0.free, $0.isOver) = ([], true) }
        later { [self] in letGo() }
    }

    private func letGo() {
        // Out of the lock, which event loops take, too.
        _ = state.withLock { state -> FrameMemory? in
            defer { state.memory = nil }
            return state.memory
        }
    }

    private func fit(_ bytes: Int, _ budget: DecoderBudget) throws(FrameDecoderError) {
        guard let (first, generation) = replaced(bytes) else { return }
        let memory = try FrameMemory(
            slots: Self.count, bytes: bytes, first: first, generation: generation, budget: budget)
        state.withLock { state in
            guard !state.isOver else { return }
            state.memory = memory
            state.free = (0..<Self.count).map { first &+ UInt8(clamping: $0) }.reversed()
            state.late.subtract(state.free)
        }
    }

    /// What memory for so many bytes begins with, where it has to be made. What was there has gone then, so that there is room for what
    /// comes.
    private func replaced(_ bytes: Int) -> (first: UInt8, generation: Int)? {
        // Gone at the end of this function, out of the lock.
        let (_, next) = state.withLock { state -> (FrameMemory?, (first: UInt8, generation: Int)?) in
            if state.isOver { return (nil, nil) }
            if let memory = state.memory, bytes <= memory.slotBytes { return (nil, nil) }
            let old = state.memory
            let first = old.map { $0.first &+ UInt8(clamping: Self.count) } ?? 0
            state.late.formUnion(state.taken)
            state.generation += 1
            (state.memory, state.free, state.taken) = (nil, [], [])
            return (old, (first, state.generation))
        }
        return next
    }
}
