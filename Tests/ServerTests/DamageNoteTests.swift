internal import Testing

@testable import Server

@Suite("Notes of damage behind a movie")
struct DamageNoteTests {
    @Test("A note is read back from the end of any movie, and from nowhere else (H5)")
    func readBack() {
        for length in [0, 1, 100, 5_000] {
            let movie = [UInt8](repeating: 0x66, count: length)
            let note = DamageNote.box("clip 1: 12 bytes")
            #expect(DamageNote.read(movie + note) == "clip 1: 12 bytes")
            #expect(DamageNote.read(movie + note + [0]) == nil)
            #expect(DamageNote.read(movie) == nil)
        }
        let long = String(repeating: "x", count: 10_000)
        let box = DamageNote.box(long)
        #expect(box.count == DamageNote.bytesMax && DamageNote.read([0, 0] + box).map(long.hasPrefix) == true)
        #expect(DamageNote.read(Array(box.dropFirst())) == nil)
    }
}
