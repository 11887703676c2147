import Foundation
import RandomSource
import Testing

@testable import Cloud

/// What a remote encoder may say (docs/reference/encoder.md).
@Suite struct EncoderAnswerTests {
    private static let asked: Set<String> = ["720p", "360p", "audio"]

    private static func read(_ text: String) throws(Defect) -> EncoderAnswer {
        try EncoderAnswer(parsing: Data(text.utf8), asked: asked)
    }

    private static let finished = """
        { "job": "job-1", "key": "clips/a/12.3.0", "state": "finished", "progress": 1000, "news": [[1]],
          "renditions": [ { "name": "360p", "codec": "avc1.64001e", "width": 640, "height": 360, "bandwidth": 700000,
                            "averageBandwidth": 600000, "framesPer1000s": 25000 },
                          { "name": "720p", "codec": "avc1.64001f", "width": 1280, "height": 720, "bandwidth": 2400000,
                            "averageBandwidth": 2000000 },
                          { "name": "audio", "codec": "mp4a.40.2", "bandwidth": 70000, "averageBandwidth": 64000 } ] }
        """

    @Test("Each state is read, and what was made from the highest to the lowest")
    func states() throws {
        let made = try Self.read(Self.finished)
        #expect(
            made.job == "job-1" && made.key == "clips/a/12.3.0" && made.state == .finished && made.perMille == 1_000)
        #expect(made.renditions.map(\.name) == ["720p", "360p", "audio"])
        #expect(made.renditions[1].ratePerMille == 25_000 && made.renditions[0].peak == 2_400_000)
        let running = try Self.read("{\"job\":\"a\",\"state\":\"running\"}")
        #expect(running.state == .running && running.perMille == nil && running.renditions.isEmpty)
        #expect(try Self.read("{\"job\":\"a\",\"state\":\"failed\",\"why\":\"no room\"}").why == "no room")
    }

    @Test(
        "What is wrong is refused, with its key",
        arguments: [
            ("\"job-1\"", "\"../x\"", "job"), ("\"job-1\"", "\"\"", "job"), ("\"job-1\"", "1", "job"),
            ("\"finished\"", "\"well\"", "state"), ("1000,", "1001,", "progress"), ("1000,", "-1,", "progress"),
            ("360p", "361p", "renditions[0].name"), ("360p", "720p", "renditions[1].name"),
            ("avc1.64001e", "avc1\\\"\\n#EXT", "renditions[0].codec"),
            ("\"width\": 640", "\"width\": 0", "renditions[0].width"),
            ("\"height\": 360", "\"height\": 70000", "renditions[0].height"),
            ("700000", "99999999999", "renditions[0].bandwidth"), ("600000", "0", "renditions[0].averageBandwidth"),
            ("25000", "0", "renditions[0].framesPer1000s"), ("25000", "1e99", "not whole"),
            ("\"renditions\"", "\"x\"", "renditions"),
            ("mp4a.40.2\",", "mp4a.40.2\", \"width\": 1,", "renditions[2].width"),
            ("finished\"", "failed\", \"why\": \"a\\nb\"", "why"),
        ])
    func wrong(old: String, new: String, key: String) {
        let text = Self.finished.replacing(old, with: new, maxReplacements: 1)
        #expect(text != Self.finished)
        let defect = #expect(throws: Defect.self) { try Self.read(text) }
        #expect(defect.map { "\($0)".contains(key) } == true, "\(String(describing: defect))")
    }

    @Test("Bytes of any kind end in an answer or a defect")
    func noise() {
        var random = SeededGenerator(seed: 11)
        let whole = Array(Self.finished.utf8)
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? EncoderAnswer(
                parsing: Data(bytes.prefix(Int.random(in: 0...whole.count, using: &random))), asked: Self.asked)
        }
        let large = Data(repeating: UInt8(ascii: " "), count: EncoderAnswer.bytesMax + 1)
        #expect(throws: Defect.self) { try EncoderAnswer(parsing: large, asked: Self.asked) }
    }
}
