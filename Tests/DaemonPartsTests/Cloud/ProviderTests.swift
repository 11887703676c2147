import Cloud
import Foundation
import Machines
import Provider
import Testing

/// The reference provider of the tree.
private struct ReferenceProvider {
    private let server: ServerOfTree
    var port: Int { server.port }

    init(token: String) async throws { server = try await ServerOfTree("cloud/provider", ["--token", token]) }

    /// Waits until it was asked, and begins its answer.
    func isAsked() async throws { try await server.next { $0.contains("\"path\"") } }

    /// What it does from now on.
    func says(_ text: String) throws { try server.says(text) }

    /// Asks it.
    func ask(token: String?) async -> Result<[UInt8], PlanFailure> { await Self.ask(port, token: token) }

    static func ask(_ port: Int, token: String?) async -> Result<[UInt8], PlanFailure> {
        do throws(PlanFailure) {
            return .success(try await PlanRequest(service: "http://127.0.0.1:\(port)", token: token).send())
        } catch { return .failure(error) }
    }
}

@Suite("Asking a provider over HTTP", .serialized)
struct ProviderTests {
    @Test(
        "the reference provider's answer is read, its plans may change meanwhile, and its refusals have their reasons")
    func answers() async throws {
        let provider = try await ReferenceProvider(token: "s3cret")
        try provider.says("{ \"account\": { \"plan\": \"active\", \"activeUntil\": \"2027-01-31T00:00:00Z\" } }")
        let answer = try PlanAnswer(parsing: Data(try await provider.ask(token: "s3cret").get()))
        #expect(answer.plan(of: "yard") == .active(untilWallMs: 1_801_353_600_000, retentionMs: nil))
        try provider.says("{ \"cameras\": { \"door\": { \"plan\": \"expired\", \"retentionDays\": 2 } } }")
        let other = try PlanAnswer(parsing: Data(try await provider.ask(token: "s3cret").get()))
        #expect(other.plan(of: "yard") == .none)
        #expect(other.plan(of: "door") == .expired(atWallMs: nil, retentionMs: 172_800_000))
        for (says, reason, words) in [
            ("{ \"test\": { \"status\": 500 } }", Subscription.LoadFailure.refused, "status 500"),
            ("{ \"test\": { \"status\": 302 } }", .refused, "refers to another address"),
            ("{ \"test\": { \"status\": 401 } }", .unauthorized, "status 401"),
            ("{ \"account\": {}, \"test\": { \"bytes\": 262145 } }", .invalid, "larger than 256 KiB"),
        ] {
            try provider.says(says)
            guard case .failure(let failure) = await provider.ask(token: "s3cret") else {
                Issue.record("\(says) was taken for an answer")
                continue
            }
            #expect(failure.reason == reason && failure.words.contains(words), "\(failure)")
        }
        try provider.says("{ \"account\": {}, \"test\": { \"bytes\": 262144 } }")
        #expect(try await provider.ask(token: "s3cret").get().count == 262_144)
        try provider.says("{ \"test\": { \"garbage\": true } }")
        let garbage = Data(try await provider.ask(token: "s3cret").get())
        #expect(throws: Defect.self) { try PlanAnswer(parsing: garbage) }
    }

    @Test("a token that is wrong, missing, or none is refused, and is nowhere to be read")
    func tokens() async throws {
        let provider = try await ReferenceProvider(token: "s3cret")
        try provider.says("{ \"account\": { \"plan\": \"none\" } }")
        for token in ["wrong", nil, "", "two words", "line\r\nX-Other: 1"] {
            guard case .failure(let failure) = await provider.ask(token: token) else {
                Issue.record("a wrong token was good")
                continue
            }
            #expect(
                failure.reason == .unauthorized && (token?.isEmpty != false || !failure.words.contains(token ?? "")))
        }
        let request = PlanRequest(service: "http://127.0.0.1:1", token: "s3cret")
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!"\(request) \(String(reflecting: request)) \(dumped)".contains("s3cret"))
    }

    @Test("a service that says the token back does not have it shown")
    func echoedToken() async throws {
        let token = "plan-token-9f3c"
        let provider = try await ReferenceProvider(token: token)
        try provider.says(
            "{ \"account\": { \"plan\": \"active\", \"activeUntil\": \"2027-01-31T00:00:00Z\", \"name\": \"Bearer \(token)\" } }"
        )
        let answer = try PlanAnswer(parsing: Data(try await provider.ask(token: token).get()))
        #expect(answer.name(of: "yard") == "Bearer ***")
    }

    @Test("a request that is given up ends at once; where nobody listens it fails within the bound")
    func ends() async throws {
        let provider = try await ReferenceProvider(token: "s3cret")
        try provider.says("{ \"account\": { \"plan\": \"none\" }, \"test\": { \"drip\": 60 } }")
        let task = Task { [port = provider.port] in await ReferenceProvider.ask(port, token: "s3cret") }
        try await provider.isAsked()
        let begin = ContinuousClock.now
        task.cancel()
        guard case .failure = await task.value else { throw CancellationError() }
        #expect(ContinuousClock.now - begin < .seconds(30))
        do throws(PlanFailure) {
            _ = try await PlanRequest(service: "http://127.0.0.1:1", token: nil).send()
            Issue.record("somebody answered")
        } catch { #expect(error.reason == .unreachable) }
        #expect(ContinuousClock.now - begin < .seconds(15))
    }
}
