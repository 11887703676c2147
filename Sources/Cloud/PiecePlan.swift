public import Machines
public import Media

/// The pieces of one track that goes up while its clip is recorded: those that are there or under way, and which bytes come next
/// (docs/design/cloud.md "Live mode"). Pieces follow one another from byte 0, the first begins with the header, each ends with a
/// whole fragment, so that no fragment lies in two; which bytes a piece has is never changed. Pure.
public struct PiecePlan: Hashable, Sendable {
    /// One piece.
    public struct Piece: Hashable, Sendable {
        /// Its number, from 1.
        public let number: Int
        /// Its bytes in the track file; not empty.
        public let bytes: Range<UInt64>

        /// A piece.
        public init(number: Int, bytes: Range<UInt64>) {
            self.number = number
            self.bytes = bytes
        }
    }

    /// The most bytes of a piece, unless one fragment has more: what goes in one request.
    public static let bytesMax: UInt64 = 16 << 20

    /// What the track carries.
    public let kind: TrackKind
    /// The pieces in order.
    public private(set) var pieces: [Piece] = []

    /// A track of which nothing was sent.
    public init(_ kind: TrackKind) { self.kind = kind }

    /// A track of which these pieces are known, in any order; nil where they do not follow one another from the first byte on.
    public init?(_ kind: TrackKind, _ known: some Sequence<Piece>) {
        self.kind = kind
        for piece in known.sorted(by: { $0.number < $1.number }) {
            guard piece.number == pieces.count + 1, piece.bytes.lowerBound == end, !piece.bytes.isEmpty else {
                return nil
            }
            pieces.append(piece)
        }
    }

    /// The byte of the track file at which the next piece begins.
    public var end: UInt64 { pieces.last?.bytes.upperBound ?? 0 }

    /// The name of a piece's object.
    public func name(of piece: Piece) -> String { CloudKeys.piece(kind, piece.number) }

    /// The next piece of a track file of which the first `count` fragments may be sent: as many as have come since the piece before
    /// and fit into `bytesMax`; at least one. Nil where none has come.
    public func next(in index: FragmentIndex, upTo count: Int) -> Piece? {
        let from = end
        let ready = index.entries.prefix(max(count, 0))
        // Those that were sent are before the others: the index is in the order of the file.
        var (low, high) = (ready.startIndex, ready.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if ready[middle].endOffset <= from { low = middle + 1 } else { high = middle }
        }
        var upTo = from
        for entry in ready[low...] {
            guard upTo == from || entry.endOffset - from <= Self.bytesMax else { break }
            upTo = entry.endOffset
        }
        return upTo > from ? Piece(number: pieces.count + 1, bytes: from..<upTo) : nil
    }

    /// Adds the piece that `next` gave.
    public mutating func add(_ piece: Piece) { pieces.append(piece) }

    /// Adds all that is missing of a track file that is whole.
    public mutating func complete(_ index: FragmentIndex) {
        while let piece = next(in: index, upTo: index.entries.count) { add(piece) }
    }

    /// Whether the pieces are of a file with these fragments: each ends where a fragment does.
    public func fits(_ index: FragmentIndex) -> Bool {
        var (entries, isFitting) = (index.entries[...], true)
        for piece in pieces {
            while let entry = entries.first, entry.endOffset < piece.bytes.upperBound { entries = entries.dropFirst() }
            isFitting = isFitting && entries.first?.endOffset == piece.bytes.upperBound
        }
        return isFitting && (pieces.first?.bytes.upperBound ?? .max) > index.headerBytes
    }

    /// The fragments that the pieces hold.
    public func sent(of index: FragmentIndex) -> FragmentIndex {
        FragmentIndex(
            timescale: index.timescale, primingTicks: index.primingTicks, headerBytes: index.headerBytes,
            entries: Array(index.entries.prefix { $0.endOffset <= end }))
    }
}
