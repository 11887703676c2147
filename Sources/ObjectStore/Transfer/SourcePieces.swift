internal import Hashing
internal import NIOCore

/// A source as the HTTP library sends it, piece by piece: each is read when there is room for it, so a transfer holds one at a time.
struct SourcePieces: AsyncSequence, Sendable {
    let source: any ByteSource
    let sums: Sums
    let progress: TransferProgress?
    let watch: StallWatch
    let transport: any StoreTransport
    let bandwidth: BandwidthLimit?

    struct Iterator: AsyncIteratorProtocol {
        let pieces: SourcePieces
        private var sent: UInt64 = 0
        private var crc = CRC32C()

        init(_ pieces: SourcePieces) { self.pieces = pieces }

        mutating func next() async throws -> ByteBuffer? {
            // Being asked for more means that what was given before has gone.
            pieces.watch.moved()
            if sent > 0 { pieces.progress?(sent) }
            guard sent < pieces.sums.bytes else { return nil }
            let bandwidth = pieces.bandwidth
            let most = UInt64(bandwidth?.pieceBytes ?? FileThreads.pieceBytes)
            let (offset, count) = (sent, Int(Swift.min(most, pieces.sums.bytes - sent)))
            let bytes = try await pieces.watch.holding { [pieces] in
                if let bandwidth { try await bandwidth.take(count) }
                return try await pieces.read(offset, count)
            }
            guard bytes.readableBytes == count else {
                throw SourceFailure(reason: "it became shorter while it was sent")
            }
            crc.update(bytes.readableBytesView)
            sent += UInt64(count)
            // The last piece is kept back where the bytes are others than those whose sums were sent, so the store takes none of them.
            guard sent < pieces.sums.bytes || crc.value == pieces.sums.crc32c else {
                throw SourceFailure(reason: "it changed while it was sent")
            }
            return bytes
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// A piece, read to where it is sent from.
    private func read(_ offset: UInt64, _ count: Int) async throws -> ByteBuffer {
        let source = source
        do {
            return try await transport.read {
                var bytes = ByteBufferAllocator().buffer(capacity: count)
                try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
                    try source.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
                }
                return bytes
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw SourceFailure(reason: TransportErrors.text(error))
        }
    }
}
