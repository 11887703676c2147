import CDatagrams
import RandomSource
import Testing

@testable import WebRTC

@Suite struct STUNTests {
    @Test("the sample request of RFC 5769 is read, and signed by its password alone")
    func sampleRequest() throws {
        try Samples.request.withUnsafeBytes { bytes in
            let message = try #require(STUNMessage(bytes))
            #expect(message.type == STUNMessage.bindingRequest)
            #expect(message.username.map { Array(bytes[$0]) } == Array("evtj:h6vY".utf8))
            #expect(message.isControlled && !message.isNominating && message.unknown == nil)
            #expect(message.isSigned(Samples.password, bytes))
            #expect(!message.isSigned(Array("VOkJxbRl1RmTxUk/WvJxBu".utf8), bytes))
        }
    }

    @Test("the sample answers of RFC 5769 are signed", arguments: [Samples.answerOverFour, Samples.answerOverSix])
    func sampleAnswers(_ answer: [UInt8]) throws {
        try answer.withUnsafeBytes { bytes in
            let message = try #require(STUNMessage(bytes))
            #expect(message.type == 0x0101 && message.isSigned(Samples.password, bytes))
        }
    }

    @Test("a message of which one bit is wrong is not signed")
    func damage() {
        // What FINGERPRINT is called is not covered by the signature: by another name it is passed over.
        let name = Samples.request.count - 8..<Samples.request.count - 6
        for place in Samples.request.indices where !name.contains(place) {
            for bit in UInt8(0)..<8 {
                var damaged = Samples.request
                damaged[place] ^= 1 << bit
                let isTaken = damaged.withUnsafeBytes { bytes in
                    STUNMessage(bytes).map { $0.isSigned(Samples.password, bytes) } ?? false
                }
                #expect(!isTaken, "bit \(bit) of byte \(place)")
            }
        }
    }

    @Test("a message that is cut anywhere, or longer than it says, is none")
    func cut() {
        for count in 0..<Samples.request.count {
            #expect(Samples.request.prefix(count).withUnsafeBytes { STUNMessage($0) } == nil)
        }
        #expect((Samples.request + [0, 0, 0, 0]).withUnsafeBytes { STUNMessage($0) } == nil)
    }

    @Test(
        "an answer tells the address that RFC 5769 has",
        arguments: [
            ("192.0.2.1", Samples.answerOverFour), ("2001:db8:1234:5678:11:2233:4455:6677", Samples.answerOverSix),
        ])
    func mappedAddress(_ host: String, _ sample: [UInt8]) throws {
        let endpoint = try #require(vigil_endpoint(host: host, port: 32_853))
        let answer = try Self.answer(.success(endpoint))
        // Behind the head; the sample names its software before.
        let (mine, theirs) = (Array(answer[20...]), Array(sample[36...]))
        let size = host.contains(":") ? 24 : 12
        #expect(mine.prefix(size) == theirs.prefix(size))
        #expect(answer[4..<20] == Samples.request[4..<20])
        try Self.checkSigned(answer)
    }

    @Test("refusals are signed, and say why")
    func refusals() throws {
        let conflict = try Self.answer(.roleConflict)
        #expect(conflict[0..<2] == [1, 0x11] && conflict[20..<28] == [0, 9, 0, 17, 0, 0, 4, 87])
        try Self.checkSigned(conflict)
        let unknown = try Self.answer(.unknown(0x7FFF))
        #expect(unknown[24..<28] == [0, 0, 4, 20])
        #expect(unknown[48..<54] == [0, 10, 0, 2, 0x7F, 0xFF])
        try Self.checkSigned(unknown)
    }

    @Test("an attribute that must be understood and is not known is told")
    func unknownAttribute() throws {
        // A request of one attribute, without a fingerprint.
        let bytes = Array(Samples.request[..<2]) + [0, 4] + Samples.request[4..<20] + [0x7F, 0xFE, 0, 0]
        #expect(try #require(bytes.withUnsafeBytes { STUNMessage($0) }).unknown == 0x7FFE)
    }

    @Test("any bytes are read or refused")
    func anyBytes() {
        var random = SeededGenerator(seed: 15)
        for _ in 0..<20_000 {
            var bytes = Samples.request
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            bytes.removeLast(4 * Int.random(in: 0...20, using: &random))
            bytes[3] = UInt8(truncatingIfNeeded: bytes.count - 20)
            let signed = bytes.withUnsafeBytes { bytes in
                STUNMessage(bytes).flatMap { $0.isSigned(Samples.password, bytes) ? $0.integrity : nil }
            }
            // What is signed is as it was, but for what the signature does not cover.
            if let signed { #expect(bytes[4..<(signed + 24)] == Samples.request[4..<(signed + 24)]) }
        }
    }

    private static func answer(_ kind: STUNAnswer.Kind) throws -> [UInt8] {
        let request = try #require(Samples.request.withUnsafeBytes { STUNMessage($0) })
        var bytes = [UInt8](repeating: 0xAA, count: STUNAnswer.bytesMax)
        let count = bytes.withUnsafeMutableBytes { STUNAnswer.write(kind, to: request, Samples.password, into: $0) }
        return Array(bytes.prefix(count))
    }

    private static func checkSigned(_ answer: [UInt8]) throws {
        try answer.withUnsafeBytes { bytes in
            let message = try #require(STUNMessage(bytes))
            #expect(message.isSigned(Samples.password, bytes))
        }
    }
}
