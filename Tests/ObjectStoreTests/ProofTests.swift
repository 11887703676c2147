import Hashing
import Synchronization
import Testing

@testable import ObjectStore

@Suite("What proves objects")
struct ProofTests {
    /// A store in memory behind a scripted server: its entity tags are MD5, of an object in parts in the form that a test says.
    private final class Memory: Sendable {
        struct State: Sendable {
            var objects: [String: (bytes: [UInt8], tag: String)] = [:]
            var parts: [Int: [UInt8]] = [:]
            var loses: Set<String> = []
            var damages: Set<String> = []
            var tagsAreMD5 = true
            var tagsOfParts = false
            var lists = true
        }
        let state = Mutex(State())

        func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
            state.withLock { state in
                let halves = request.target.split(separator: "?", maxSplits: 1).map(String.init)
                let (key, query) = (
                    halves[0].split(separator: "/").dropFirst().joined(separator: "/"), halves.last ?? ""
                )
                switch request.method {
                case "GET" where key.isEmpty: return Self.list(state)
                case "PUT" where query.contains("partNumber"):
                    let number = query.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
                    state.parts[number] = request.body
                    return .send(status: 200, headers: ["ETag": "\"\(Hex.text(MD5.value(of: request.body)))\""])
                case "PUT":
                    var body = request.body
                    if state.damages.contains(key), !body.isEmpty { body[0] ^= 1 }
                    let tag = state.tagsAreMD5 ? Hex.text(MD5.value(of: body)) : "opaque"
                    if !state.loses.contains(key) { state.objects[key] = (body, tag) }
                    return .send(status: 200)
                case "POST" where query.contains("uploads"):
                    return .send(
                        status: 200,
                        body: "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
                case "POST":
                    let parts = state.parts.sorted { $0.key < $1.key }.map(\.value)
                    let tags = parts.flatMap { MD5.value(of: $0) }
                    let tag =
                        state.tagsOfParts
                        ? "\(Hex.text(MD5.value(of: tags)))-\(parts.count)"
                        : Hex.text(MD5.value(of: parts.flatMap(\.self)))
                    state.objects[key] = (parts.flatMap(\.self), tag)
                    return .send(status: 200, body: "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")
                default:
                    guard let object = state.objects[key] else { return .send(status: 404) }
                    return .raw(
                        "HTTP/1.1 200 X\r\nConnection: close\r\nContent-Length: \(object.bytes.count)\r\nETag: \"\(object.tag)\"\r\n\r\n"
                            + (request.method == "GET" ? String(decoding: object.bytes, as: UTF8.self) : ""))
                }
            }
        }

        private static func list(_ state: State) -> ScriptedServer.Answer {
            guard state.lists else {
                return .send(status: 501, body: "<Error><Code>NotImplemented</Code><Message>m</Message></Error>")
            }
            let rows = state.objects.map {
                "<Contents><Key>\($0.key)</Key><Size>\($0.value.bytes.count)</Size><ETag>&quot;\($0.value.tag)&quot;</ETag></Contents>"
            }
            return .send(
                status: 200,
                body: "<ListBucketResult>\(rows.joined())<IsTruncated>false</IsTruncated></ListBucketResult>")
        }
    }

    private func with(
        _ change: (inout Memory.State) -> Void = { _ in },
        _ body: (ObjectStore, ScriptedServer, Memory) async throws -> Void
    ) async throws {
        let memory = Memory()
        memory.state.withLock { change(&$0) }
        let server = ScriptedServer { request, _ in memory.answer(request) }
        let address = try StoreAddress(endpoint: server.endpoint, region: "us-east-1", bucket: "bucket", style: .path)
        let credentials = try #require(Credentials(accessKeyID: "AKID", secretAccessKey: "secret"))
        let store = ObjectStore(StoreConfiguration(address: address), credentials: .values(credentials))
        do { try await body(store, server, memory) } catch { Issue.record(error) }
        await store.shutdown()
        server.end()
    }

