import Foundation
import Machines
import Testing

@Suite("Where something was recognised")
struct LabelBoxTests {
    private func read(_ x: Double, _ y: Double, _ width: Double, _ height: Double) throws -> LabelBox {
        try JSONDecoder().decode(
            LabelBox.self, from: JSONEncoder().encode(["x": x, "y": y, "width": width, "height": height]))
    }

    @Test("What rounding lets stand out of the picture is put on its edge, also as it is read")
    func rounded() throws {
        for box in [
            LabelBox(x: 0, y: 0.5, width: 1.000_001, height: 0.500_000_9), try read(0, 0.5, 1.000_001, 0.500_000_9),
        ] {
            #expect(box == LabelBox(x: 0, y: 0.5, width: 1, height: 0.5) && box.isInside)
        }
        // Thirds and tenths do not add up to one.
        for part in (1..<1_000).map({ Double($0) / 1_000 }) {
            let box = LabelBox(x: part, y: 1 - part, width: 1 - part + 1e-7, height: part + 1e-7)
            #expect(box.isInside && box.x + box.width <= 1 && box.y + box.height <= 1, "\(box)")
        }
        let inside = LabelBox(x: 0.1, y: 0.2, width: 0.3, height: 0.5)
        #expect(try inside.isInside && read(0.1, 0.2, 0.3, 0.5) == inside)
    }

    @Test(
        "What has no size, or lies outside, does not lie in the picture",
        arguments: [
            (0, 0, 1.000_01, 1), (0.5, 0, 0.500_01, 1), (-0.000_000_1, 0, 1, 1), (0, 0, 0, 1), (0, 0, 1, -1),
            (1, 0, 0.000_000_1, 1), (1.000_000_5, 0, 0.000_000_1, 1), (0, 1, 1, 0.000_000_1), (.nan, 0, 1, 1),
            (0, 0, .infinity, 1),
        ])
    func outside(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        #expect(!LabelBox(x: x, y: y, width: width, height: height).isInside)
    }
}
