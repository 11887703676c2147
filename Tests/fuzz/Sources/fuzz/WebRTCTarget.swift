@testable import WebRTC

/// What a viewer of WebRTC sends. The first byte chooses what the rest is: an offer, a check, what it reports or says, or, as it
/// comes from a camera and not from a viewer, an access unit.
enum WebRTCTarget {
    private static let key = Array("0123456789abcdefghijklmn".utf8)

    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let choice = bytes.first else { return }
        let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        switch choice & 3 {
        case 0: offer(String(decoding: rest, as: UTF8.self), choice)
        case 1: check(rest)
        case 2: if choice & 4 == 0 { report(rest) } else { speech(rest) }
        default: unit(rest, payloadMax: 16 + Int(choice >> 2))
        }
    }

    private static func offer(_ text: String, _ choice: UInt8) {
        guard let offer = try? SessionOffer(text) else { return }
        let video: SentMedia.Video =
            choice & 32 == 0 ? .h264(profile: choice) : .h265(profile: choice >> 6, isHighTier: false, level: choice)
        let sent = SentMedia(
            video, sound: [.pcmu, .pcma, .opus][Int(choice >> 2) % 3], isStereo: choice & 16 == 0,
            hears: choice & 8 == 0)
        guard let media = try? NegotiatedMedia(offer, sent) else { return }
        let local = SessionAnswer.Local(
            user: "abcdefgh", password: "0123456789abcdefghijklmn", fingerprint: Fingerprint(.sha256, [1, 2]),
            addresses: ["192.0.2.7"], port: 8_189, videoSource: 7, soundSource: 8, name: "front", session: 1)
        let answer = SessionAnswer(offer: offer, media: media, local: local).text
        let lines = answer.utf8.split(separator: 0x0A)
        hold(
            lines.allSatisfy { $0.last == 0x0D && $0.dropFirst().first == 0x3D },
            "an answer has lines of the form x=text")
        hold(answer.utf8.allSatisfy { $0 < 0x7F }, "an answer is ASCII")
        let texts = lines.map { String(decoding: $0, as: UTF8.self) }
        hold(texts.count { $0.hasPrefix("m=") } == offer.media.count, "each medium is answered")
        hold(texts.count { $0.hasPrefix("a=candidate:") } == 1, "the candidates are this end's, once")
        hold(
            texts.filter { $0.hasPrefix("a=ice-") }.allSatisfy { $0.contains("abcdefgh") || $0 == "a=ice-lite\r" },
            "nothing of the offer's secrets is repeated")
    }

    private static func check(_ bytes: UnsafeRawBufferPointer) {
        guard let message = STUNMessage(bytes) else { return }
        hold(!message.isSigned(key, bytes), "what this key has not signed is not signed")
        hold(message.username.map { $0.upperBound <= bytes.count } ?? true, "the name lies within the message")
        withUnsafeTemporaryAllocation(byteCount: STUNAnswer.bytesMax, alignment: 8) { room in
            let kind: STUNAnswer.Kind = message.unknown.map { .unknown($0) } ?? .roleConflict
            let count = STUNAnswer.write(kind, to: message, key, into: room)
            let answer = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count])
            hold(STUNMessage(answer)?.isSigned(key, answer) == true, "an answer is signed")
        }
    }

    private static func report(_ bytes: UnsafeRawBufferPointer) {
        guard let feedback = ControlFeedback(bytes, video: 0x0102_0304) else { return }
        hold(feedback.lost.count <= ControlFeedback.lostMax, "no more lost packets than the bound")
        hold(feedback.reports.count <= ControlFeedback.packetsMax, "no more reports than the bound")
        hold(feedback.estimate ?? 0 >= 0, "an estimate is a number of bits")
        var track = SentTrack(source: 0x0102_0304, payloadType: 96, rate: 90_000)
        var stretch = NetworkStretch(at: 0, track)
        stretch.take(feedback, of: track.source)
        track.packets &+= UInt32(truncatingIfNeeded: bytes.count)
        let report = stretch.end(at: Int64(bytes.count), track).report
        hold(report.map { (0...1).contains($0.lost) && $0.asked >= 0 } ?? true, "a part of what was sent is lost")
    }

    private static func speech(_ bytes: UnsafeRawBufferPointer) {
        guard let packet = HeardPacket(bytes, [0: .pcmu, 8: .pcma, 111: .opus]) else { return }
        hold(!packet.payload.isEmpty && packet.payload.count <= bytes.count - 12, "a payload lies behind the head")
    }

    private static func unit(_ bytes: UnsafeRawBufferPointer, payloadMax: Int) {
        for form in VideoForm.allCases {
            var (ends, count) = (0, 0)
            VideoPacketizer(payloadMax: payloadMax).cut(
                bytes, form, isKey: true, parameterSets: [[0x67, 1, 2], [0x68]]
            ) {
                hold(!$0.isEmpty && $0.count <= payloadMax, "a payload is as long as it may be")
                count += 1
                if $1 { ends = count }
            }
            hold(ends == 0 || ends == count, "the last payload is the end")
        }
    }
}
