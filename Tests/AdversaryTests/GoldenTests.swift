import Testing

@Suite("The comparison with the model")
struct GoldenTests {
    @Test("It sees a missing, an additional and a repeated line")
    func differences() {
        #expect(Golden.differences(["a", "b"], ["a", "b"]) == "")
        #expect(Golden.differences(["a", "c"], ["a", "b"]).contains("+ c\n- b"))
        #expect(Golden.differences(["a", "a"], ["a"]) == "a line is there twice")
    }
}
