internal import AsyncHTTPClient
internal import Foundation
internal import Hashing
internal import NIOCore
internal import NIOHTTP1
internal import ObjectStore

/// An S3-compatible store in memory. It outlives the daemon, answers as Amazon S3 does, and does what its weather says.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class SimulatedStore: @unchecked Sendable {
    /// What the store does.
    enum Weather: Hashable {
        /// Answers within 200 ms.
        case fine
        /// Takes up to so many milliseconds for each answer.
        case slow(Int64)
        /// Nobody is reached.
        case away
        /// Takes the request, and never answers.
        case silent
        /// Refuses who asks, whoever it is.
        case refusing
        /// Of so many requests of a hundred: asks to slow down.
        case busy(Int64)
        /// … fails, having done nothing.
        case failing(Int64)
        /// … does what it is asked, and loses the connection before it answers.
        case losingAnswers(Int64)
        /// … says that it has an object, and does not keep it.
        case lying(Int64)
        /// … keeps other bytes than those that came.
        case damaging(Int64)
    }

    /// A request as it came.
    struct Request {
        let method: HTTPMethod
        let key: String?
        let query: [String: String]
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    static let bucket = "clips"

    let virtualTime: VirtualTime
    var weather = Weather.fine { didSet { since = virtualTime.now } }
    /// Since when the weather is what it is, by virtual time.
    private var since: Int64 = 0
    /// What the bucket holds, by key.
    private(set) var objects: [String: [UInt8]] = [:]
    /// Entity tags that were asked for, by key, with the bytes that have them.
    private var tags: [String: (bytes: [UInt8], tag: String)] = [:]
    /// Requests, and answers that were as the weather is and not as they should be.
    private(set) var requests = 0
    private(set) var faults = 0
    /// Requests that it did as it was asked.
    private(set) var answers = 0
    /// When the requests of the last minutes came, by virtual time, and the clips that they were about.
    private var recent: [(at: Int64, clip: String)] = []
    /// Told what came in a time in which no answer could be had, where that is too much.
    var onHaste: (_ words: String) -> Void = { _ in }
    /// Whether a clip is sent while it is recorded: each of those asks once, whatever became of the others.
    var isSentLive: (_ clip: String) -> Bool = { _ in false }
    /// About how many other clips at most anything was asked in ten minutes without a good answer.
    private(set) var clipsAsked = 0
    /// Told the key of each object that came as it was sent, or went, after that.
    var onChange: (_ key: String) -> Void = { _ in }
    /// How many requests a minute may have after three minutes without a good answer, and about how many clips those of ten minutes
    /// may be.
    private static let (requestsMax, clipsMax) = (60, 8)

    init(_ virtualTime: VirtualTime) { self.virtualTime = virtualTime }

    /// Counts a request that is being made.
    fileprivate func asked(_ key: String) {
        requests += 1
        guard [.away, .silent, .refusing].contains(weather), virtualTime.now - since > 180_000 else {
            return recent.removeAll()
        }
        let clip = key.hasPrefix("clips/") ? key[..<(key.lastIndex(of: "/") ?? key.endIndex)] : ""
        recent.removeAll { $0.at < virtualTime.now - 600_000 }
        recent.append((virtualTime.now, String(clip)))
        let minute = recent.count { $0.at >= virtualTime.now - 60_000 }
        if minute > Self.requestsMax { onHaste("\(minute) requests in a minute") }
        let clips = Set(recent.map(\.clip)).count { !$0.isEmpty && !isSentLive($0) }
        clipsAsked = max(clipsAsked, clips)
        if clips > Self.clipsMax { onHaste("requests about \(clips) clips in ten minutes") }
    }

    /// How long the next answer takes; nil if none comes.
    fileprivate func wait() -> Int64? {
        switch weather {
        case .slow(let most): virtualTime.random.number(1...max(1, most))
        case .silent: nil
        default: virtualTime.random.number(1...200)
        }
    }

    fileprivate struct Unreachable: Error {}

    /// Answers a request as the weather of the moment is.
    fileprivate func answer(_ request: Request) throws -> HTTPClientResponse {
        func strikes(_ percent: Int64) -> Bool {
            let isStruck = virtualTime.random.chance(percent)
            if isStruck { faults += 1 }
            return isStruck
        }
        switch weather {
        case .fine, .slow: break
        case .away, .silent: throw Unreachable()
        case .refusing:
            faults += 1
            return Self.refused(403, "InvalidAccessKeyId")
        case .busy(let percent) where strikes(percent): return Self.refused(503, "SlowDown")
        case .failing(let percent) where strikes(percent): return Self.refused(500, "InternalError")
        case .losingAnswers(let percent) where strikes(percent):
            _ = done(request)
            throw Unreachable()
        case .lying(let percent) where request.method == .PUT && strikes(percent): return Self.plain(200)
        case .damaging(let percent) where request.method == .PUT && !request.body.isEmpty && strikes(percent):
            var bytes = request.body
            bytes[Int(virtualTime.random.number(0...Int64(bytes.count - 1)))] ^= 1
            objects[request.key ?? ""] = bytes
            return Self.plain(200)
        case .busy, .failing, .losingAnswers, .lying, .damaging: break
        }
        return done(request)
    }

    private func keep(_ bytes: [UInt8]?, _ key: String) {
        objects[key] = bytes
        tags[key] = nil
        onChange(key)
    }

    /// Does what it is asked.
    private func done(_ request: Request) -> HTTPClientResponse {
        answers += 1
        switch (request.method, request.key) {
        case (.PUT, let key?):
            if let told = request.headers.first(name: "x-amz-checksum-crc32c"), told != Self.sum(request.body) {
                return Self.refused(400, "BadDigest")
            }
            if request.headers.first(name: "if-none-match") == "*", objects[key] != nil {
                return Self.refused(412, "PreconditionFailed")
            }
            keep(request.body, key)
            return Self.plain(200)
        case (.HEAD, let key?):
            guard let bytes = objects[key] else { return Self.plain(404) }
            return Self.plain(
                200, ["content-length": "\(bytes.count)", "x-amz-checksum-crc32c": Self.sum(bytes)])
        case (.GET, let key?):
            guard let bytes = objects[key] else { return Self.refused(404, "NoSuchKey") }
            return HTTPClientResponse(
                status: .ok, headers: ["content-length": "\(bytes.count)"], body: .bytes(ByteBuffer(bytes: bytes)))
        case (.DELETE, let key?):
            keep(nil, key)
            return Self.plain(204)
        case (.POST, nil) where request.query["delete"] != nil:
            for key in Self.keys(String(decoding: request.body, as: UTF8.self)) { keep(nil, key) }
            return Self.document("<DeleteResult></DeleteResult>")
        case (.GET, nil) where request.query["uploads"] != nil:
            return Self.document(
                "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>")
        case (.GET, nil): return list(request.query)
        default: return Self.refused(501, "NotImplemented")
        }
    }

    private func list(_ query: [String: String]) -> HTTPClientResponse {
        let most = query["max-keys"].flatMap { Int($0) } ?? 1_000
        let after = query["continuation-token"] ?? ""
        let keys = objects.keys.filter { $0.hasPrefix(query["prefix"] ?? "") && $0 > after }.sorted()
        let page = keys.prefix(most)
        let contents = page.map { key in
            let bytes = objects[key] ?? []
            let told = "<Key>\(key)</Key><Size>\(bytes.count)</Size><ETag>&quot;\(tag(key, bytes))&quot;</ETag>"
            return "<Contents>\(told)</Contents>"
        }
        let isCut = page.count < keys.count
        let next = isCut ? "<NextContinuationToken>\(page.last ?? "")</NextContinuationToken>" : ""
        return Self.document(
            "<ListBucketResult><IsTruncated>\(isCut)</IsTruncated>\(next)\(contents.joined())</ListBucketResult>")
    }

    /// The entity tag of an object: its MD5, made when somebody asks for it.
    private func tag(_ key: String, _ bytes: [UInt8]) -> String {
        if let known = tags[key], known.bytes == bytes { return known.tag }
        let tag = Hex.text(MD5.value(of: bytes))
        tags[key] = (bytes, tag)
        return tag
    }

    private static func keys(_ text: String) -> [String] {
        text.components(separatedBy: "<Key>").dropFirst().compactMap { $0.components(separatedBy: "</Key>").first }
    }

    private static func sum(_ bytes: [UInt8]) -> String {
        var crc = CRC32C()
        crc.update(bytes)
        return Data(withUnsafeBytes(of: crc.value.bigEndian) { Array($0) }).base64EncodedString()
    }

    private static func plain(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPClientResponse {
        HTTPClientResponse(status: HTTPResponseStatus(statusCode: status), headers: headers)
    }

    private static func refused(_ status: Int, _ code: String) -> HTTPClientResponse {
        HTTPClientResponse(
            status: HTTPResponseStatus(statusCode: status),
            body: .bytes(ByteBuffer(string: "<Error><Code>\(code)</Code><Message>simulated</Message></Error>")))
    }

    private static func document(_ text: String) -> HTTPClientResponse {
        HTTPClientResponse(status: .ok, body: .bytes(ByteBuffer(string: text)))
    }
}

/// The way from one run of the daemon to the simulated store.
struct SimulatedTransport: StoreTransport {
    let store: SimulatedStore
    let tasks: VirtualTasks

    func execute(_ request: HTTPClientRequest, deadline: NIODeadline) async throws -> HTTPClientResponse {
        guard let url = URLComponents(string: request.url) else { throw SimulatedStore.Unreachable() }
        let parts = url.path.split(separator: "/", maxSplits: 1)
        store.asked(parts.count > 1 ? String(parts[1]) : "")
        if store.weather == .away {
            try await tasks.sleep(store.virtualTime.random.one(of: [1, 10_000]))
            throw SimulatedStore.Unreachable()
        }
        var body: [UInt8] = []
        if let sent = request.body { for try await piece in sent { body += piece.readableBytesView } }
        guard let wait = store.wait() else {
            try await tasks.sleep(.max / 4)
            throw SimulatedStore.Unreachable()
        }
        try await tasks.sleep(wait)
        let query = (url.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return try store.answer(
            SimulatedStore.Request(
                method: request.method, key: parts.count > 1 ? String(parts[1]) : nil,
                query: Dictionary(query) { first, _ in first }, headers: request.headers, body: body))
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try work()
    }

    func begin<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error> {
        Task(executorPreference: tasks) { try await work() }
    }

    func shutdown() async {}
}
