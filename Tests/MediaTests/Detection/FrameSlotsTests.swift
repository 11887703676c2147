import CSharedMemory
import Foundation
import Machines
import Synchronization
import Testing

@testable import Media

@Suite("Slots of shared memory")
struct FrameSlotsTests {
    private static let bytes = 10_000

    /// The facts of an open file.
    private func facts(_ descriptor: Int32) -> stat {
        var facts = stat()
        #expect(fstat(descriptor, &facts) == 0)
        return facts
    }

    @Test("Each is taken once until it is given back; what the reader did not have is refused, whatever number it is")
    func taken() throws {
        let (slots, budget) = (FrameSlots(later: { $0() }), DecoderBudget(bytesMax: 1 << 20))
        #expect(!slots.areTaken)
        #expect(!slots.giveBack(0) && slots.misused == 0)
        let taken = try (0..<FrameSlots.count).map { _ in
            try #require(try slots.take(Self.bytes, budget))
        }
        #expect(Set(taken.map(\.number)) == [0, 1, 2, 3] && slots.areTaken)
        #expect(Set(taken.map(\.begin)).count == FrameSlots.count)
        #expect(try slots.take(Self.bytes, budget) == nil)
        for number in UInt8(FrameSlots.count)...255 { #expect(!slots.giveBack(number)) }
        #expect(slots.giveBack(2) && !slots.giveBack(2) && !slots.areTaken)
        #expect(try slots.take(Self.bytes, budget)?.number == 2)
    }

    @Test("What is larger gets other memory, and slots of the memory before may still come back")
    func larger() throws {
        let (slots, budget) = (FrameSlots(later: { $0() }), DecoderBudget(bytesMax: 1 << 20))
        let first = try #require(try slots.take(Self.bytes, budget))
        let small = try #require(try slots.take(100, budget))
        #expect(small.memory === first.memory)
        let larger = try #require(try slots.take(20_000, budget))
        #expect(larger.memory !== first.memory && larger.memory.slotBytes >= 20_000)
        #expect(larger.number == 4 && larger.memory.first == 4)
        #expect(slots.giveBack(first.number) && slots.giveBack(4) && slots.giveBack(small.number))
        #expect(!slots.giveBack(first.number) && !slots.giveBack(3))
        #expect(first.place.generation == 1 && larger.place.generation == 2)
        // Numbers go round.
        for size in 1...200 {
            let slot = try #require(
                try slots.take(20_000 + size * 4_096 % 90_000 * size, DecoderBudget(bytesMax: 1 << 32)))
            #expect(slots.giveBack(slot.number))
        }
    }

    @Test(
        "Memory is counted, cannot be written by its reader, and goes back to the system at the end, whoever has it open"
    )
    func memory() throws {
        let budget = DecoderBudget(bytesMax: FrameSlots.count * 12_288)
        let slots = FrameSlots(later: { $0() })
        var slot = try slots.take(Self.bytes, budget)
        let memory = try #require(slot?.memory)
        #expect(memory.slotBytes == 12_288 && budget.take(1) == nil)
        #expect(throws: FrameDecoderError.budget) { try FrameSlots(later: { $0() }).take(1, budget) }
        let reader = try memory.readerDescriptor()
        defer { close(reader) }
        slot?.begin.storeBytes(of: 0x7E, as: UInt8.self)
        let place = off_t(slot?.number ?? 0) * 12_288
        var byte: UInt8 = 0
        #expect(pread(reader, &byte, 1, place) == 1 && byte == 0x7E)
        let size = FrameSlots.count * 12_288
        #expect(facts(reader).st_size == size && facts(reader).st_blocks * 512 >= size)
        // Neither by the descriptor nor by the file, which other users may not open.
        #expect(write(reader, &byte, 1) == -1 && ftruncate(reader, 0) == -1)
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, reader, 0)
        #expect(mapped == MAP_FAILED)
        #expect(facts(reader).st_mode & 0o777 == 0o600)
        let own = open("/proc/self/fd/\(reader)", O_RDWR)
        #expect(own >= 0 && ftruncate(own, off_t(size) + 1) == -1 && ftruncate(own, 0) == -1)
        close(own)

        let seen = mmap(nil, size, PROT_READ, MAP_SHARED, reader, 0)
        #expect(seen != MAP_FAILED)
        defer { munmap(seen, size) }
        slots.end()
        #expect(try slots.take(Self.bytes, budget) == nil)
        #expect(budget.take(1) == nil, "whoever writes into a slot keeps its memory")
        withExtendedLifetime(memory) {}
        slot = nil
    }

    @Test("What is too small has gone before what replaces it is made, and whoever is told of either holds neither")
    func room() throws {
        // As much as the larger one takes.
        let (slots, budget) = (FrameSlots(later: { $0() }), DecoderBudget(bytesMax: FrameSlots.count * 20_480))
        let place = try #require(try slots.take(Self.bytes, budget)).place
        let shown = try #require(try slots.shown())
        defer { close(shown.descriptor) }
        #expect(place.generation == shown.generation && shown.slotBytes == 12_288 && shown.first == 0)
        let larger = try #require(try slots.take(20_000, budget)).place
        #expect(larger.generation == 2 && larger.number == 4 && facts(shown.descriptor).st_blocks == 0)
        let other = try #require(try slots.shown())
        close(other.descriptor)
        #expect(other.generation == 2 && other.slotBytes == 20_480 && other.first == 4)
        slots.end()
        #expect(try slots.shown() == nil && budget.take(FrameSlots.count * 20_480) != nil)
    }

    @Test("The end itself gives nothing back: that is done where it holds up nobody")
    func later() throws {
        let jobs = Mutex<[@Sendable () -> Void]>([])
        let slots = FrameSlots(later: { job in jobs.withLock { $0.append(job) } })
        let budget = DecoderBudget(bytesMax: FrameSlots.count * 12_288)
        _ = try slots.take(Self.bytes, budget)
        let shown = try #require(try slots.shown())
        defer { close(shown.descriptor) }
        slots.end()
        #expect(try slots.take(Self.bytes, budget) == nil && slots.shown() == nil && !slots.areTaken)
        #expect(facts(shown.descriptor).st_blocks > 0 && budget.take(1) == nil)
        for job in jobs.withLock({ $0 }) { job() }
        #expect(facts(shown.descriptor).st_blocks == 0 && budget.take(FrameSlots.count * 12_288) != nil)
    }

    @Test("Where the system gives no memory, it says why, and nothing of the budget is taken")
    func none() {
        let budget = DecoderBudget(bytesMax: 1 << 20)
        #expect(throws: FrameDecoderError.memory("Invalid argument")) {
            try FrameMemory(slots: 0, bytes: 1, first: 0, generation: 1, budget: budget)
        }
        #expect(budget.take(1 << 20) != nil)
    }

    @Test("With its last slot the memory is free, though a reader maps it on")
    func freed() throws {
        let budget = DecoderBudget(bytesMax: FrameSlots.count * 12_288)
        func use() throws -> Int32 {
            let slots = FrameSlots(later: { $0() })
            let slot = try #require(try slots.take(Self.bytes, budget))
            slot.begin.storeBytes(of: 0x7E, as: UInt8.self)
            let reader = try slot.memory.readerDescriptor()
            slots.end()
            return reader
        }
        for _ in 0..<300 {
            let reader = try use()
            var byte: UInt8 = 1
            #expect(facts(reader).st_blocks == 0)
            #expect(pread(reader, &byte, 1, 0) == 1 && byte == 0)
            close(reader)
        }
        #expect(budget.take(FrameSlots.count * 12_288) != nil)
    }
}
