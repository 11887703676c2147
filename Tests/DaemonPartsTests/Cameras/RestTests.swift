import Machines
import Policies
import Testing

@testable import Media

@Suite("How long a detector may rest")
struct RestTests {
    @Test("what a policy allows at most is what a detector takes at most, so that a policy can only shorten it")
    func most() {
        let policy = Policy(mode: .continuous)
        #expect(Double(policy.restMs) / 1_000 == MotionAnalyser.restMax)
    }
}
