internal import CSharedMemory

/// A memory file of a few slots for frames, which this process writes and a reader maps. With its last reference the memory goes back
/// to the system, whatever the reader still holds.
public final class FrameMemory: @unchecked Sendable {
    // Nothing of it changes; a slot is written by who has taken it (`FrameSlots`).

    /// How many slots it has.
    public let slots: Int
    /// How long each is: slot after slot, from the begin of the file.
    public let slotBytes: Int
    /// The number of the first slot; the others follow.
    public let first: UInt8
    private let descriptor: Int32
    private let address: UnsafeMutableRawPointer
    private let share: DecoderBudget.Share

    /// Memory for `slots` frames of `bytes` each; nil where the system has none, or `budget` has none left.
    init?(slots: Int, bytes: Int, first: UInt8, budget: DecoderBudget) {
        // Whole pages, so that each slot begins with one.
        slotBytes = (bytes + Self.pageBytes - 1) / Self.pageBytes * Self.pageBytes
        guard let share = budget.take(slots * slotBytes) else { return nil }
        var address: UnsafeMutableRawPointer?
        let descriptor = vigil_memory_make(slots * slotBytes, &address)
        guard descriptor >= 0, let address else { return nil }
        (self.slots, self.first, self.share) = (slots, first, share)
        (self.descriptor, self.address) = (descriptor, address)
    }

    deinit { vigil_memory_end(descriptor, address, slots * slotBytes) }

    private static let pageBytes = 4_096

    /// A descriptor with which the file can be read and not written; whoever asks closes it. Nil where the system has none.
    public func readerDescriptor() -> Int32? {
        let descriptor = vigil_memory_reader(descriptor)
        return descriptor < 0 ? nil : descriptor
    }

    /// Where the slot of that place begins, 0…`slots` - 1.
    func begin(ofSlot place: Int) -> UnsafeMutableRawPointer { address + place * slotBytes }
}
