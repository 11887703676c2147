import Synchronization
import Testing

@testable import ObjectStore

@Suite("What a store answers")
struct StoreTests {
    static let secret = "TheSecretThatNobodyMaySee"

    /// Runs `body` with a client of a server that answers as the test says.
    private func with(
        _ answer: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Answer,
        quiet: Int = 60, checksum: ChecksumAlgorithm = .crc32c, token: String? = nil,
        _ body: (ObjectStore, ScriptedServer) async throws -> Void
    ) async throws {
        let server = ScriptedServer(answer)
        var configuration = StoreConfiguration(
            address: try StoreAddress(endpoint: server.endpoint, region: "us-east-1", bucket: "bucket", style: .path))
        configuration.quietSecondsMax = quiet
        configuration.checksum = checksum
        let credentials = try #require(
            Credentials(accessKeyID: "AKID", secretAccessKey: Self.secret, sessionToken: token))
        let store = ObjectStore(configuration, credentials: .values(credentials))
        do { try await body(store, server) } catch { Issue.record(error) }
        await store.shutdown()
        server.end()
    }

    private func cause(_ body: () async throws -> Void) async -> StoreError.Cause? {
        do {
            try await body()
            return nil
        } catch let error as StoreError {
            #expect(!error.description.contains(Self.secret) && !error.description.contains("\n"))
            #expect(error.description.contains("bucket"))
            return error.cause
        } catch {
            Issue.record("\(error) is no error of a store")
            return nil
        }
    }

    private static func error(_ code: String, _ more: String = "") -> String {
        "<Error><Code>\(code)</Code><Message>m</Message>\(more)</Error>"
    }

    static let classes: [(Int, String, StoreError.Cause)] = [
        (403, error("AccessDenied"), .refused), (403, error("InvalidAccessKeyId"), .refused), (403, "", .refused),
        (403, error("RequestTimeTooSkewed"), .skewed(serverSeconds: 1_369_353_600)),
        (400, error("AuthorizationHeaderMalformed", "<Region>eu-west-3</Region>"), .wrongRegion("eu-west-3")),
        (400, error("AuthorizationHeaderMalformed", "<Region>us-east-1</Region>"), .refused),
        (301, error("PermanentRedirect"), .wrongRegion(nil)), (404, error("NoSuchBucket"), .noBucket),
        (404, error("NoSuchKey"), .notFound), (404, "", .notFound), (412, "", .preconditionFailed), (507, "", .full),
        (400, error("QuotaExceeded"), .full), (503, error("SlowDown"), .slowDown(retryAfterSeconds: 9)),
        (503, "<html>", .slowDown(retryAfterSeconds: 9)), (429, "", .slowDown(retryAfterSeconds: 9)),
        (500, error("InternalError"), .server), (502, "", .server),
        (501, error("NotImplemented"), .invalid("the store does not do this")),
        (416, "", .invalid("the object does not have these bytes")),
    ]

    @Test("Each class of errors is told by code and status", arguments: classes.indices)
    func classOf(_ index: Int) async throws {
        let (status, body, expected) = Self.classes[index]
        let headers = ["Date": "Fri, 24 May 2013 00:00:00 GMT", "Retry-After": "9"]
        try await with({ _, _ in .send(status: status, headers: headers, body: body) }) { store, _ in
            let seen = await cause { _ = try await store.bytes("key", limit: 10) }
            #expect(seen == expected)
        }
    }

    @Test("What a store says of what it was signed with is not told (H9)")
    func echoedSecrets() async throws {
        let token = String(repeating: "FwoGZXIvYXdzE/", count: 20) + "=="
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        let body = Self.error("AccessDenied").replacing("<Message>m<", with: "<Message>no \(token) or \(secret), no<")
        try await with({ _, _ in .send(status: 403, body: body) }) { store, _ in
            do {
                _ = try await store.bytes("key", limit: 10)
                Issue.record("it was taken")
            } catch let error as StoreError {
                #expect(error.message == "no (282 characters) or (41 characters) no", "\(error)")
            }
        }
    }

    @Test("An answer whose status is none is invalid (H1)", arguments: ["000", "001", "099"])
    func strangeStatus(_ status: String) async throws {
        try await with({ _, _ in .raw("HTTP/1.1 \(status) Hm\r\nContent-Length: 2\r\n\r\nxx") }) { store, _ in
            let seen = await cause { _ = try await store.bytes("key", limit: 10) }
            #expect(seen == .invalid("the answer is none of HTTP"))
        }
    }

    @Test(
        "An answer to a range that is another range, or none, is refused, and the right one taken",
        arguments: [
            "bytes 2-4/10", "bytes 1-4/10", "bytes 0-4/10", "bytes 2-3/10", "bytes 2-4/4", "bytes 2-x/10",
            "bytes 4-2/10", "items 2-4/10", "",
        ])
    func ranges(_ field: String) async throws {
        try await with({ _, _ in .send(status: 206, headers: ["Content-Range": field], body: "abc") }) { store, _ in
            let seen = await cause { _ = try await store.bytes("key", range: 2..<5, limit: 10) }
            #expect(seen?.name == (field == "bytes 2-4/10" ? nil : "invalid"))
        }
    }

    @Test("More than the limit is refused before a byte is taken, and so is an answer without a length")
    func limits() async throws {
        let taken = Mutex(0)
        try await with({ _, number in
            number == 0
                ? .send(status: 200, body: "0123456789")
                : .raw("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n")
        }) { store, _ in
            for _ in 0..<2 {
                let seen = await cause {
                    try await store.get("key", limit: 9) { bytes in taken.withLock { $0 += bytes.count } }
                }
                #expect(seen?.name == "invalid")
            }
            #expect(taken.withLock { $0 } == 0)
        }
    }

    @Test("A download that ends early is no object")
    func early() async throws {
        try await with({ _, _ in .send(status: 200, headers: ["Content-Length": "100"], body: "abc") }) { store, _ in
            #expect(await cause { _ = try await store.bytes("key", limit: 100) }?.name == "unreachable")
        }
    }

    @Test("A whole object that differs from the store's own sum is a mismatch")
    func sum() async throws {
        let headers = ["x-amz-checksum-crc32c": "AAAAAA=="]
        try await with({ _, _ in .send(status: 200, headers: headers, body: "abc") }) { store, _ in
            #expect(await cause { _ = try await store.bytes("key", limit: 100) }?.name == "mismatch")
        }
    }

    @Test("A condition that the store ignores holds all the same")
    func condition() async throws {
        try await with({ _, _ in .send(status: 200, headers: ["ETag": "\"b\""], body: "abc") }) { store, _ in
            #expect(await cause { _ = try await store.bytes("key", ifMatch: "a", limit: 10) } == .preconditionFailed)
        }
    }

    @Test("What whoever takes the bytes throws comes out as it is")
    func taker() async throws {
        struct Enough: Error {}
        try await with({ _, _ in .send(status: 200, body: "abc") }) { store, _ in
            await #expect(throws: Enough.self) { try await store.get("key", limit: 10) { _ in throw Enough() } }
        }
    }

    @Test("A store that does not answer is unreachable after the time without a byte")
    func silence() async throws {
        try await with({ _, _ in .silence }, quiet: 1) { store, _ in
            #expect(await cause { _ = try await store.head("key") } == .unreachable("no byte moved for 1 s"))
        }
    }

    @Test("Cancelling ends an operation at once")
    func cancelled() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        try await with({ _, _ in
            ask.yield()
            return .silence
        }) { store, _ in
            let running = Task { try await store.head("key") }
            for await _ in asked { break }
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
        }
    }

    @Test("A put carries its sums, and nobody who reads along the secret")
    func put() async throws {
        try await with(
            { request, _ in
                request.method == "HEAD"
                    ? .send(
                        status: 200, headers: ["Content-Length": "3", "x-amz-checksum-crc32c": "Nks/tw=="], body: "")
                    : .send(status: 200)
            }, token: "TheToken"
        ) { store, server in
            let progress = Mutex<[UInt64]>([])
            var options = PutOptions()
            options.onlyIfNew = true
            let stored = try await store.put(MemorySource(Array("abc".utf8)), as: "a b", options) { sent in
                progress.withLock { $0.append(sent) }
            }
            #expect(stored.verified == .checksum(.crc32c))
            #expect(progress.withLock { $0 } == [3])
            let request = try #require(server.requests.first)
            #expect(request.target == "/bucket/a%20b")
            #expect(request.headers["content-md5"] == "kAFQmDzST7DWlj99KOF/cg==")
            #expect(request.headers["x-amz-checksum-crc32c"] == "Nks/tw==")
            #expect(request.headers["x-amz-content-sha256"]?.hasPrefix("ba7816bf") == true)
            #expect(request.headers["x-amz-security-token"] == "TheToken")
            #expect(request.headers["if-none-match"] == "*")
            #expect(!"\(server.requests)".contains(Self.secret))
        }
    }

    @Test("MD5 is made while the store tells no better sum, and again when it stops to")
    func md5() async throws {
        let tells = Mutex(true)
        try await with({ request, _ in
            guard request.method == "HEAD" else { return .send(status: 200) }
            let sum =
                tells.withLock { $0 }
                ? ["x-amz-checksum-crc32c": "Nks/tw=="] : ["ETag": "\"900150983cd24fb0d6963f7d28e17f72\""]
            return .send(status: 200, headers: ["Content-Length": "3"].merging(sum) { $1 }, body: "")
        }) { store, server in
            var proofs: [Verified] = []
            for number in 0..<4 {
                if number == 2 { tells.withLock { $0 = false } }
                proofs.append(try await store.put(MemorySource(Array("abc".utf8)), as: "key").verified)
            }
            #expect(proofs == [.checksum(.crc32c), .checksum(.crc32c), .etag, .etag])
            let sent = server.requests.filter { $0.method == "PUT" }.map { $0.headers["content-md5"] != nil }
            #expect(sent == [true, false, false, true])
        }
    }

    @Test("A source whose sums are known is read once, and is not sent where it has others")
    func known() async throws {
        try await with({ request, _ in
            request.method == "HEAD"
                ? .send(status: 200, headers: ["Content-Length": "3", "x-amz-checksum-crc32c": "Nks/tw=="], body: "")
                : .send(status: 200)
        }) { store, server in
            let source = MemorySource(Array("abc".utf8))
            // Before a store has proved anything by its own sum, MD5 is wanted, too.
            _ = try await store.put(source, as: "key")
            var options = PutOptions()
            options.sums = KnownSums(crc32c: 0x364b_3fb7, sha256: String(repeating: "12", count: 32))
            #expect(try await store.put(source, as: "key", options).verified == .checksum(.crc32c))
            let put = server.requests.filter { $0.method == "PUT" }.last
            #expect(put?.headers["x-amz-content-sha256"] == options.sums?.sha256)
            #expect(put?.headers["x-amz-checksum-crc32c"] == "Nks/tw==")
            options.sums = KnownSums(crc32c: 1, sha256: String(repeating: "12", count: 32))
            #expect(await cause { _ = try await store.put(source, as: "key", options) }?.name == "source")
        }
    }

    @Test("A source that changes, ends or fails while it is sent is told, and nothing is stored")
    func source() async throws {
        for kind in [FailingSource.Kind.changes, .ends, .fails] {
            try await with({ _, _ in .send(status: 200) }) { store, server in
                #expect(await cause { _ = try await store.put(FailingSource(kind), as: "key") }?.name == "source")
                #expect(server.requests.isEmpty)
            }
        }
    }

    @Test("Deleting many tells each key that could not be deleted, and forgives what is not there")
    func deleteMany() async throws {
        let body =
            "<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code></Error><Error><Key>b</Key><Code>NoSuchKey</Code></Error></DeleteResult>"
        try await with({ _, _ in .send(status: 200, body: body) }) { store, server in
            let failed = try await store.deleteMany(["a", "b", "c<&>"])
            #expect(failed.mapValues(\.cause) == ["a": .refused])
            let sent = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
            #expect(sent.contains("<Key>c&lt;&amp;&gt;</Key>"))
            #expect(await cause { _ = try await store.deleteMany(["\u{1}"]) }?.name == "invalid")
        }
    }

    @Test("Keys that no object can have are not sent")
    func keys() async throws {
        try await with({ _, _ in .send(status: 200) }) { store, server in
            for key in ["", String(repeating: "x", count: 1025)] {
                #expect(await cause { _ = try await store.head(key) }?.name == "invalid")
            }
            #expect(server.requests.isEmpty)
        }
    }
}

extension StoreError.Cause {
    /// The class without what it carries.
    fileprivate var name: String { String("\(self)".prefix { $0 != "(" }) }
}

/// A source of many bytes that is another when it is read the second time.
final class FailingSource: ByteSource {
    enum Kind { case changes, ends, fails }
    struct Failure: Error {}

    let bytes: UInt64 = 600_000
    private let kind: Kind
    private let read = Mutex(UInt64(0))

    init(_ kind: Kind) { self.kind = kind }

    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        let isFirst = read.withLock { read in
            defer { read += UInt64(count) }
            return read < bytes
        }
        let whole = [UInt8](repeating: isFirst ? 1 : 2, count: min(count, Int(bytes - offset)))
        guard !isFirst else { return whole }
        switch kind {
        case .changes: return whole
        case .ends: return []
        case .fails: throw Failure()
        }
    }
}
