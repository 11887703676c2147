import Foundation
import Testing

@testable import Ingest

@Suite("What is pushed, as values")
struct OutboxTests {
    @Test("a login is in no text of a publishing point, and who sends back what was shown keeps it")
    func logins() throws {
        let text = "https://front:se%3Acret@media.example.org:8443/in/"
        let point = try #require(IngestPoint(text))
        #expect(point.url == "https://media.example.org:8443/in/")
        #expect(point.authorization == "Basic " + Data("front:se:cret".utf8).base64EncodedString())
        for words in ["\(point)", String(reflecting: point)] { #expect(!words.contains("cret")) }
        var dumped = ""
        dump(point, to: &dumped)
        #expect(!dumped.contains("cret") && !dumped.contains("Basic"))
        let shown = IngestPoint.masked(text)
        #expect(shown == "https://***@media.example.org:8443/in/")
        #expect(IngestPoint.unmasked(shown, before: text) == text)
        #expect(IngestPoint.unmasked("https://other.example.org/", before: text) == "https://other.example.org/")
        #expect(IngestPoint.masked("https://media.example.org/a@b/") == "https://media.example.org/a@b/")
        for none in ["http://media.example.org/", "https://media.example.org/in", "ftp://"] {
            #expect(IngestPoint(none) == nil)
        }
    }

    @Test("names of tracks are parts of addresses as they stand")
    func names() {
        for name in ["video", "a", "Cam_1-b.x", "1234567890123456"] { #expect(IngestSession.isName(name)) }
        for name in ["", ".", "..", ".x", "a/b", "a b", "$Number$", "ä", "12345678901234567", "a\"b", "a%41"] {
            #expect(!IngestSession.isName(name))
        }
    }

    @Test("an answer refers to addresses by HTTPS alone")
    func redirects() {
        let url = "https://a.example.org:1/in/x"
        #expect(IngestClient.resolved("/y/z", from: url) == "https://a.example.org:1/y/z")
        #expect(IngestClient.resolved("https://b.example.org/", from: url) == "https://b.example.org/")
        for none in ["http://b.example.org/", "//b.example.org/", "y", ""] {
            #expect(IngestClient.resolved(none, from: url) == nil)
        }
    }

    @Test(
        "a receiver that goes away and comes back without end is told of twice a minute, and one that stays away at once"
    )
    func outages() {
        var words = OutageWords()
        var told: [Int64] = []
        for second in Int64(0)..<600 {
            let now = second * 1_000
            if words.failed(sinceMs: now, atMs: now) { told.append(now) }
            if words.taken(atMs: now + 500) { told.append(now + 500) }
        }
        #expect(told.count <= 20 && told.prefix(2) == [0, 500], "\(told)")
        // Amid that it stays away.
        let since: Int64 = 600_000
        let tries = (0..<12).map { words.failed(sinceMs: since, atMs: since + Int64($0) * 1_000) }
        #expect(tries.count { $0 } == 1 && tries.firstIndex(of: true) == 10)
        let ends = [20_000, 20_001].map { words.taken(atMs: since + $0) }
        #expect(ends == [true, false])
        let isTold = words.failed(sinceMs: since + 90_000, atMs: since + 90_000)
        #expect(isTold)
    }

    @Test("tries grow apart to 30 s; a few refusals end a session, and ten minutes without an answer")
    func persistence() {
        var persistence = Persistence(seed: 7)
        let away = IngestFailure(.later, "away")
        var (now, waits) = (Int64(0), [Int64]())
        while case .again(let ms) = persistence.failed(away, atMs: now) {
            waits.append(ms)
            now += ms
        }
        #expect((600_000...640_000).contains(now))
        for (step, wait) in zip(Persistence.stepsMs, waits) { #expect((step...step * 6 / 5).contains(wait)) }
        #expect(waits.dropFirst(6).allSatisfy { (30_000...36_000).contains($0) })
        persistence.taken()
        let refused = IngestFailure(.refused, "no")
        let verdicts = (0..<5).map { persistence.failed(refused, atMs: now + Int64($0)) }
        #expect(verdicts.firstIndex(of: .giveUp) == 4)
        // The next session is not tried more often for it.
        #expect(persistence.failed(refused, atMs: now + 5) != .again(afterMs: 1_000))
        #expect(IngestFailure(status: 204) == nil)
        #expect(IngestFailure(status: 412)?.kind == .header)
        for status in [408, 425, 429, 500, 503] { #expect(IngestFailure(status: status)?.kind == .later) }
        for status in [100, 302, 400, 401, 403, 404, 415] { #expect(IngestFailure(status: status)?.kind == .refused) }
        #expect(IngestFailure(status: 503, retryAfter: "7")?.retryAfterMs == 7_000)
        #expect(IngestFailure(status: 503, retryAfter: "61")?.retryAfterMs == 60_000)
        for strange in ["-1", "0", "99999999999999999999", "soon"] {
            #expect(IngestFailure(status: 503, retryAfter: strange)?.retryAfterMs == nil)
        }
    }
}
