import Machines
import Testing
import Webhook

@testable import Daemon

/// What the webhook's receiver lets be sent.
@Suite("What the webhook's receiver lets be sent")
struct WebhookGateTests {
    private let now = Instant(ms: 1_000_000)
    private let away = WebhookFailure(.unreachable, "nobody is there")

    private func job(_ number: Int64) -> Int64 { number }

    @Test(
        "an outage is told once, is tried by one message at a time, ever later, and ends with the first that is taken")
    func outage() throws {
        var gate = WebhookGate()
        #expect(gate.room(atWork: 1, at: now) == WebhookGate.parallel - 1)
        var (time, waits) = (now, [Int64]())
        for number in 0..<14 {
            let news = gate.failed(job(Int64(number % 3)), away, share: 1_000, at: time, wallMs: 5)
            #expect(news == (number == 0 ? .outage : .none) && gate.room(atWork: 0, at: time) == 0)
            let next = try #require(gate.outage?.next)
            waits.append(next - time)
            time = next
            #expect(gate.room(atWork: 0, at: time) == 1 && gate.room(atWork: 1, at: time) == 0)
        }
        #expect(waits.prefix(4) == [1_000, 2_000, 4_000, 8_000] && waits.last == WebhookGate.waitMaxMs)
        let ended = gate.told(job(7))
        #expect(ended?.sinceWallMs == 5 && gate.outage == nil && gate.room(atWork: 0, at: time) == WebhookGate.parallel)
        let again = gate.told(job(7))
        #expect(again == nil)
    }

    @Test(
        "a message that is not wanted rests alone; four in a row are an outage, and one that is taken in between starts the count anew"
    )
    func rests() {
        var gate = WebhookGate()
        let bad = WebhookFailure(.failed, "status 500")
        let first = gate.failed(job(1), bad, share: 0, at: now, wallMs: 5)
        let second = gate.failed(job(1), bad, share: 0, at: now, wallMs: 5)
        #expect(first == .refused && second == .none)
        #expect(gate.left(at: now) == [job(1)] && gate.left(at: now + 1_000).isEmpty && gate.outage == nil)
        #expect(gate.room(atWork: 0, at: now) == WebhookGate.parallel)
        _ = gate.told(job(2))
        for number in 3...5 as ClosedRange<Int64> {
            let news = gate.failed(job(number), bad, share: 0, at: now, wallMs: 5)
            #expect(news == .refused && gate.outage == nil)
        }
        let last = gate.failed(job(6), bad, share: 0, at: now, wallMs: 5)
        #expect(last == .outage)
        gate.isAsked()
        #expect(gate.left(at: now).isEmpty && gate.room(atWork: 0, at: now) == 1)
    }

    @Test("a receiver that asks to wait is left alone as long, and no answer makes the wait longer than the longest")
    func bounds() throws {
        var gate = WebhookGate()
        let busy = try #require(WebhookFailure(status: 503, retryAfter: "120"))
        _ = gate.failed(job(1), busy, share: 0, at: now, wallMs: 5)
        #expect(gate.outage.map { $0.next - now } == 120_000)
        let long = try #require(WebhookFailure(status: 429, retryAfter: "3600"))
        _ = gate.failed(job(1), long, share: .max, at: now, wallMs: 5)
        #expect(gate.outage.map { $0.next - now } == WebhookGate.waitMaxMs)
        for share in [Int64.min, .max] {
            var other = WebhookGate()
            for _ in 0..<80 { _ = other.failed(job(1), away, share: share, at: now, wallMs: 5) }
            #expect(other.outage.map { $0.next - now <= WebhookGate.waitMaxMs } == true)
        }
        for number in 0..<2_000 as Range<Int64> {
            _ = gate.failed(job(number), WebhookFailure(.declined, "no"), share: 0, at: now, wallMs: 5)
        }
        #expect(gate.resting.count <= WebhookGate.restingMax)
    }

    @Test("each answer means what the page of the receivers says")
    func answers() {
        for status in [200, 201, 204, 299] { #expect(WebhookFailure(status: status) == nil) }
        let kinds: [(Int, WebhookFailure.Kind)] = [
            (301, .refused), (308, .refused), (401, .refused), (403, .refused), (404, .refused), (410, .refused),
            (400, .declined), (422, .declined), (408, .failed), (500, .failed), (501, .failed), (429, .unreachable),
            (502, .unreachable), (503, .unreachable), (504, .unreachable), (100, .declined), (-1, .declined),
            (999, .failed),
        ]
        for (status, kind) in kinds { #expect(WebhookFailure(status: status)?.kind == kind, "\(status)") }
        for text in ["-1", "0", "99999999999999999999", "soon", "3601"] {
            #expect(WebhookFailure(status: 503, retryAfter: text)?.retryAfterMs == nil, "\(text)")
        }
    }

    @Test(
        "a secret is whsec_ and 24 to 64 bytes; what it signs fits the example of Standard Webhooks, and it shows itself nowhere"
    )
    func secrets() throws {
        // The example of the specification.
        let secret = try #require(WebhookSecret(text: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let message = WebhookMessage(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", sentSeconds: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(secret.signature(of: message) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        let right = secret.signature(of: message)
        #expect(secret.verifies(message, right) && secret.verifies(message, "v1,AAAA \(right)"))
        for wrong in ["", "v1,", right.dropLast() + "A", "v1a" + right.dropFirst(2), right + "=", right.lowercased()] {
            #expect(!secret.verifies(message, String(wrong)), "\(wrong)")
        }
        let later = WebhookMessage(id: message.id, sentSeconds: message.sentSeconds + 1, body: message.body)
        #expect(!secret.verifies(later, right))
        #expect("\(secret)" == "<redacted>" && String(reflecting: secret) == "<redacted>")
        for text in ["", "whsec_", "whsec_AAAA", "whsec_!!!!", "whsec_" + String(repeating: "AAAA", count: 22)] {
            #expect(WebhookSecret(text: text) == nil, "\(text)")
        }
    }
}
