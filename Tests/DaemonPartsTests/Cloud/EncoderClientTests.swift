import Encoder
import Foundation
import Testing

/// Requests to the tree's own encoder, which is told how to behave.
@Suite("Asking a remote encoder over HTTP", .serialized)
struct EncoderClientTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let order = #"{"key": "k", "renditions": [], "tracks": [], "results": {}}"#

    private func ask(
        _ encoder: ServerOfTree, _ token: String = secret, timeoutMs: Int64 = EncoderClient.timeoutMs,
        _ body: (EncoderClient) async throws -> [UInt8]
    ) async -> Result<String, any Error> {
        let client = EncoderClient(url: "http://127.0.0.1:\(encoder.port)", token: token, timeoutMs: timeoutMs)
        let result: Result<[UInt8], any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutdown()
        return result.map { String(decoding: $0, as: UTF8.self) }
    }

    private func kind(_ result: Result<String, any Error>) -> EncoderFailure.Kind? {
        if case .failure(let error) = result { (error as? EncoderFailure)?.kind } else { nil }
    }

    @Test("an order with one key is one job, which can be asked for and ended")
    func jobs() async throws {
        let encoder = try await ServerOfTree("cloud/encoder", ["--secret", Self.secret])
        try encoder.says(#"{"hold": true}"#)
        let first = try await ask(encoder) { try await $0.create(Array(Self.order.utf8), key: "k") }.get()
        let again = try await ask(encoder) { try await $0.create(Array(Self.order.utf8), key: "k") }.get()
        #expect(first == again && first.contains("\"running\""))
        let name = try #require(first.firstMatch(of: /"job": "([^"]+)"/)).1
        #expect(try await ask(encoder) { try await $0.job(String(name)) }.get() == first)
        _ = try await ask(encoder) {
            try await $0.cancel(String(name))
            return []
        }.get()
        #expect(kind(await ask(encoder) { try await $0.job("nobody") }) == .gone)
        _ = try await ask(encoder) {
            try await $0.cancel("nobody")
            return []
        }.get()
    }

    @Test("each answer that is none has its kind, and shows neither token nor address")
    func failures() async throws {
        let encoder = try await ServerOfTree("cloud/encoder", ["--secret", Self.secret])
        #expect(kind(await ask(encoder, "whsec_other") { try await $0.job("a") }) == .refused)
        let large = String(repeating: "x", count: EncoderClient.bytesMax + 1)
        for (says, kind) in [
            (#"{"status": 503}"#, .busy), (#"{"status": 429}"#, .busy), (#"{"status": 500}"#, .refused),
            (#"{"status": 307}"#, .refused), (#"{"status": 410}"#, .gone), (#"{"body": "\#(large)"}"#, .refused),
        ] as [(String, EncoderFailure.Kind)] {
            try encoder.says(says)
            let result = await ask(encoder) { try await $0.job("a") }
            #expect(self.kind(result) == kind, "\(says.prefix(40))")
            #expect(!"\(result)".contains(Self.secret) && !"\(result)".contains("127.0.0.1"))
        }
        let client = EncoderClient(url: "http://127.0.0.1:1", token: Self.secret)
        await #expect(throws: EncoderFailure.self) { try await client.job("a") }
        #expect("\(client)" == "encoder")
        await client.shutdown()
    }
}
