internal import CSharedMemory
internal import Glibc

/// A memory file of a few slots for frames, which this process writes and a reader maps. With its last reference the memory goes back
/// to the system, whatever the reader still holds. That takes milliseconds: neither event loops nor the cooperative pool hold one.
final class FrameMemory: @unchecked Sendable {
    // Nothing of it changes; a slot is written by who has taken it (`FrameSlots`).

    /// How many slots it has.
    let slots: Int
    /// How long each is: slot after slot, from the begin of the file.
    let slotBytes: Int
    /// The number of the first slot; the others follow.
    let first: UInt8
    /// Which memory of its reader it is, from 1.
    let generation: Int
    private let descriptor: Int32
    private let address: UnsafeMutableRawPointer
    private let share: DecoderBudget.Share

    /// Memory for `slots` frames of `bytes` each. Throws `budget` where `budget` has not so much left, `memory` where the system has none.
    init(slots: Int, bytes: Int, first: UInt8, generation: Int, budget: DecoderBudget) throws(FrameDecoderError) {
        // Whole pages, so that each slot begins with one.
        let slotBytes = (bytes + Self.pageBytes - 1) / Self.pageBytes * Self.pageBytes
        guard let share = budget.take(slots * slotBytes) else { throw .budget }
        var address: UnsafeMutableRawPointer?
        let descriptor = vigil_memory_make(slots * slotBytes, &address)
        guard descriptor >= 0, let address else { throw .system(-descriptor) }
        (self.slots, self.slotBytes, self.first, self.generation) = (slots, slotBytes, first, generation)
        (self.descriptor, self.address, self.share) = (descriptor, address, share)
    }

    deinit { vigil_memory_end(descriptor, address, slots * slotBytes) }

    private static let pageBytes = 4_096

    /// A descriptor with which the file can be read and not written; whoever asks closes it. Throws `memory` where the system has none.
    func readerDescriptor() throws(FrameDecoderError) -> Int32 {
        let reader = vigil_memory_reader(descriptor)
        guard reader >= 0 else { throw .system(-reader) }
        return reader
    }

    /// Where the slot of that place begins, 0…`slots` - 1.
    func begin(ofSlot place: Int) -> UnsafeMutableRawPointer { address + place * slotBytes }
}

extension FrameDecoderError {
    /// What the system says to a call for memory that failed with `code`.
    fileprivate static func system(_ code: Int32) -> FrameDecoderError { .memory(String(cString: strerror(code))) }
}
