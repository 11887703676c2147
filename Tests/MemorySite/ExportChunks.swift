internal import Server

/// Hands out bytes on demand, and fails on demand.
struct ExportChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let bytes: [UInt8]
    let chunkBytes: Int
    let breaksAfter: Int?

    struct Iterator: AsyncIteratorProtocol {
        let chunks: ExportChunks
        var given = 0

        mutating func next() async throws -> [UInt8]? {
            if given == chunks.breaksAfter {
                throw SiteError(.failed, what: "the export", why: "a file is gone", remedy: "export less")
            }
            let start = given * chunks.chunkBytes
            guard start < chunks.bytes.count else { return nil }
            given += 1
            return Array(chunks.bytes[start..<Swift.min(start + chunks.chunkBytes, chunks.bytes.count)])
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }
}
