internal import Hashing
internal import NIOHTTP1
internal import Synchronization

extension ObjectStore {
    /// The most that one request may carry, in bytes: 5 GiB. More goes in parts (`MultipartUpload`).
    static let putBytesMax: UInt64 = 5 << 30

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
            of: source, .putObject, key, withMD5: md5Wanted(inParts: false) != .nothing, known: options.sums)
        let body = sums.bytes == 0 ? Call.Body.bytes([]) : .source(source, sums, progress)
        return try await put(body, of: source, sums, as: key, options)
    }

    private func put(
        _ body: Call.Body, of source: any ByteSource, _ sums: Sums, as key: String, _ options: PutOptions
    ) async throws -> StoredObject {
        try await send(body, sums, as: key, options)
        return try await verify(key, Expectation(sums), options.verification, .putObject, whole: source)
    }

    /// Sends what is to be an object. That the store says it has taken it proves nothing.
    func send(_ body: Call.Body, _ sums: Sums, as key: String, _ options: PutOptions) async throws {
        var call = Call(.putObject, .PUT, key: key)
        call.headers = try headers(options, .putObject, key) + sumHeaders(sums)
        if options.onlyIfNew { call.headers.append(("if-none-match", "*")) }
        call.body = body
        _ = try await send(call)
    }

    /// So many bytes in memory are summed and sent at once; it takes less than to hand them to a thread.
    private static let onceBytes = 64 << 10

    /// Sends bytes in memory; otherwise as for a source.
    public func put(
        _ bytes: [UInt8], as key: String, _ options: PutOptions = PutOptions()
    ) async throws -> StoredObject {
        let source = MemorySource(bytes)
        guard bytes.count <= Self.onceBytes else { return try await put(source, as: key, options) }
        let sums = Summing.sums(of: bytes, withMD5: md5Wanted(inParts: false) != .nothing)
        return try await put(.bytes(bytes), of: source, sums, as: key, options)
    }

    /// How many bytes are read for the sums before other transfers have their turn on the thread.
    private static let turnBytes = 4 << 20

    /// The sums of a source, read on a thread that may block, unless those that are wanted are known.
    func sums(
        of source: any ByteSource, _ operation: StoreOperation, _ key: String, withMD5: Bool,
        known: KnownSums? = nil
    ) async throws -> Sums {
        if let known, let sha256 = SHA256.Value(hex: known.sha256.utf8), !withMD5 || known.md5 != nil {
            return Sums(
                bytes: source.bytes, crc32c: known.crc32c, md5: withMD5 ? known.md5 : nil,
                sha256: wantsSHA256 ? sha256 : nil)
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

    /// Whether SHA-256 goes along: TLS protects the body by itself.
    var wantsSHA256: Bool {
        !configuration.address.isSecure || configuration.signsSecurePayload || configuration.checksum == .sha256
    }

    /// What MD5 is to be made of: of nothing for a store that has proved such objects by a better sum so far.
    func md5Wanted(inParts: Bool) -> JointSums.MD5Of {
        habits.withLock { habits in
            if configuration.checksum != .none, inParts ? habits.tellsSumOfParts : habits.tellsSum { return .nothing }
            return inParts ? habits.tagOfParts : .whole
        }
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
}