    private func send(_ store: ObjectStore) async throws -> [UnprovedObject] {
        var sent: [UnprovedObject] = []
        for name in ["a", "b", "c"] { sent.append(try await store.send(Array("of \(name)".utf8), as: "f/\(name)")) }
        return sent
    }

    private func count(_ server: ScriptedServer, _ method: String) -> Int {
        server.requests.count { $0.method == method }
    }

    @Test("One listing proves all that was sent")
    func listed() async throws {
        try await with { store, server, _ in
            try await store.prove(try await send(store), below: "f/", atMost: 100)
            #expect(count(server, "GET") == 1)
            #expect(count(server, "HEAD") == 0)
        }
    }

    @Test("An object that is lost or damaged is told, be all others well", arguments: [true, false])
    func lost(_ isLost: Bool) async throws {
        try await with {
            if isLost { $0.loses = ["f/b"] } else { $0.damages = ["f/b"] }
        } _: { store, _, _ in
            let sent = try await send(store)
            let error = await #expect(throws: StoreError.self) { try await store.prove(sent, below: "f/", atMost: 100) }
            guard case .mismatch? = error?.cause else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(error?.key == "f/b")
        }
    }

    @Test(
        "What a listing does not prove is asked for, and a store whose listings prove nothing is not asked for another")
    func opaque() async throws {
        try await with {
            $0.tagsAreMD5 = false
        } _: { store, server, _ in
            for _ in 0..<2 { try await store.prove(try await send(store), below: "f/", atMost: 100) }
            // Its entity tags are none, so each object is read back.
            #expect(server.requests.count { $0.method == "GET" && $0.target.contains("list-type") } == 1)
            #expect(count(server, "HEAD") == 6)
        }
    }

    @Test("A store that cannot list is asked for each object")
    func unlisted() async throws {
        try await with {
            $0.lists = false
        } _: { store, server, _ in
            try await store.prove(try await send(store), below: "f/", atMost: 100)
            #expect(count(server, "HEAD") == 3)
        }
    }

    @Test("Of an object in parts MD5 is made of what the store makes its entity tag of", arguments: [true, false])
    func parts(_ isOfParts: Bool) async throws {
        try await with {
            $0.tagsOfParts = isOfParts
        } _: { store, server, _ in
            let bytes = (0..<(6 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
            for turn in 0..<2 {
                let source = MemorySource(bytes)
                var options = PutOptions()
                let wanted = store.wantedSums(of: source.bytes, inPartsOf: 5 << 20)
                #expect(wanted.md5 == (turn == 1 && isOfParts ? .parts : .whole))
                options.sums = try KnownSums(of: source, wanted)
                let upload = try MultipartUpload(source, as: "f/large", in: store, options, partBytes: 5 << 20)
                #expect(try await upload.run().verified == .etag)
            }
            let there = try await store.verified(MemorySource(bytes), as: "f/large", inPartsOf: 5 << 20)
            #expect(there.verified == .etag)
            let sent = server.requests.filter { $0.method == "PUT" }
            #expect(sent.map { $0.headers["x-amz-content-sha256"] } == sent.map { SHA256.hex($0.body) })
        }
    }

    @Test("Sums that are known of other parts, or of other bytes, are not taken for those of a source")
    func others() async throws {
        try await with { store, server, _ in
            let bytes = (0..<(6 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 5 &+ $0 >> 9) }
            var options = PutOptions()
            options.sums = try KnownSums(of: MemorySource(bytes), .least)
            let upload = try MultipartUpload(MemorySource(bytes), as: "f/a", in: store, options, partBytes: 5 << 20)
            #expect(try await upload.run().verified == .etag)
            options.sums = try KnownSums(of: MemorySource(bytes), store.wantedSums(of: 6 << 20, inPartsOf: 5 << 20))
            var other = bytes
            other[1] ^= 1
            let wrong = try MultipartUpload(MemorySource(other), as: "f/b", in: store, options, partBytes: 5 << 20)
            let error = await #expect(throws: StoreError.self) { try await wrong.run() }
            guard case .source? = error?.cause else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(!server.requests.contains { $0.target.contains("f/b") && $0.method == "PUT" })
        }
    }
}
