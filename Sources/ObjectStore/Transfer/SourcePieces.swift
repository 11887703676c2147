internal import Hashing
internal import NIOCore
internal import Synchronization

/// A source as the HTTP library sends it, piece by piece: each is read when there is room for it, so a transfer holds a few of
/// them.
struct SourcePieces: AsyncSequence, Sendable {
    /// How many pieces are held: one is read while those before are on their way.
    static let buffersMax = 3

    let source: any ByteSource
    let sums: Sums
    let progress: TransferProgress?
    let timer: StallTimer
    let transport: any StoreTransport
    let bandwidth: BandwidthLimit?

    struct Iterator: AsyncIteratorProtocol {
        let pieces: SourcePieces
        private var sent: UInt64 = 0
        private var crc = CRC32C()
        /// Pieces that were given. The oldest is filled again when nobody holds it any more.
        private var buffers: [ByteBuffer] = []

        init(_ pieces: SourcePieces) { self.pieces = pieces }

        mutating func next() async throws -> ByteBuffer? {
            // Being asked for more means that what was given before has gone.
            pieces.timer.moved()
            if sent > 0 { pieces.progress?(sent) }
            guard sent < pieces.sums.bytes else { return nil }
            let bandwidth = pieces.bandwidth
            let most = UInt64(bandwidth?.pieceBytes ?? FileThreads.pieceBytes)
            let (offset, count, before) = (sent, Int(Swift.min(most, pieces.sums.bytes - sent)), crc)
            let room = Room(buffers.count < SourcePieces.buffersMax ? ByteBuffer() : buffers.removeFirst())
            let (bytes, sum) = try await pieces.timer.holding { [pieces] in
                if let bandwidth { try await bandwidth.take(count) }
                return try await pieces.read(offset, count, into: room, before)
            }
            guard bytes.readableBytes == count else {
                throw SourceFailure(reason: "it became shorter while it was sent")
            }
            crc = sum
            sent += UInt64(count)
            // The last piece is kept back where the bytes are others than those whose sums were sent, so the store takes none of them.
            guard sent < pieces.sums.bytes || crc.value == pieces.sums.crc32c else {
                throw SourceFailure(reason: "it changed while it was sent")
            }
            if sent < pieces.sums.bytes { buffers.append(bytes) }
            return bytes
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// A piece, read to where it is sent from and summed while it is near.
    private func read(
        _ offset: UInt64, _ count: Int, into room: Room, _ before: CRC32C
    ) async throws -> (ByteBuffer, CRC32C) {
        let source = source
        do {
            return try await transport.read {
                var (bytes, crc) = (room.take(), before)
                bytes.clear(minimumCapacity: count)
                try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
                    try source.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
                }
                bytes.withUnsafeReadableBytes { crc.update($0) }
                return (bytes, crc)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw SourceFailure(reason: TransportErrors.text(error))
        }
    }

    /// A buffer that whoever takes it has alone, so that it is filled again and not copied.
    private final class Room: Sendable {
        private let buffer: Mutex<ByteBuffer>

        init(_ buffer: ByteBuffer) { self.buffer = Mutex(buffer) }

        func take() -> ByteBuffer {
            buffer.withLock { buffer in
                defer { buffer = ByteBuffer() }
                return buffer
            }
        }
    }
}
