import RandomSource
import Testing

@testable import WebRTC

@Suite struct ControlTests {
    /// A receiver report of one source, then a NACK of 10, 11, 13 and 26, a PLI, and a FIR about source 0x01020304.
    private static let compound = Samples.bytes(
        """
        81C90007 AABBCCDD 01020304 19FFFFFE 00010203 00000111 11223344 00008000
        81CD0003 AABBCCDD 01020304 000A8005
        81CE0002 AABBCCDD 01020304
        84CE0004 AABBCCDD 00000000 01020304 07000000
        """)

    private static func read(_ bytes: [UInt8], _ source: UInt32 = 0x0102_0304) -> ControlFeedback? {
        bytes.withUnsafeBytes { ControlFeedback($0, video: source) }
    }

    @Test("what a viewer tells is read")
    func told() throws {
        let feedback = try #require(Self.read(Self.compound))
        #expect(feedback.lost == [10, 11, 13, 26] && feedback.wantsPicture && !feedback.isBye)
        let report = ControlFeedback.Report(
            source: 0x0102_0304, fractionLost: 0x19, lost: -2, highest: 0x0001_0203, jitter: 0x111,
            lastReport: 0x1122_3344, delay: 0x8000)
        #expect(feedback.reports == [report])
        // A number near the wrap.
        let wrapped = Self.read(Samples.bytes("81CD0003 AABBCCDD 01020304 FFFF0001"))
        #expect(wrapped?.lost == [0xFFFF, 0])
        #expect(Self.read(Samples.bytes("81CB0001 01020304"))?.isBye == true)
    }

    @Test("a picture is wanted by PLI or by FIR, and only of this source")
    func pictures() {
        #expect(Self.read(Samples.bytes("81CE0002 AABBCCDD 01020304"))?.wantsPicture == true)
        #expect(Self.read(Samples.bytes("84CE0004 AABBCCDD 00000000 01020304 07000000"))?.wantsPicture == true)
        let other = Self.read(Self.compound, 0x0102_0305)
        #expect(other?.wantsPicture == false && other?.lost == [])
    }

    @Test("an estimate is read with its exponent (REMB), and what no network has is none")
    func estimates() {
        // 3 << 17 bits a second, for two sources.
        let estimate = Self.read(Samples.bytes("8FCE0006 AABBCCDD 00000000 52454D42 02440003 01020304 01020305"))
        #expect(estimate?.estimate == 3 << 17)
        #expect(Self.read(Samples.bytes("8FCE0004 AABBCCDD 00000000 52454D42 00000007"))?.estimate == 7)
        #expect(Self.read(Samples.bytes("8FCE0004 AABBCCDD 00000000 52454D42 01FFFFFF"))?.estimate == nil)
        #expect(Self.read(Samples.bytes("8FCE0004 AABBCCDD 00000000 52454D41 00000007"))?.estimate == nil)
        #expect(Self.read(Samples.bytes("8FCE0003 AABBCCDD 00000000 52454D42"))?.estimate == nil)
        #expect(Self.read(Self.compound)?.estimate == nil)
    }

