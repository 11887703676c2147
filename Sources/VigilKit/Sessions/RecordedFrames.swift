public import Wire

/// The frames of a time of a camera, as fast as they are taken, over clips and holes. Where a hole was,
/// ``Frame/isDiscontinuous`` is set. It begins with the key frame before the time, and ends with the time, or with what is
/// recorded of it by then.
public struct RecordedFrames: AsyncSequence, Sendable {
    /// The iterator.
    public struct Iterator: AsyncIteratorProtocol {
        private var reader: FrameReader
        private var frames: ArraySlice<Frame> = []

        init(_ reader: FrameReader) { self.reader = reader }

        /// The next frame; nil at the end. Throws ``VigilError``.
        public mutating func next() async throws -> Frame? {
            while true {
                try Task.checkCancellation()
                if let frame = frames.popFirst() { return frame }
                guard let read = try await reader.next(), !read.isEmpty else { return nil }
                frames = read[...]
            }
        }
    }

    let vigil: Vigil
    let camera: String
    let query: [(String, String?)]

    /// Reads from the begin.
    public func makeAsyncIterator() -> Iterator { Iterator(FrameReader(vigil, camera: camera, query: query)) }
}

extension Vigil {
    /// The recorded frames of a camera from `from` to `to`, at most 31 days. The daemon counts who reads them as one viewer of
    /// recordings.
    public func recordedFrames(camera: String, from: WallTime, to: WallTime) -> RecordedFrames {
        RecordedFrames(vigil: self, camera: camera, query: [("from", from.rfc3339), ("to", to.rfc3339)])
    }
}
