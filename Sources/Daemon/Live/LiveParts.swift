internal import Journal
internal import Machines
internal import Media
internal import Server

/// What one live viewer is sent, made when it is taken: what waits stays in the viewer's bounded queue.
struct LiveParts: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        let parts: LiveParts
        var fragments: LiveFragments
        var viewer: StreamViewer.Iterator
        /// What is made already, the next one last.
        var ready: [LivePart] = []

        mutating func next() async -> LivePart? {
            while ready.isEmpty {
                guard let item = await viewer.next() else { return nil }
                ready = fragments.take(item).flatMap(parts.described).reversed()
            }
            return ready.popLast()
        }
    }

    private let request: LiveRequest
    private let viewer: StreamViewer
    private let fragments: LiveFragments
    private let clock: any Clocks
    private let viewport: @Sendable () -> Viewport?

    /// What `request` is sent. `viewport`: which part of the picture is to be shown, asked when a run begins.
    init(
        _ request: LiveRequest, _ viewer: StreamViewer, _ fragments: LiveFragments, clock: any Clocks,
        viewport: @escaping @Sendable () -> Viewport?
    ) {
        (self.request, self.viewer, self.fragments, self.clock) = (request, viewer, fragments, clock)
        self.viewport = viewport
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(parts: self, fragments: fragments, viewer: viewer.makeAsyncIterator())
    }

    private func described(_ item: LiveFragments.Item) -> [LivePart] {
        switch item {
        case .began(let tracks):
            [
                .hello(
                    LiveHello(
                        camera: request.camera, stream: request.stream.rawValue,
                        tracks: tracks.map { .init($0.header) },
                        viewport: viewport()))
            ] + tracks.enumerated().map { .header(track: $0, bytes: $1.header.encoded()) }
        case .piece(let piece):
            [.fragment(track: piece.track, at: WallTime(ms: clock.wall(piece.arrival)), bytes: piece.cut.bytes)]
        case .skipped(let count): [.skipped(count)]
        case .lost: [.lost]
        case .ended(let why): [.ended(LiveEnd(why))]
        }
    }
}

extension Clocks {
    /// The wall time at `instant`, in milliseconds since 1970, if the clock was not set since.
    func wall(_ instant: Instant) -> Int64 { wallMs() &- (now() - instant) }
}

extension LiveHello.Track {
    /// What players need to know of a track.
    init(_ header: TrackHeader) {
        let coded = header.configuration
        self.init(
            kind: coded.kind == .video ? "video" : "audio", codec: coded.codec, timescale: Int(header.timescale),
            width: coded.width, height: coded.height, sampleRate: coded.sampleRate, channels: coded.channels)
    }
}

extension LiveEnd {
    /// Why a stream ended for its viewer.
    init(_ end: StreamEnd) {
        switch end {
        case .privacy: self = .privacy
        case .draining: self = .draining
        case .removed: self = .removed
        case .slow: self = .slow
        case .expired: self = .expired
        case .left: self = .left
        }
    }
}
