import Cloud
import Foundation
import Machines
import Provider
import Testing

/// The reference provider of the tree, in a process of its own.
private final class ReferenceProvider {
    let folder = NSTemporaryDirectory() + "vigil-provider-\(UUID().uuidString.prefix(8))"
    let port: Int
    private let process = Process()
    private let output = Pipe()

    init(token: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tree = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        process.executableURL = tree.appending(path: "cloud/provider")
        process.arguments = [folder + "/plans.json", "--token", token, "--for", "120"]
        process.standardOutput = output
        try process.run()
        let words = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).split(
            whereSeparator: \.isWhitespace)
        port = try #require(words.count > 1 ? Int(words[1]) : nil)
    }

    deinit {
        // It inherits that the test's threads take no other signal.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// What it does from now on.
    func says(_ text: String) throws {
        try text.write(toFile: folder + "/plans.json", atomically: true, encoding: .utf8)
    }

    /// Asks it.
    func ask(token: String?) async -> Result<[UInt8], PlanFailure> {
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
        let provider = try ReferenceProvider(token: "s3cret")
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
        let provider = try ReferenceProvider(token: "s3cret")
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

    @Test("a request that is given up ends at once; where nobody listens it fails within the bound")
    func ends() async throws {
        let provider = try ReferenceProvider(token: "s3cret")
        try provider.says("{ \"account\": { \"plan\": \"none\" }, \"test\": { \"drip\": 10 } }")
        let begin = ContinuousClock.now
        let task = Task { await provider.ask(token: "s3cret") }
        try await Task.sleep(for: .milliseconds(300))
        task.cancel()
        guard case .failure = await task.value else { throw CancellationError() }
        #expect(ContinuousClock.now - begin < .seconds(5))
        do throws(PlanFailure) {
            _ = try await PlanRequest(service: "http://127.0.0.1:1", token: nil).send()
            Issue.record("somebody answered")
        } catch { #expect(error.reason == .unreachable) }
        #expect(ContinuousClock.now - begin < .seconds(15))
    }
}
