internal import Journal
internal import Media

/// The bytes of one viewer's movie, made when they are taken: what waits stays in the viewer's bounded queue.
struct LiveMovieParts: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        var viewer: StreamViewer.Iterator
        var fragments: LiveFragments
        var movie: LiveMovie
        /// What is made already, the next one last.
        var ready: [[UInt8]] = []
        var isOver = false

        mutating func next() async -> [UInt8]? {
            while ready.isEmpty, !isOver {
                guard let item = await viewer.next() else { return nil }
                take(fragments.take(item))
            }
            return ready.popLast()
        }

        private mutating func take(_ items: [LiveFragments.Item]) {
            for item in items {
                guard let bytes = movie.take(item) else {
                    isOver = true
                    break
                }
                if !bytes.isEmpty { ready.insert(bytes, at: 0) }
            }
        }
    }

    private let viewer: StreamViewer
    private let fragments: LiveFragments
    private let clock: any Clocks

    init(_ viewer: StreamViewer, _ fragments: LiveFragments, clock: any Clocks) {
        (self.viewer, self.fragments, self.clock) = (viewer, fragments, clock)
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(viewer: viewer.makeAsyncIterator(), fragments: fragments, movie: LiveMovie(wall: clock.wall))
    }
}
