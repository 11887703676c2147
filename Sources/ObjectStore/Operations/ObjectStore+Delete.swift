internal import Hashing
internal import NIOHTTP1
internal import XML

extension ObjectStore {
    /// How many objects one request may delete.
    static let deletionsMax = 1000

    /// Deletes an object. One that is not there is no error. Throws `StoreError`.
    public func delete(_ key: String) async throws {
        do {
            _ = try await send(Call(.deleteObject, .DELETE, key: key))
        } catch let error as StoreError where error.cause == .notFound && error.code != nil {
            return
        }
    }

    /// Deletes up to 1,000 objects with one request, and returns the error of each key that could not be deleted; one that is not
    /// there is none. Throws `StoreError` where the request as a whole failed; `.invalid` for more keys, or a key with characters that
    /// XML cannot hold, which `delete` takes.
    public func deleteMany(_ keys: [String]) async throws -> [String: StoreError] {
        guard !keys.isEmpty else { return [:] }
        let isXML = keys.allSatisfy { key in
            key.unicodeScalars.allSatisfy {
                $0.value >= 0x20 || $0 == "\t" || $0 == "\n" || $0 == "\r"
            } && !key.unicodeScalars.contains { $0.value == 0xfffe || $0.value == 0xffff }
        }
        guard isXML, keys.count <= Self.deletionsMax,
            keys.allSatisfy({ (1...Self.keyBytesMax).contains($0.utf8.count) })
        else {
            throw failure(
                .invalid("at most 1,000 keys of 1 to 1,024 bytes without control characters"), .deleteObjects, nil)
        }
        let objects = keys.map { "<Object><Key>\(XMLNode.escaped($0))</Key></Object>" }.joined()
        let body = Array(
            "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>\(objects)</Delete>".utf8)
        var call = Call(.deleteObjects, .POST, query: [("delete", "")])
        // Stores that know no newer sum refuse the request without this one.
        call.headers = [("content-type", "application/xml")] + sumHeaders(Summing.sums(of: body))
        call.body = .bytes(body)
        let answer = try await send(call)
        guard let deletion = DeletionAnswer(try document(call, answer)) else {
            throw failure(.invalid("the answer does not tell what was deleted"), .deleteObjects, nil)
        }
        var failed: [String: StoreError] = [:]
        for (key, told) in deletion.failed {
            let error = refused(call, answer, told)
            guard error.cause != .notFound else { continue }
            failed[key] = StoreError(
                error.cause, .deleteObjects, bucket: error.bucket, key: key, status: nil, code: error.code,
                message: error.message)
        }
        return failed
    }
}
