/// An upload of one large object in parts, which goes on where an earlier one was broken off. At no time it holds more in memory
/// than a few pieces: parts are read from the source while they are sent.
public struct MultipartUpload: Sendable {
    /// How many parts may be under way at a time.
    static let parallelMax = 8

    private let store: ObjectStore
    private let key: String
    private let source: any ByteSource
    private let plan: PartPlan
    private let options: PutOptions
    private let parallel: Int
    /// The sums of its parts, where somebody has made them.
    private let known: [Sums]?

    /// An upload of `source` as `key`. `partBytes` is what a part should have; more is taken where it would be more than 10,000
    /// parts, and 5 MiB at least. Throws `StoreError`: `.invalid` where there are no bytes, or more than an object may have.
    public init(
        _ source: any ByteSource, as key: String, in store: ObjectStore, _ options: PutOptions = PutOptions(),
        partBytes: UInt64 = 16 << 20, parallel: Int = 1
    ) throws {
        guard let plan = PartPlan(bytes: source.bytes, preferred: partBytes) else {
            throw store.failure(.invalid("an upload in parts has 1 byte to 5 TiB"), .createUpload, key)
        }
        self.store = store
        self.key = key
        self.source = source
        self.plan = plan
        self.options = options
        self.parallel = min(max(parallel, 1), Self.parallelMax)
        // Sums that lack what the store wants are made anew.
        known = options.sums?.parts(of: plan).flatMap { parts in
            store.wantsSHA256 && parts.contains { $0.sha256 == nil } ? nil : parts
        }
    }

    /// Sends what the store does not have yet, makes the object of it and verifies that. `id` is an earlier upload to go on with:
    /// parts of it whose length and sum (or entity tag) are those of the source are not sent again. One with any other part is
    /// aborted, and a new one begins. Where the earlier upload is not open any more, the object may be whole already, which is looked
    /// at first. `began` is told the name of a new upload before any part is sent, to be kept for the next time. `progress` is told
    /// how many bytes of the object are there.
    ///
    /// On an error the upload stays open: go on with it, or abort it. Throws `StoreError`, or what `began` throws.
    public func run(
        resuming id: String? = nil, progress: TransferProgress? = nil,
        began: @Sendable (_ upload: String) async throws -> Void = { _ in }
    ) async throws -> StoredObject {
        var parts: [Int: SentPart] = [:]
        var upload = id
        if let id {
            do {
                let stored = try await store.listParts(key, upload: id)
                parts = try await matching(stored)
                if parts.count < stored.count {
                    // It is of another source, or divided otherwise; not every store lets a part be replaced.
                    try await store.abortUpload(key, upload: id)
                    (parts, upload) = ([:], nil)
                }
            } catch let error as StoreError where error.cause == .notFound {
                if let done = try await completed() { return done }
                upload = nil
            }
        }
        let open: String
        if let upload {
            open = upload
        } else {
            open = try await store.createUpload(key, options)
            try await began(open)
        }
        let sent = try await send(open, parts, PartsProgress(parts.values.reduce(0) { $0 + $1.sums.bytes }, progress))
        try await store.complete(key, upload: open, sent, onlyIfNew: options.onlyIfNew)
        return try await verified(sent.map(\.sums))
    }

    private func verified(_ parts: [Sums]) async throws -> StoredObject {
        let expected = Expectation(parts: parts, md5: options.sums?.md5)
        return try await store.verify(key, expected, options.verification, .completeUpload, whole: source)
    }

    /// Sends the parts that are missing, and returns all of them in order.
    private func send(_ upload: String, _ have: [Int: SentPart], _ sum: PartsProgress) async throws -> [SentPart] {
        var (parts, missing) = (have, (1...plan.count).filter { have[$0] == nil }[...])
        try await withThrowingTaskGroup(of: SentPart.self) { group in
            var underWay = 0
            while !missing.isEmpty || underWay > 0 {
                if underWay < parallel, let number = missing.popFirst() {
                    underWay += 1
                    group.addTask { try await send(upload, number, sum) }
                } else if let part = try await group.next() {
                    underWay -= 1
                    parts[part.number] = part
                }
            }
        }
        return parts.values.sorted { $0.number < $1.number }
    }

    private func send(_ upload: String, _ number: Int, _ sum: PartsProgress) async throws -> SentPart {
        let part = try await store.uploadPart(key, upload: upload, number: number, slice(number), known?[number - 1]) {
            sum.set($0, of: number)
        }
        sum.set(part.sums.bytes, of: number)
        return part
    }

    private func slice(_ number: Int) -> SourceSlice {
        SourceSlice(base: source, range: plan.range(number) ?? 0..<0)
    }

    /// Those of the store's parts that are the source's.
    private func matching(_ stored: [StoredPart]) async throws -> [Int: SentPart] {
        var parts: [Int: SentPart] = [:]
        for part in stored {
            guard let range = plan.range(part.number), UInt64(range.count) == part.bytes else { continue }
            let sums = try await sums(of: part)
            let told = [(part.crc32c, sums.text(.crc32c)), (part.sha256, sums.text(.sha256))].filter {
                $0.0 != nil && $0.1 != nil
            }
            let isSame = told.isEmpty ? part.etag.lowercased() == sums.etag : told.allSatisfy { $0.0 == $0.1 }
            guard isSame else { continue }
            let own = store.configuration.checksum == .crc32c ? part.crc32c : part.sha256
            parts[part.number] = SentPart(number: part.number, etag: part.etag, sums: sums, hasChecksum: own != nil)
        }
        return parts
    }

    /// The sums of the source where the store has a part of it: with MD5, where the store tells no other.
    private func sums(of part: StoredPart) async throws -> Sums {
        if let known, part.crc32c != nil || known[part.number - 1].md5 != nil { return known[part.number - 1] }
        return try await store.sums(of: slice(part.number), .listParts, key, withMD5: true)
    }

    /// The object, where an upload that is not open any more had made it: its completion may have been lost on the way back only.
    private func completed() async throws -> StoredObject? {
        do {
            return try await store.verified(
                source, as: key, options.verification, inPartsOf: plan.partBytes, sums: options.sums)
        } catch let error as StoreError {
            switch error.cause {
            case .notFound, .mismatch: return nil
            default: throw error
            }
        }
    }
}
