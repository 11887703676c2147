internal import Testing

@testable import Server

@Suite("The part of a picture that a setting names")
struct ViewportTextTests {
    @Test("It is read from four plain decimals in order, and from nothing else")
    func read() {
        #expect(Viewport("0.1,0.25,0.6235,1") == Viewport(x1: 0.1, y1: 0.25, x2: 0.6235, y2: 1))
        #expect(Viewport("0,0,1.0,1") == Viewport(x1: 0, y1: 0, x2: 1, y2: 1))
        for bad in [
            "", "0,0,1", "0,0,1,1,1", "1e-1,0,1,1", "0x0,0,1,1", "0,0,0x1p-1,1", "+0,0,1,1", "-0,0,1,1", ".1,0,1,1",
            "0.,0,1,1", "0.1.2,0,1,1", " 0,0,1,1", "nan,0,1,1", "0,0,inf,1", "0,0,\u{FF11},1", "0,0,1.1,1",
            "0.5,0,0.5,1", "0,0.9,1,0.1",
        ] {
            #expect(Viewport(bad) == nil, "\(bad)")
        }
    }

    @Test("The whole picture is told as no part")
    func whole() {
        #expect(Viewport.part("0.5,0,1,0.5") == Viewport(x1: 0.5, y1: 0, x2: 1, y2: 0.5))
        let none: [String?] = ["0,0,1,1", "0.0,0,1.0,1", "a,b,c,d", "", nil]
        for text in none { #expect(Viewport.part(text) == nil, "\(text ?? "none")") }
    }
}
