internal import AsyncHTTPClient
internal import Hashing
internal import NIOCore
internal import NIOHTTP1
internal import XML

extension ObjectStore {
    /// The facts about an object. Throws `StoreError`; an object that is missing is `.notFound`, and so is a bucket, which an answer
    /// without a body cannot tell apart.
    public func head(_ key: String) async throws -> ObjectHead {
        var call = Call(.headObject, .HEAD, key: key)
        if configuration.checksum != .none { call.headers.append(("x-amz-checksum-mode", "ENABLED")) }
        let answer = try await send(call)
        guard let bytes = ObjectHead.length(answer.headers) else {
            throw failure(.invalid("the answer tells no length"), .headObject, key)
        }
        return ObjectHead(answer.headers, bytes: bytes)
    }

    /// Reads an object, or `range` of its bytes, and hands them to `take` piece by piece as they come; the next piece is read when
    /// `take` is done, and while it works no time-out runs. A range that goes on behind the object's end gives what there is.
    ///
    /// `etag` asks for this very object: another one is `.preconditionFailed`. More than `limit` bytes are `.invalid` before any of
    /// them is taken. Bytes that are missing at the end are `.unreachable`; a whole object that differs from the sum that the store
    /// keeps is `.mismatch`, after they were taken. What `take` throws is thrown as it is.
    @discardableResult
    public func get(
        _ key: String, range: Range<UInt64>? = nil, ifMatch etag: String? = nil, limit: UInt64,
        _ take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws -> ObjectHead {
        var call = Call(.getObject, .GET, key: key)
        if let range {
            guard !range.isEmpty else { throw failure(.invalid("a range has at least one byte"), .getObject, key) }
            call.headers.append(("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
        } else if configuration.checksum != .none {
            // Of a part of an object some stores tell the sum of the whole: it is asked for with the whole alone.
            call.headers.append(("x-amz-checksum-mode", "ENABLED"))
        }
        if let etag { call.headers.append(("if-match", "\"\(etag)\"")) }
        let bandwidth = configuration.bandwidth
        return try await exchange(call) { response, timer in
            let expected = try ExpectedBody(response, range)
            // Some stores ignore the condition.
            if let etag, let told = expected.head.etag, told != etag {
                throw self.failure(.preconditionFailed, .getObject, key)
            }
            guard expected.bytes <= limit else {
                throw MalformedAnswer("\(expected.bytes) bytes, where \(limit) are the most")
            }
            var (received, crc) = (UInt64(0), CRC32C())
            for try await piece in response.body {
                timer.moved()
                received += UInt64(piece.readableBytes)
                guard received <= expected.bytes else { throw MalformedAnswer("the answer is longer than it says") }
                let bytes = Array(piece.readableBytesView)
                if expected.crc32c != nil { crc.update(bytes) }
                try await timer.holding {
                    if let bandwidth { try await bandwidth.take(bytes.count) }
                    do { try await take(bytes) } catch { throw TakerFailure(error: error) }
                }
            }
            guard received == expected.bytes else { throw HTTPClientError.remoteConnectionClosed }
            if let sum = expected.crc32c, sum != Sums.text(crc.value) {
                throw ContentMismatch("the store keeps another CRC-32C of the object than its bytes have")
            }
            return expected.head
        }
    }

    /// Reads an object, or `range` of its bytes, of at most `limit` bytes into memory; otherwise as `get`.
    public func bytes(
        _ key: String, range: Range<UInt64>? = nil, ifMatch etag: String? = nil, limit: UInt64
    ) async throws -> [UInt8] {
        let collected = Collected()
        try await get(key, range: range, ifMatch: etag, limit: limit) { await collected.append($0) }
        return await collected.bytes
    }

    /// What was taken so far.
    private actor Collected {
        private(set) var bytes: [UInt8] = []
        func append(_ more: [UInt8]) { bytes += more }
    }
}

/// What the head of an answer says that comes.
private struct ExpectedBody {
    /// How many bytes.
    let bytes: UInt64
    /// What the bytes must have as CRC-32C, in Base64; nil where the store told none, or not of these bytes.
    let crc32c: String?
    /// The object.
    let head: ObjectHead

    init(_ response: HTTPClientResponse, _ range: Range<UInt64>?) throws {
        guard let length = ObjectHead.length(response.headers) else {
            throw MalformedAnswer("the answer tells no length")
        }
        bytes = length
        guard let range else {
            guard response.status == .ok else { throw MalformedAnswer("an answer of status \(response.status.code)") }
            head = ObjectHead(response.headers, bytes: length)
            crc32c = head.checksums[.crc32c].flatMap { $0.contains("-") ? nil : $0 }
            return
        }
        crc32c = nil
        // Some stores give a part with the status of a whole object: what it is, the header says.
        guard let (first, last, whole) = response.headers.first(name: "content-range").flatMap(Self.contentRange) else {
            throw MalformedAnswer("the store does not give a part of an object")
        }
        let end = min(range.upperBound, whole)
        guard first == range.lowerBound, first <= last, last < whole, last + 1 == end, length == last - first + 1 else {
            throw MalformedAnswer("the store gives another part than it was asked for")
        }
        head = ObjectHead(response.headers, bytes: whole)
    }

    /// Reads `bytes 0-9/100`; nil for anything else.
    private static func contentRange(_ text: String) -> (UInt64, UInt64, UInt64)? {
        let halves = text.trimmed.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].hasPrefix("bytes "), let whole = UInt64(halves[1]) else { return nil }
        let ends = halves[0].dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        // The last byte has a successor, so that ends can be compared.
        guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), last < .max else { return nil }
        return (first, last, whole)
    }
}
