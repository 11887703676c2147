internal import NIOHTTP1

extension ObjectStore {
    /// An address with which anybody may read the object for `seconds` (1 to 604,800, seven days; others become the nearest),
    /// or until the credentials end. It is as good as a credential: not for logs. Throws `StoreError` where nothing can sign.
    public func presignedGet(_ key: String, seconds: Int, fileName: String? = nil) async throws -> String {
        try await presigned("GET", .getObject, key, seconds: seconds, fileName: fileName)
    }

    /// The same with which anybody may put the object.
    public func presignedPut(_ key: String, seconds: Int) async throws -> String {
        try await presigned("PUT", .putObject, key, seconds: seconds, fileName: nil)
    }

    private func presigned(
        _ method: String, _ operation: StoreOperation, _ key: String, seconds: Int, fileName: String?
    ) async throws -> String {
        guard (1...Self.keyBytesMax).contains(key.utf8.count) else {
            throw failure(.invalid("a key has 1 to 1,024 bytes"), operation, nil)
        }
        let address = configuration.address
        let credentials = try await credentials(for: operation, key)
        var request = SignatureV4.Request(
            method: method, encodedPath: address.path(key), headers: [("host", address.hostField)],
            payload: SignatureV4.unsignedPayload)
        if let fileName {
            let name = PercentCode.encode(fileName)
            request.query.append(("response-content-disposition", "attachment; filename*=UTF-8''\(name)"))
        }
        let query = SignatureV4(
            credentials: credentials, region: address.region, seconds: configuration.clock.wallSeconds()
        )
        .presigned(request, expires: seconds)
        return "\(address.origin)\(request.encodedPath)?\(query)"
    }
}
