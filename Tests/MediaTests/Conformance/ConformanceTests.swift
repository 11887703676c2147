import Foundation
import Hashing
import Machines
import Testing

@testable import Media

/// H3: each camera of the list is recorded as it is.
@Suite(
    "Cameras with quirks",
    .enabled(if: FileManager.default.isExecutableFile(atPath: ConformanceRig.program), "needs python3"))
struct ConformanceTests {
    private struct DidNotEnd: Error {}

    /// What came of a dial.
    private struct Dialled: Sendable {
        let seen: CollectingSink.Seen
        let told: ConformanceTold
    }

    @Test("H3 are recorded whole, or refused with the reason", arguments: try ConformanceRig.shared().rows)
    func row(_ row: ConformanceRow) async throws {
        // Those that take seconds wait side by side, the others on few threads.
        let dialled = row.isSlow ? try await onThread { try dial(row) } : try dial(row)
        judge(row, dialled.seen, dialled.told)
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Dials the camera until it ends, as often as the row says.
    private func dial(_ row: ConformanceRow) throws -> Dialled {
        var limits = InputLimits()
        if let silence = row.silenceMs { limits.silenceMs = silence }
        let transport = try #require(RTPTransport(rawValue: row.transport))
        let credential = row.credential ? CameraCredential(user: "admin", password: "s3cret", allowsBasic: true) : nil
        let source = InputSource.rtsp(try RTSPAddress(row.address), credential: credential, transport: transport)
        var sink = CollectingSink()
        for _ in 0..<row.dials {
            sink = CollectingSink()
            let input = Input(name: "quirk", source: source, limits: limits, pool: SlabPool(), sink: sink)
            input.start()
            // Each camera says BYE or closes the connection behind its last packet.
            let hasEnded = sink.wait { !$0.ends.isEmpty }
            input.stop()
            guard hasEnded else { throw DidNotEnd() }
        }
        return Dialled(seen: sink.seen, told: try ConformanceRig.shared().told(row))
    }

    /// Rows whose quirk a dial notices (`vigil probe` tells it).
    private static let noticed: [String: CameraQuirk] = [
        "closes after its 401": .closesAfterChallenge, "digest with SHA-256 only": .demandsSHA256,
        "CSeq 0 to OPTIONS": .otherNumbers, "stray bytes between packets": .strayBytes,
        "no Content-Type": .untypedDescription, "a base that is a path": .incompleteBase,
        "a base with a login": .loginInBase, "a base without slash at its end": .baseWithoutSlash,
        "other channels": .otherChannels, "Transport without channels": .unnamedChannels,
        "461 to TCP": .otherTransport, "packets before the answer to PLAY": .earlyPackets,
        "old session": .foreignPackets, "GET_PARAMETER refused with 501": .refusedKeepAlive,
        "two sessions at most": .noSessionLeft,
    ]

    @Test("each quirk that a dial notices is that of a row")
    func quirks() throws {
        #expect(Set(Self.noticed.values) == Set(CameraQuirk.allCases))
        for row in try ConformanceRig.shared().rows {
            if let quirk = Self.noticed[row.name] { #expect(quirk.row == row.number, "\(row.name)") }
        }
    }

    private func judge(_ row: ConformanceRow, _ seen: CollectingSink.Seen, _ told: ConformanceTold) {
        #expect(told.complaints == [], "asked: \(told.asked)")
        var texts = seen.streams.compactMap(\.ignored)
        var cause: String?
        if case .failed(let failure, let detail)? = seen.ends.first {
            cause = failure.rawValue
            texts.append(detail)
        }
        if let end = row.end {
            #expect(cause == end, "\(texts)")
            #expect(seen.dialedCount <= 1)
        } else {
            #expect(cause == nil || cause == LinkFailure.closed.rawValue, "\(texts)")
            #expect(seen.dialedCount == 1, "\(texts)")
            #expect(seen.counts.lostPackets == 0 || row.damaged > 0)
        }
        if let quirk = Self.noticed[row.name] {
            #expect(seen.facts?.quirks.contains(quirk) == true, "\(String(describing: seen.facts))")
        }
        if row.name.hasPrefix("good") { #expect(seen.facts?.quirks == []) }
        for text in row.says { #expect(texts.contains { $0.contains(text) }, "nothing says \(text): \(texts)") }
        #expect(seen.counts.damaged == row.damaged)
        if let lost = row.lost { #expect(seen.counts.lostPackets == lost) }
        let frames = own(seen)
        let video = frames.filter { $0.kind == .video }.map(digest)
        let audio = frames.filter { $0.kind == .audio }.map(digest)
        #expect(told.video.count >= row.pictures && told.audio.count >= row.sounds, "\(texts)")
        let expected = told.video.dropFirst(min(row.mayMiss, max(0, told.video.count - video.count)))
        #expect(difference(video, Array(expected)) == nil, "\(texts)")
        if row.makesSound {
            #expect(seen.frames.contains { $0.configuration.parameters.codec == .aac }, "\(texts)")
        } else {
            #expect(difference(audio, told.audio) == nil, "\(texts)")
        }
    }

    /// The frames as the camera sent them, without the sound that was made of them.
    private func own(_ seen: CollectingSink.Seen) -> [Frame] {
        let made = Set(seen.streams.filter { $0.madeFrom != nil }.map(\.ordinal))
        return seen.frames.filter { !made.contains($0.track) }
    }

    private func digest(_ frame: Frame) -> String { frame.withBytes { SHA256.hex($0) } }

    /// Where what came first differs from what was sent; nil where it does not.
    private func difference(_ came: [String], _ sent: [String]) -> String? {
        if came == sent { return nil }
        let at = zip(came, sent).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        return "\(came.count) frames came of \(sent.count), the first other one at \(at ?? min(came.count, sent.count))"
    }
}
