internal import Catalog
internal import Cloud
internal import Machines
internal import Media

/// The pieces of clips as the catalog keeps them: rows of `upload_object`, written before a piece is sent and again when it is there.
enum LivePieces {
    /// Whether some of these objects were sent while their clip was recorded.
    static func isAny(of sent: [UploadObject]) -> Bool {
        sent.contains { object in
            object.name == CloudKeys.liveDescription
                || TrackKind.allCases.contains { CloudKeys.number(ofPiece: object.name, $0) != nil }
        }
    }

    /// The pieces of a track that are there or under way; nil where they do not follow one another.
    static func plan(of kind: TrackKind, _ sent: some Sequence<UploadObject>) -> PiecePlan? {
        PiecePlan(
            kind,
            sent.compactMap { object in
                CloudKeys.number(ofPiece: object.name, kind).map {
                    let first = UInt64(max(object.firstByte, 0))
                    return PiecePlan.Piece(number: $0, bytes: first..<first + UInt64(max(object.bytes, 0)))
                }
            })
    }

    /// The objects of a track file that is whole: the pieces that were sent or begun, and those that are missing, without digests.
    /// Nil where what was sent is not of this file.
    static func objects(
        of kind: TrackKind, _ index: FragmentIndex, _ sent: [UploadObject]
    ) -> [ClipDescription.Object]? {
        guard var plan = plan(of: kind, sent), plan.fits(index) else { return nil }
        plan.complete(index)
        let digests = Dictionary(sent.map { ($0.name, $0.sha256) }) { $1 }
        return plan.pieces.map { piece in
            let name = plan.name(of: piece)
            return ClipDescription.Object(
                name: name, firstByte: Int64(clamping: piece.bytes.lowerBound),
                bytes: Int64(clamping: piece.bytes.count),
                sha256: digests[name] ?? "")
        }
    }
}
