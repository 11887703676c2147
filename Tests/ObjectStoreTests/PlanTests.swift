import Synchronization
import Testing

@testable import ObjectStore

@Suite("Addresses, plans and limits")
struct PlanTests {
    @Test(
        "Parts are at most 10,000, at least 5 MiB, and cover the object",
        arguments: [
            1, 5 << 20, (5 << 20) + 1, 100 << 20, (16 << 20) * 10_000, (16 << 20) * 10_000 + 1, 1 << 40, 5 << 40,
        ] as [UInt64])
    func plan(_ bytes: UInt64) throws {
        for preferred: UInt64 in [0, 5 << 20, 16 << 20, .max] {
            let plan = try #require(PartPlan(bytes: bytes, preferred: preferred))
            #expect(plan.count <= 10_000 && plan.partBytes >= 5 << 20 && plan.partBytes <= 5 << 30)
            #expect(plan.range(1)?.lowerBound == 0)
            #expect(plan.range(plan.count)?.upperBound == bytes)
            #expect(plan.range(plan.count)?.isEmpty == false)
            #expect(plan.range(0) == nil && plan.range(plan.count + 1) == nil)
        }
    }

    @Test("Nothing, and more than 5 TiB, have no plan")
    func noPlan() {
        #expect(PartPlan(bytes: 0) == nil)
        #expect(PartPlan(bytes: (5 << 40) + 1) == nil)
        #expect(PartPlan(bytes: .max) == nil)
    }

    @Test("An address is read in either style")
    func address() throws {
        let path = try StoreAddress(endpoint: "http://127.0.0.1:9000/s3/", region: "eu", bucket: "B_1", style: .path)
        #expect(path.origin + path.path("a b") == "http://127.0.0.1:9000/s3/B_1/a%20b")
        #expect(path.path(nil) == "/s3/B_1")
        let host = try StoreAddress(
            endpoint: "https://s3.example.com:443", region: "eu", bucket: "b-1", style: .virtualHost)
        #expect(host.origin + host.path("/a") == "https://b-1.s3.example.com//a")
        #expect(host.path(nil) == "/")
        let six = try StoreAddress(endpoint: "http://[::1]:1", region: "eu", bucket: "b-1", style: .path)
        #expect(six.hostField == "[::1]:1" && six.host == "::1")
    }

    @Test(
        "What is no address is refused, and nothing of a password is repeated",
        arguments: [
            "", "s3.example.com", "ftp://x", "https://", "https://a b", "https://u:secret@h", "http://h:0",
            "http://h:65536", "http://h:x",
            "http://[::1", "http://h/a?b", "http://h/%2e", "http://[zz]",
        ])
    func noAddress(_ text: String) {
        let error = #expect(throws: StoreAddress.Defect.self) {
            try StoreAddress(endpoint: text, region: "eu", bucket: "bucket", style: .path)
        }
        #expect(error?.description.contains("secret") == false)
    }

    @Test("Names of buckets and regions are checked", arguments: ["", "ab", "a/b", "UPPER", "a_b", ".abc", "abc."])
    func buckets(_ name: String) {
        #expect(throws: StoreAddress.Defect.self) {
            try StoreAddress(endpoint: "http://h", region: "eu", bucket: name, style: .virtualHost)
        }
        #expect(throws: StoreAddress.Defect.self) {
            try StoreAddress(endpoint: "http://h", region: "e u", bucket: "bucket", style: .path)
        }
    }

    @Test("Bandwidth is shared: a second's worth at once, then each waits behind those before")
    func bandwidth() {
        let clock = ManualClock()
        let limit = BandwidthLimit(bytesPerSecond: 10_000, clock: clock.clock)
        #expect(limit.reserve(10_000) == .zero)
        #expect(limit.reserve(5_000) == .milliseconds(500))
        #expect(limit.reserve(5_000) == .seconds(1))
        clock.advance(.seconds(10))
        #expect(limit.reserve(10_000) == .zero)
        limit.bytesPerSecond = 0
        #expect(limit.bytesPerSecond == BandwidthLimit.least)
        #expect(limit.pieceBytes == BandwidthLimit.least)
        limit.bytesPerSecond = .max
        #expect(limit.pieceBytes == FileThreads.pieceBytes)
        #expect(limit.reserve(.max) > .zero)
    }

    @Test("A transfer that moves never ends for its time; one that stands still does, unless we hold it up ourselves")
    func timer() async throws {
        let clock = ManualClock()
        let timer = StallTimer(seconds: 60, clock: clock.clock)
        let stalls = StallMonitor(clock.clock) { work in Task { try await work() } }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let number = stalls.add(timer) { end.yield() }
        for _ in 0..<100 {
            await clock.sleeper()
            timer.moved()
            clock.advance(.seconds(59))
        }
        await timer.holding {
            await clock.sleeper()
            clock.advance(.seconds(500))
            await clock.sleeper()
        }
        clock.advance(.seconds(61))
        for await _ in ended { break }
        #expect(stalls.remove(number) == .stalled)
        let other = stalls.add(StallTimer(seconds: 60, clock: clock.clock)) { Issue.record("it has moved") }
        #expect(stalls.remove(other) == nil)
    }

    @Test("Who shuts a client down ends what is under way, and what begins afterwards, whether bytes move or not")
    func shutDown() async {
        let clock = ManualClock()
        let stalls = StallMonitor(clock.clock) { work in Task { try await work() } }
        let ended = Mutex([Int]())
        func add(_ name: Int) -> Int {
            stalls.add(StallTimer(seconds: 60, clock: clock.clock)) { ended.withLock { $0.append(name) } }
        }
        let (one, two, gone) = (add(1), add(2), add(3))
        #expect(stalls.remove(gone) == nil)
        await clock.sleeper()
        stalls.end()
        #expect(ended.withLock { $0 } == [1, 2])
        #expect(stalls.remove(one) == .shutDown && stalls.remove(two) == .shutDown)
        let late = add(4)
        #expect(ended.withLock { $0 } == [1, 2, 4])
        #expect(stalls.remove(late) == .shutDown)
    }

    @Test("Options with what no header has are refused")
    func options() {
        var options = PutOptions()
        options.metadata = ["Camera": "front door"]
        #expect(options.headers?.map(\.name) == ["x-amz-meta-camera"])
        for (name, value) in [
            ("a b", "x"), ("", "x"), ("a", "ä"), ("a", "x\r\ny: z"), ("a", " x"),
            ("a", String(repeating: "x", count: 3000)),
        ] {
            options.metadata = [name: value]
            #expect(options.headers == nil)
        }
    }
}
