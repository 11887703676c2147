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
    /// It ends with its standard input, whatever becomes of this one.
    private let input = Pipe()
    /// What it prints, line by line.
    private let lines: AsyncStream<String>

    init(token: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tree = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        process.executableURL = tree.appending(path: "cloud/provider")
        process.arguments = [folder + "/plans.json", "--token", token]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        try process.run()
        // A thread of its own: it waits for as long as the provider lives.
        Thread.detachNewThread {
            var rest = Data()
            while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                rest += bytes
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = rest[rest.index(after: end)...]
                }
            }
            continuation.finish()
        }
        let ready = await lines.first { _ in true }?.split(separator: " ")
        port = try #require(ready?.first == "ready" ? ready?.last.flatMap { Int($0) } : nil)
    }

    deinit {
        // It inherits that the test's threads take no other signal.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Waits until it was asked, and begins its answer.
    func isAsked() async { _ = await lines.first { $0.contains("\"path\"") } }

    /// What it does from now on.
    func says(_ text: String) throws {
        try text.write(toFile: folder + "/plans.json", atomically: true, encoding: .utf8)
    }

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

    @Test("a request that is given up ends at once; where nobody listens it fails within the bound")
    func ends() async throws {
        let provider = try await ReferenceProvider(token: "s3cret")
        try provider.says("{ \"account\": { \"plan\": \"none\" }, \"test\": { \"drip\": 10 } }")
        let begin = ContinuousClock.now
        let task = Task { [port = provider.port] in await ReferenceProvider.ask(port, token: "s3cret") }
        await provider.isAsked()
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
