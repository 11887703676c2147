import Testing
import Worlds

@Suite("Facts that come after their time")
struct LateFactTests {
    static let small = Subject.late().filter { $0.size == .everyday }.map(\.name)

    @Test("What was due before a fact is applied as if each tick had come (S9)", arguments: small)
    func late(_ name: String) throws {
        let subject = try #require(Subject.late().first { $0.name == name })
        let finding = try subject.check()
        #expect(finding.verdicts.map(\.promise) == subject.promises)
        for (promise, complaint) in finding.verdicts { #expect(complaint == nil, "\(promise)\n\(complaint ?? "")") }
    }
}