    @Test("what a viewer tells within a second becomes one report, and that nothing was sent does; else there is none")
    func network() throws {
        var track = SentTrack(source: 0x0102_0304, payloadType: 96, rate: 90_000)
        var stretch = NetworkStretch(at: 1_000, track)
        for _ in 0..<100 { _ = track.next(stamp: 0, isLast: false, payloadBytes: 1_000) }
        #expect(stretch.end(at: 2_000, track).report == nil)
        let told = try #require(Self.read(Self.compound))
        stretch.take(told, of: 0x0102_0304)
        stretch.take(told, of: 0x0102_0304)
        let end = stretch.end(at: 3_000, track)
        let report = try #require(end.report)
        #expect(report.packets == 100 && report.bitsPerSecond == 400_000 && report.asked == told.lost.count)
        #expect(report.lost == Double(told.reports[0].fractionLost) / 256 && report.estimate == nil)
        // Where nothing was sent, that is told.
        #expect(end.next.end(at: 4_000, track).report == NetworkReport(packets: 0, bitsPerSecond: 0))
        #expect(end.next.packetsBefore == 100)
        // What is told of another source is not of this picture.
        var other = end.next
        _ = track.next(stamp: 0, isLast: false, payloadBytes: 1_000)
        other.take(
            try #require(
                Self.read(Samples.bytes("81C90007 AABBCCDD 0A0B0C0D FF000001 00000000 00000000 00000000 00000000"))),
            of: 0x0102_0304)
        #expect(other.end(at: 4_000, track).report == nil)
        // An estimate holds until there is another one.
        var next = end.next
        next.take(
            try #require(Self.read(Samples.bytes("8FCE0004 AABBCCDD 00000000 52454D42 00000007"))), of: 0x0102_0304)
        var last = next.end(at: 4_000, track).next
        last.take(told, of: 0x0102_0304)
        #expect(last.end(at: 5_000, track).report?.estimate == 7)
    }

    @Test("a picture that is wanted again and again is given ever less often, and soon again after a rest")
    func requests() {
        var requests = PictureRequests()
        let given = (0..<200).filter { requests.take(10_000 + Int64($0) * 100) }.map { $0 * 100 }
        #expect(given == [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500])
        #expect(requests.take(40_000) && !requests.take(40_400) && requests.take(40_500))
    }

    @Test("a compound that is cut in a packet, or of another version, is none")
    func cut() {
        for count in 0..<Self.compound.count where ![32, 48, 60].contains(count) {
            #expect(Self.read(Array(Self.compound.prefix(count))) == nil, "\(count) bytes")
        }
        #expect(Self.read(Samples.bytes("41C90001 AABBCCDD")) == nil)
    }

    @Test("what is lost is bounded, and any bytes are read or refused")
    func bounds() {
        let many = Samples.bytes("81CD00FF AABBCCDD 01020304") + [UInt8](repeating: 0xFF, count: 253 * 4)
        #expect(Self.read(many)?.lost.count == ControlFeedback.lostMax)
        var random = SeededGenerator(seed: 4_585)
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = Self.compound
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            if let feedback = Self.read(bytes) {
                taken += 1
                #expect(feedback.lost.count <= ControlFeedback.lostMax)
            }
        }
        #expect(taken > 0)
    }

    @Test("a sender's report says both times, and its name")
    func senderReport() {
        // 2026-01-01 00:00:00.500, which is 3 976 214 400 s since 1900.
        let report = SenderReport(
            source: 0x0102_0304, wallMs: 1_767_225_600_500, stamp: 0xAABBCCDD, packets: 7, octets: 900, name: "front")
        var bytes = [UInt8](repeating: 0xEE, count: SenderReport.bytesMax)
        let count = bytes.withUnsafeMutableBytes { report.write(into: $0, isBye: true) }
        let expected = Samples.bytes(
            """
            80C80006 01020304 ED003780 80000000 AABBCCDD 00000007 00000384
            81CA0003 01020304 01056672 6F6E7400
            81CB0001 01020304
            """)
        #expect(Array(bytes.prefix(count)) == expected)
        #expect(Self.read(expected)?.isBye == true)
    }

    @Test("the longest name fits, and is a compound still")
    func longName() {
        for length in [0, 1, 2, 3, 64, 100] {
            let report = SenderReport(
                source: 1, wallMs: .max, stamp: 0, packets: 0, octets: 0, name: String(repeating: "n", count: length))
            var bytes = [UInt8](repeating: 0xEE, count: SenderReport.bytesMax)
            let count = bytes.withUnsafeMutableBytes { report.write(into: $0, isBye: true) }
            #expect(count % 4 == 0 && Self.read(Array(bytes.prefix(count)))?.isBye == true)
        }
    }
}
