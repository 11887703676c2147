internal import Hashing
internal import NIOHTTP1

extension ObjectStore {
    /// The most that one request may carry, in bytes: 5 GiB. More goes in parts (`MultipartUpload`).
    public static let putBytesMax: UInt64 = 5 << 30

    /// Sends `source` as the object `key`, and verifies it. The source is read twice: for its sums, which go ahead of it, and to be
    /// sent; one that changed in between is `.source`, and nothing is stored.
    ///
    /// An object that is not there afterwards, or with other bytes, is `.mismatch`, whatever the store answered. Throws `StoreError`.
    public func put(
        _ source: any ByteSource, as key: String, _ options: PutOptions = PutOptions(),
        progress: TransferProgress? = nil
    ) async throws -> StoredObject {
        guard source.bytes <= Self.putBytesMax else {
            throw failure(.invalid("more than 5 GiB are sent in parts"), .putObject, key)
        }
        let sums = try await sums(of: source, .putObject, key)
        var call = Call(.putObject, .PUT, key: key)
        call.headers = try headers(options, .putObject, key) + sumHeaders(sums)
        if options.onlyIfNew { call.headers.append(("if-none-match", "*")) }
        call.body = sums.bytes == 0 ? .bytes([]) : .source(source, sums, progress)
        _ = try await send(call)
        return try await verify(key, Expectation(sums), options.verification, .putObject)
    }

    /// Sends bytes in memory; otherwise as for a source.
    public func put(
        _ bytes: [UInt8], as key: String, _ options: PutOptions = PutOptions()
    ) async throws -> StoredObject {
        try await put(MemorySource(bytes), as: key, options)
    }

    /// Proves that an object that is there already is `source`. `partBytes` is what its parts had if it was sent in parts, which is
    /// what a store's sum of such an object depends on; nil if it was sent at once.
    ///
    /// Throws `StoreError`: `.notFound` where there is no object, `.mismatch` where it is another one.
    public func verified(
        _ source: any ByteSource, as key: String, _ verification: Verification = .told,
        inPartsOf partBytes: UInt64? = nil
    ) async throws -> StoredObject {
        let there = try await head(key).bytes
        guard there == source.bytes else {
            throw failure(.mismatch("there are \(there) bytes, of \(source.bytes)"), .headObject, key)
        }
        guard let plan = partBytes.flatMap({ PartPlan(bytes: source.bytes, preferred: $0) }) else {
            let sums = try await sums(of: source, .headObject, key)
            return try await verify(key, Expectation(sums), verification, .headObject)
        }
        var parts: [Sums] = []
        for number in 1...plan.count {
            let slice = SourceSlice(base: source, range: plan.range(number) ?? 0..<0)
            parts.append(try await sums(of: slice, .headObject, key))
        }
        return try await verify(key, Expectation(parts: parts), verification, .headObject, whole: source)
    }

    /// The sums of a source, read on a thread that may block.
    func sums(of source: any ByteSource, _ operation: StoreOperation, _ key: String) async throws -> Sums {
        let isSigned = !configuration.address.isSecure || configuration.signsSecurePayload
        var summing = Summing(withSHA256: isSigned || configuration.checksum == .sha256)
        var place: UInt64 = 0
        let whole = source.bytes
        do {
            while place < whole {
                let (offset, before) = (place, summing)
                // Reading and summing take turns on the same thread: neither belongs on the cooperative pool.
                let (after, count) = try await threads.run {
                    var after = before
                    let piece = try source.read(at: offset, count: 4 << 20)
                    after.update(piece)
                    return (after, piece.count)
                }
                guard count > 0 else { throw SourceFailure(reason: "it is shorter than it says") }
                (summing, place) = (after, place + UInt64(count))
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as SourceFailure {
            throw failure(.source(error.reason), operation, key)
        } catch {
            throw failure(.source(TransportErrors.text(error)), operation, key)
        }
        return summing.finish()
    }

    /// The headers that carry sums: MD5 for stores that know nothing else, and the one that is configured.
    func sumHeaders(_ sums: Sums) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = [("content-md5", Base64.text(sums.md5))]
        if let text = sums.text(configuration.checksum) {
            headers.append(("x-amz-sdk-checksum-algorithm", configuration.checksum.rawValue))
            headers.append((configuration.checksum.header, text))
        }
        return headers
    }

    /// The headers of options.
    func headers(
        _ options: PutOptions, _ operation: StoreOperation, _ key: String
    ) throws -> [(name: String, value: String)] {
        guard let headers = options.headers else {
            throw failure(.invalid("type or metadata have characters that no header has, or too many"), operation, key)
        }
        return headers
    }

    /// Proves that the store has what is expected, by the least that proves it. `whole` is the source of an object that was sent in
    /// parts: some stores make the entity tag of the whole then, and reading a disk is cheaper than reading the object back.
    func verify(
        _ key: String, _ expected: Expectation, _ verification: Verification, _ operation: StoreOperation,
        whole: (any ByteSource)? = nil
    ) async throws -> StoredObject {
        let head: ObjectHead
        do {
            head = try await self.head(key)
        } catch let error as StoreError where error.cause == .notFound {
            throw failure(.mismatch("the store took the object, and does not have it"), operation, key)
        }
        guard head.bytes == expected.bytes else {
            throw failure(.mismatch("\(expected.bytes) bytes were sent, the store has \(head.bytes)"), operation, key)
        }
        func stored(_ verified: Verified) -> StoredObject {
            StoredObject(key: key, bytes: head.bytes, etag: head.etag, verified: verified)
        }
        if verification == .told {
            for (algorithm, sums) in expected.checksums {
                guard let told = head.checksums[algorithm] else { continue }
                if sums.contains(told) { return stored(.checksum(algorithm)) }
                // A sum of another kind than ours proves nothing either way; the bytes do.
            }
            if let etag = head.etag?.lowercased() {
                if etag == expected.etag { return stored(.etag) }
                let isOfWhole = etag.utf8.count == 32 && etag.utf8.allSatisfy { Hex.value(of: $0) != nil }
                if isOfWhole, let whole, try await sums(of: whole, operation, key).etag == etag { return stored(.etag) }
            }
        }
        guard let crc32c = expected.crc32c else {
            throw failure(.mismatch("the store tells no sum that proves the object"), operation, key)
        }
        try await readBack(key, expected.bytes, crc32c, etag: head.etag, operation)
        return stored(.bytesRead)
    }

    private func readBack(
        _ key: String, _ bytes: UInt64, _ crc32c: UInt32, etag: String?, _ operation: StoreOperation
    ) async throws {
        let seen = Seen()
        do {
            try await get(key, limit: bytes) { await seen.update($0) }
        } catch let error as StoreError where error.cause == .notFound {
            throw failure(.mismatch("the store took the object, and does not have it"), operation, key)
        }
        let (count, sum) = await (seen.bytes, seen.crc.value)
        guard count == bytes, sum == crc32c else {
            throw failure(.mismatch("the store gives other bytes back than were sent"), operation, key)
        }
    }

    /// What was read back so far.
    private actor Seen {
        private(set) var bytes: UInt64 = 0
        private(set) var crc = CRC32C()

        func update(_ more: [UInt8]) {
            bytes += UInt64(more.count)
            crc.update(more)
        }
    }
}
