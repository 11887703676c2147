import Testing
import Worlds

@Suite("Walks at random")
struct WalkTests {
    @Test("What is claimed along them holds, and each claim meets a case", arguments: Subject.walks().map(\.name))
    func walks(name: String) throws {
        let subject = try #require(Subject.walks().first { $0.name == name })
        let finding = try subject.check()
        #expect(finding.states > 0)
        for (_, complaint) in finding.verdicts { #expect(complaint == nil, "\(complaint ?? "")") }
    }
}
