import Testing

@testable import Daemon
@testable import Journal

@Suite("Who looked and who took away")
struct AuditNotesTests {
    @Test(
        "Exports of one user are told up to a bound in a minute, then counted, and the count is told with the next one")
    func exports() {
        let notes = AuditNotes(journal: Journal { _ in })
        for _ in 0..<AuditNotes.exportsMax { #expect(notes.exported(by: "token a", 60_000) == 0) }
        for _ in 0..<5 { #expect(notes.exported(by: "token a", 119_999) == nil) }
        #expect(notes.exported(by: "token b", 119_999) == 0)
        #expect(notes.exported(by: "token a", 120_000) == 5)
        #expect(notes.exported(by: "token a", 120_001) == 0)
    }

    @Test("What is remembered of users is bounded")
    func remembered() {
        let notes = AuditNotes(journal: Journal { _ in })
        for number in 0...AuditNotes.rememberedMax { #expect(notes.exported(by: "token \(number)", 60_000) == 0) }
    }
}
