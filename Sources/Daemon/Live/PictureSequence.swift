internal import Journal
internal import Machines
internal import Media
internal import Server

/// The pictures of one viewer, each made when the one before was taken: a slow viewer gets fewer.
struct PictureSequence: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let sequence: PictureSequence
        fileprivate var viewer: StreamViewer.Iterator
        /// What has come since the last picture.
        fileprivate var frames: [Frame] = []
        /// From when on a picture is due.
        fileprivate var due = Instant(ms: 0)
        /// Frames were left out, so that decoding begins with a key frame again.
        fileprivate var misses = false

        mutating func next() async -> LiveSnapshot? {
            while let item = await viewer.next() {
                switch item {
                case .began, .skipped: await forget()
                case .lost: break
                case .ended: return nil
                case .frame(let frame):
                    guard frame.kind == .video, !misses || frame.opensClip else { break }
                    misses = false
                    frames.append(frame)
                    if let picture = await picture() { return picture }
                }
            }
            return nil
        }

        /// What follows begins with a key frame.
        private mutating func forget() async {
            frames = []
            _ = try? await sequence.threads.run { [maker = sequence.maker] in maker.reset() }
        }

        private mutating func picture() async -> LiveSnapshot? {
            let now = sequence.clock.now()
            guard now >= due, let newest = frames.last else { return nil }
            due = now + sequence.pauseMs
            let taken = frames
            frames = []
            do {
                let jpeg = try await sequence.threads.run { [maker = sequence.maker] in maker.picture(after: taken) }
                return jpeg.map { LiveSnapshot(jpeg: $0, at: WallTime(ms: sequence.clock.wall(newest.arrival))) }
            } catch {
                // Too much is being made. What was not decoded is missing to what follows, until a key frame.
                misses = true
                return nil
            }
        }
    }

    fileprivate let viewer: StreamViewer
    fileprivate let place: Places.Place
    fileprivate let threads: PictureThreads
    fileprivate let maker: LivePictureMaker
    fileprivate let pauseMs: Int64
    fileprivate let clock: any Clocks

    init(
        _ viewer: StreamViewer, _ threads: PictureThreads, _ place: Places.Place, width: Int, perSecond: Int,
        clock: any Clocks
    ) {
        (self.viewer, self.threads, self.place, self.clock) = (viewer, threads, place, clock)
        maker = LivePictureMaker(SnapshotOptions(widthMax: width, heightMax: 2_160, quantizer: 5))
        pauseMs = 1_000 / Int64(Swift.max(1, perSecond))
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self, viewer: viewer.makeAsyncIterator()) }
}
