internal import Journal
internal import Machines
internal import Media
internal import Server

/// The decoded frames of one reader, each made when the one before was taken: a slow reader gets fewer, and none at all when its
/// viewer is ended as slow. Of who shares memory a frame is made when a slot is free.
struct FrameSequence: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let sequence: FrameSequence
        fileprivate var viewer: StreamViewer.Iterator
        /// What has come since the last frame.
        fileprivate var frames: [Frame] = []
        /// Frames were left out, so that decoding begins with a key frame again.
        fileprivate var misses = false
        /// From when on a frame is due.
        fileprivate var due = Instant(ms: 0)
        /// The dial under way, and how many there were: each stream of the camera counts its own, and a session may change streams.
        fileprivate var dial: StreamDial?
        fileprivate var dials: UInt32 = 0
        /// Frames given so far.
        fileprivate var number: UInt64 = 0
        fileprivate var hasEnded = false
        /// What follows the memory that was just told.
        fileprivate var pending: FramesPart?
        /// The number of the memory that the reader knows, which may have gone.
        fileprivate var generation = 0
        /// Since when the reader has had every slot.
        fileprivate var starvedSince: Instant?

        mutating func next() async -> FramesPart? {
            guard !hasEnded else { return nil }
            if let pending {
                self.pending = nil
                return pending
            }
            while let item = await viewer.next() {
                switch item {
                case .began(let began):
                    // The same dial may begin anew, with the group of pictures under way.
                    if !(dial?.isSame(began) ?? false) { dials &+= 1 }
                    dial = began
                    await forget()
                case .skipped: await forget()
                case .lost:
                    await forget()
                    return FramesPart(head(), FramesWord(lost: true))
                case .ended(let why):
                    if let number = sequence.slots?.misused {
                        let why = "slot \(number) was given back, which the reader did not have"
                        return await end(FramesWord(ended: "misused", why: why))
                    }
                    return await end(FramesWord(ended: why.rawValue))
                case .frame(let frame):
                    guard frame.kind == .video, !misses || frame.opensClip else { break }
                    misses = false
                    frames.append(frame)
                    if let part = await part() { return part }
                }
            }
            return nil
        }

        /// Lets go of the decoder; what follows begins with a key frame.
        private mutating func forget() async {
            frames = []
            _ = try? await sequence.readers.run { [decoder = sequence.decoder] in decoder.reset() }
        }

        private mutating func part() async -> FramesPart? {
            let now = sequence.clock.now()
            guard now >= due else { return nil }
            // Counted from when it was due, so that a late one makes none of the others late.
            due = (now - due < sequence.pauseMs ? due : now) + sequence.pauseMs
            let taken = frames
            frames = []
            if let slots = sequence.slots, slots.areTaken {
                starvedSince = starvedSince ?? now
                if now - (starvedSince ?? now) >= FrameReaders.starvedMs {
                    let seconds = FrameReaders.starvedMs / 1_000
                    let why = "no slot was given back for \(seconds) s"
                    return await end(FramesWord(ended: "slow", why: why))
                }
            } else {
                starvedSince = nil
            }
            do {
                let made = try await sequence.readers.run {
                    [
                        decoder = sequence.decoder, viewport = sequence.viewport(), slots = sequence.slots,
                        known = generation
                    ] in
                    try Made(decoder.frame(after: taken, viewport: viewport), slots, known: known)
                }
                guard let made else { return nil }
                guard let place = made.frame.place else { return frame(made.frame) }
                return shared(made, place)
            } catch FrameDecoderError.budget {
                let most = FrameReaders.memoryBytes >> 20
                let why = "the decoders of all readers may take \(most) MiB, and others have it"
                return await end(FramesWord(ended: "budget", why: why))
            } catch FrameDecoderError.memory(let reason) {
                return await end(FramesWord(ended: "memory", why: "the system gives no memory to share: \(reason)"))
            } catch FrameDecoderError.undecodable {
                let why = "its pictures are too large, or of a kind that is not decoded"
                return await end(FramesWord(ended: "undecodable", why: why))
            } catch {
                // Too much waits for the threads: what was not decoded is missing to what follows.
                misses = true
                return nil
            }
        }

        private mutating func frame(_ made: DecodedFrame) -> FramesPart {
            number += 1
            let content: FrameHead.Content = sequence.format == .jpeg ? .jpeg : .yuv420p
            return FramesPart(head(content, of: made), made.bytes)
        }

        /// A frame in a slot, behind the memory where the reader does not know that yet.
        private mutating func shared(_ made: Made, _ place: FrameSlots.Place) -> FramesPart {
            number += 1
            let told = FramePlace(number: place.number, count: place.bytes)
            let part = FramesPart(head(.slot, of: made.frame), told.bytes)
            guard let memory = made.memory else { return part }
            (pending, generation) = (part, place.generation)
            var head = self.head()
            head.content = .memory
            return FramesPart(head, memory.layout.bytes, with: memory.descriptor)
        }

        private func head(_ content: FrameHead.Content, of made: DecodedFrame) -> FrameHead {
            FrameHead(
                content, width: made.width, height: made.height, count: 0, dial: dials, number: number,
                arrived: WallTime(ms: sequence.clock.wall(made.arrival)), mediaUs: made.mediaUs)
        }

        /// The last thing. Whoever holds the sequence on holds no decoder with it.
        private mutating func end(_ word: FramesWord) async -> FramesPart {
            hasEnded = true
            sequence.viewer.leave()
            await forget()
            pending = nil
            sequence.slots?.end()
            return FramesPart(head(), word)
        }

        /// The head of a word.
        private func head() -> FrameHead {
            FrameHead(
                .word, count: 0, dial: dials, number: number,
                arrived: WallTime(ms: sequence.clock.wall(sequence.clock.now())))
        }
    }

    /// A frame, and the memory in which it lies where its reader does not know that yet. Made on the thread that decodes, so that nobody else
    /// has the last reference to memory.
    private struct Made: Sendable {
        let frame: DecodedFrame
        let memory: (layout: FrameMemoryLayout, descriptor: FrameDescriptor)?

        /// Nil where there is no frame, or its reader has left.
        init?(_ frame: DecodedFrame?, _ slots: FrameSlots?, known: Int) throws(FrameDecoderError) {
            guard let frame else { return nil }
            self.frame = frame
            guard let place = frame.place, place.generation != known else {
                memory = nil
                return
            }
            guard let shown = try slots?.shown() else { return nil }
            let layout = FrameMemoryLayout(slots: shown.slots, slotBytes: shown.slotBytes, first: shown.first)
            memory = (layout, FrameDescriptor(shown.descriptor))
        }
    }

    fileprivate let viewer: StreamViewer
    fileprivate let place: Places.Place
    fileprivate let readers: FrameReaders
    fileprivate let decoder: FrameDecoder
    /// Where its frames are put; nil where they are sent.
    let slots: FrameSlots?
    fileprivate let format: DecodedFormat
    fileprivate let pauseMs: Int64
    fileprivate let clock: any Clocks
    fileprivate let viewport: @Sendable () -> PictureViewport

    /// Frames as `request` wants them. `viewport`: which part of the picture is shown, asked for each frame.
    init(
        _ viewer: StreamViewer, _ readers: FrameReaders, _ place: Places.Place, _ request: FramesRequest,
        clock: any Clocks, viewport: @escaping @Sendable () -> PictureViewport = { .whole }
    ) {
        self.viewport = viewport
        (self.viewer, self.readers, self.place, self.clock) = (viewer, readers, place, clock)
        format = request.format
        slots = request.isShared ? FrameSlots(later: { readers.later($0) }) : nil
        decoder = FrameDecoder(
            request.format == .jpeg ? .jpeg : .yuv420p,
            SnapshotOptions(widthMax: request.width, heightMax: FrameHead.heightMax, quantizer: 5),
            budget: readers.budget, slots: slots)
        pauseMs = 1_000 / Int64(Swift.max(1, request.perSecond))
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self, viewer: viewer.makeAsyncIterator()) }
}
