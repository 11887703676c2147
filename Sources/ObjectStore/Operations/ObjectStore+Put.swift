internal import Hashing
internal import NIOHTTP1
internal import Synchronization

extension ObjectStore {
    /// The most that one request may carry, in bytes: 5 GiB. More goes in parts (`MultipartUpload`).
    public static let putBytesMax: UInt64 = 5 << 30

    /// Sends `source` as the object `key`, and verifies it. The source is read twice, unless its sums are known: for its sums, which go
    /// ahead of it, and to be sent; one that changed in between is `.source`, and nothing is stored.
    ///
    /// An object that is not there afterwards, or with other bytes, is `.mismatch`, whatever the store answered. Throws `StoreError`.
    public func put(
        _ source: any ByteSource, as key: String, _ options: PutOptions = PutOptions(),
        progress: TransferProgress? = nil
    ) async throws -> StoredObject {
        guard source.bytes <= Self.putBytesMax else {
            throw failure(.invalid("more than 5 GiB are sent in parts"), .putObject, key)
        }
        let sums = try await sums(
            of: source, .putObject, key, withMD5: wantsMD5(inParts: false), known: options.sums)
        let body = sums.bytes == 0 ? Call.Body.bytes([]) : .source(source, sums, progress)
        return try await put(body, of: source, sums, as: key, options)
    }

    private func put(
        _ body: Call.Body, of source: any ByteSource, _ sums: Sums, as key: String, _ options: PutOptions
    ) async throws -> StoredObject {
        var call = Call(.putObject, .PUT, key: key)
        call.headers = try headers(options, .putObject, key) + sumHeaders(sums)
        if options.onlyIfNew { call.headers.append(("if-none-match", "*")) }
        call.body = body
        _ = try await send(call)
        return try await verify(key, Expectation(sums), options.verification, .putObject, whole: source)
    }

    /// So many bytes in memory are summed and sent at once; it takes less than to hand them to a thread.
    private static let onceBytes = 64 << 10

    /// Sends bytes in memory; otherwise as for a source.
    public func put(
        _ bytes: [UInt8], as key: String, _ options: PutOptions = PutOptions()
    ) async throws -> StoredObject {
        let source = MemorySource(bytes)
        guard bytes.count <= Self.onceBytes else { return try await put(source, as: key, options) }
        let sums = Summing.sums(of: bytes, withMD5: wantsMD5(inParts: false))
        return try await put(.bytes(bytes), of: source, sums, as: key, options)
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
            let sums = try await sums(of: source, .headObject, key, withMD5: wantsMD5(inParts: false))
            return try await verify(key, Expectation(sums), verification, .headObject, whole: source)
        }
        var parts: [Sums] = []
        for number in 1...plan.count {
            let slice = SourceSlice(base: source, range: plan.range(number) ?? 0..<0)
            parts.append(try await sums(of: slice, .headObject, key, withMD5: wantsMD5(inParts: true)))
        }
        return try await verify(key, Expectation(parts: parts), verification, .headObject, whole: source)
    }

    /// How many bytes are read for the sums before other transfers have their turn on the thread.
    private static let turnBytes = 4 << 20

    /// The sums of a source, read on a thread that may block, unless those that are wanted are known.
    func sums(
        of source: any ByteSource, _ operation: StoreOperation, _ key: String, withMD5: Bool,
        known: KnownSums? = nil
    ) async throws -> Sums {
        let isSigned = !configuration.address.isSecure || configuration.signsSecurePayload
        let wantsSHA256 = isSigned || configuration.checksum == .sha256
        if let known, let sha256 = SHA256.Value(hex: known.sha256.utf8), !withMD5 {
            return Sums(bytes: source.bytes, crc32c: known.crc32c, md5: nil, sha256: wantsSHA256 ? sha256 : nil)
        }
        var summing = Summing(withSHA256: wantsSHA256, withMD5: withMD5)
        var place: UInt64 = 0
        let whole = source.bytes
        do {
            while place < whole {
                let (offset, before) = (place, summing)
                // Reading and summing take turns on the same thread: neither belongs on the cooperative pool.
                let (after, count) = try await transport.read {
                    var (after, taken) = (before, 0)
                    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: FileThreads.pieceBytes / 2) { piece in
                        while taken < Self.turnBytes {
                            let count = try source.read(
                                at: offset + UInt64(taken), into: UnsafeMutableRawBufferPointer(piece))
                            if count == 0 { return }
                            after.update(UnsafeBufferPointer(rebasing: piece[..<count]))
                            taken += count
                        }
                    }
                    return (after, taken)
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

    /// Whether MD5 is to be made: not for a store that has proved such objects by a better sum so far.
    func wantsMD5(inParts: Bool) -> Bool {
        configuration.checksum == .none || !habits.withLock { inParts ? $0.tellsSumOfParts : $0.tellsSum }
    }

    /// The headers that carry sums: MD5, where it was made, for stores that know nothing else, and the one that is configured.
    func sumHeaders(_ sums: Sums) -> [(name: String, value: String)] {
        var headers = sums.md5.map { [(name: "content-md5", value: Base64.text($0))] } ?? []
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

    /// Proves that the store has what is expected, by the least that proves it. `whole` is the source: some stores make the entity
    /// tag of the whole of an object that was sent in parts, and reading a disk is cheaper than reading the object back.
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
            // A sum of another kind than ours proves nothing either way; the bytes do.
            let proof = expected.checksums.first { head.checksums[$0.key].map($0.value.contains) ?? false }
            habits.withLock { $0.saw(isProved: proof != nil, inParts: expected.isInParts) }
            if let proof { return stored(.checksum(proof.key)) }
            if let etag = head.etag?.lowercased() {
                if etag == expected.etag { return stored(.etag) }
                let isOfWhole = etag.utf8.count == 32 && etag.utf8.allSatisfy { Hex.value(of: $0) != nil }
                // Of an object that was sent at once the tag is known already, unless nobody thought that it would be asked for.
                if isOfWhole, expected.isInParts || expected.etag == nil, let whole,
                    try await sums(of: whole, operation, key, withMD5: true).etag == etag
                {
                    return stored(.etag)
                }
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
