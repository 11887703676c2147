import Foundation
import Testing
import Webhook

/// One message to the tree's own receiver, which is told how to behave.
@Suite("Telling a webhook's receiver over HTTP", .serialized)
struct WebhookClientTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func send(
        _ receiver: ServerOfTree, timeoutMs: Int64 = WebhookClient.timeoutMs, body: String = "{}",
        secret: String = WebhookClientTests.secret
    ) async throws -> (failure: WebhookFailure?, heard: Heard) {
        let client = WebhookClient(url: "http://127.0.0.1:\(receiver.port)/hook", timeoutMs: timeoutMs)
        let message = WebhookMessage(
            id: "1-2-abcdef01", sentSeconds: Int64(Date().timeIntervalSince1970), body: Array(body.utf8))
        let failure = await client.send(message, secret: WebhookSecret(text: secret))
        await client.shutdown()
        let line = try await receiver.next()
        let heard = try JSONDecoder().decode(Heard.self, from: Data(line.utf8))
        #expect(heard.path == "/hook")
        return (failure, heard)
    }

    /// What the receiver tells of a message.
    private struct Heard: Decodable {
        let id: String
        let signed: Bool?
        let age: Double
        let type: String
        let path: String
    }

    @Test("what arrives is signed, as the receiver works it out by itself; with another secret it does not fit")
    func signs() async throws {
        let receiver = try await ServerOfTree("cloud/receiver", ["--secret", Self.secret])
        let (failure, heard) = try await send(receiver, body: #"{"note": "ä\u0000"}"#)
        #expect(failure == nil && heard.signed == true && heard.id == "1-2-abcdef01")
        #expect(heard.age < 60 && heard.type == "application/json")
        let other = try await send(receiver, secret: "whsec_" + String(repeating: "AAAA", count: 8))
        #expect(other.heard.signed == false)
        let none = try await send(receiver, secret: "")
        #expect(none.heard.signed == nil)
    }

    @Test("a head of 2xx takes the message, however its body goes on; nothing else does, and no redirect is followed")
    func answers() async throws {
        let receiver = try await ServerOfTree("cloud/receiver", ["--secret", Self.secret])
        let elsewhere = #"{"status": 307, "header": {"Location": "http://127.0.0.1:\#(receiver.port)/other"}}"#
        for (says, kind) in [
            ("{}", nil), (#"{"status": 200, "cut": "middle"}"#, nil), (#"{"status": 200, "endless": true}"#, nil),
            (#"{"status": 500}"#, .failed), (#"{"status": 410}"#, .refused), (#"{"status": 422}"#, .declined),
            (#"{"status": 503, "header": {"Retry-After": "7"}}"#, .unreachable), (elsewhere, .refused),
            (#"{"cut": "before"}"#, .unreachable),
        ] as [(String, WebhookFailure.Kind?)] {
            try receiver.says(says)
            let (failure, _) = try await send(receiver)
            #expect(failure?.kind == kind, "\(says): \(String(describing: failure))")
            #expect(failure?.retryAfterMs == (says.contains("Retry-After") ? 7_000 : nil))
        }
        // Had it followed the redirect, this would hear of the message to /other.
        try receiver.says("{}")
        _ = try await send(receiver)
    }

    @Test(
        "a receiver that never answers is left within the bound, and one where nobody listens at once; neither shows its address"
    )
    func bounds() async throws {
        let receiver = try await ServerOfTree("cloud/receiver", ["--secret", Self.secret], says: #"{"hang": true}"#)
        let (failure, _) = try await send(receiver, timeoutMs: 1_000)
        #expect(failure == WebhookFailure(.unreachable, "the receiver does not answer within 1 s"))
        let nobody = WebhookClient(url: "http://127.0.0.1:1/s3cret")
        let refused = await nobody.send(WebhookMessage(id: "1", sentSeconds: 0, body: []), secret: nil)
        await nobody.shutdown()
        #expect(refused?.kind == .unreachable && refused?.words.contains("s3cret") == false)
        #expect(!"\(nobody) \(String(reflecting: nobody))".contains("s3cret"))
        let url = "http://127.0.0.1:\(receiver.port)/hook"
        let task = Task {
            let client = WebhookClient(url: url)
            let failure = await client.send(
                WebhookMessage(id: "2", sentSeconds: 0, body: Array("{}".utf8)), secret: nil)
            await client.shutdown()
            return failure
        }
        try await receiver.next { $0.contains("\"2\"") }
        task.cancel()
        #expect(await task.value != nil, "what is given up was not taken")
    }
}
