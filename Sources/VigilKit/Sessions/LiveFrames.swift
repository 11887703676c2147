internal import HTTPTypes

/// The live picture of a session, frame by frame as they come: one growing movie, in one answer that has no end of its own.
struct LiveFrames {
    private let vigil: Vigil
    private var body: ResponseBody.Iterator
    private var movie = GrowingMovie()
    /// Whether a frame has come.
    private(set) var hasBegun = false

    /// Takes the picture of a session that shows it.
    init(_ session: CameraSession) async throws {
        vigil = session.vigil
        let response = try await vigil.send(
            .get, "/v1/cameras/\(Percent.encode(session.camera))/live.mp4", query: [("session", session.id)])
        body = response.body.makeAsyncIterator()
    }

    /// What follows, at least one frame; nil where the movie is over.
    mutating func next() async throws -> [Frame]? {
        while let bytes = try await body.next() {
            guard let frames = movie.take(bytes) else {
                throw VigilError.strangeAnswer(address: vigil.transport.address, reason: "damaged media")
            }
            if frames.isEmpty { continue }
            hasBegun = true
            return frames
        }
        return nil
    }
}
