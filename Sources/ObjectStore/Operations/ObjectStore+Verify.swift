internal import Hashing
internal import Synchronization

extension ObjectStore {
    /// Proves that an object that is there already is `source`. `partBytes` is what its parts had if it was sent in parts, which is
    /// what a store's sum of such an object depends on; nil if it was sent at once. It is read, unless its sums are known.
    ///
    /// Throws `StoreError`: `.notFound` where there is no object, `.mismatch` where it is another one.
    public func verified(
        _ source: any ByteSource, as key: String, _ verification: PutVerification = .told,
        inPartsOf partBytes: UInt64? = nil, sums known: KnownSums? = nil
    ) async throws -> StoredObject {
        let there = try await head(key).bytes
        guard there == source.bytes else {
            throw failure(.mismatch("there are \(there) bytes, of \(source.bytes)"), .headObject, key)
        }
        guard let plan = partBytes.flatMap({ PartPlan(bytes: source.bytes, preferred: $0) }) else {
            let sums = try await sums(
                of: source, .headObject, key, withMD5: md5Wanted(inParts: false) != .nothing, known: known)
            return try await verify(key, Expectation(sums), verification, .headObject, whole: source)
        }
        var parts = known?.parts(of: plan) ?? []
        if parts.isEmpty {
            let sizes = (1...plan.count).map { plan.range($0).map { UInt64($0.count) } ?? 0 }
            let withMD5 = md5Wanted(inParts: true) == .parts
            parts = try await sumsOfParts(source, sizes, .headObject, key, withMD5: withMD5)
        }
        let expected = Expectation(parts: parts, md5: known?.md5)
        return try await verify(key, expected, verification, .headObject, whole: source)
    }

    /// The sums of each part of a source.
    private func sumsOfParts(
        _ source: any ByteSource, _ sizes: [UInt64], _ operation: StoreOperation, _ key: String, withMD5: Bool
    ) async throws -> [Sums] {
        var (sums, place) = ([Sums](), UInt64(0))
        for size in sizes {
            let slice = SourceSlice(base: source, range: place..<place + size)
            sums.append(try await self.sums(of: slice, operation, key, withMD5: withMD5))
            place += size
        }
        return sums
    }

    /// Proves that the store has what is expected, by the least that proves it. `whole` is the source: some stores make the entity
    /// tag of the whole of an object that was sent in parts, and reading a disk is cheaper than reading the object back.
    func verify(
        _ key: String, _ expected: Expectation, _ verification: PutVerification, _ operation: StoreOperation,
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
            if let tag = head.etag?.lowercased(), try await isProved(tag, expected, whole, operation, key) {
                return stored(.etag)
            }
        }
        guard let crc32c = expected.crc32c else {
            throw failure(.mismatch("the store tells no sum that proves the object"), operation, key)
        }
        try await readBack(key, expected.bytes, crc32c, etag: head.etag, operation)
        return stored(.bytesRead)
    }

    /// Whether an entity tag proves an object. MD5 is made late where nobody thought that it would be asked for.
    private func isProved(
        _ tag: String, _ expected: Expectation, _ whole: (any ByteSource)?, _ operation: StoreOperation, _ key: String
    ) async throws -> Bool {
        var isSame = expected.tags.contains(tag)
        if !isSame, let whole {
            switch expected.untried(tag) {
            case .whole: isSame = try await sums(of: whole, operation, key, withMD5: true).etag == tag
            case .parts:
                let parts = try await sumsOfParts(whole, expected.parts ?? [], operation, key, withMD5: true)
                isSame = Expectation.tag(ofParts: parts) == tag
            case nil: break
            }
        }
        if isSame, expected.isInParts {
            habits.withLock { $0.tagOfParts = tag.contains("-") ? .parts : .whole }
        }
        return isSame
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
