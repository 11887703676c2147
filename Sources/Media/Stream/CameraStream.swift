public import Machines
import Synchronization

/// What a camera sends under one address, dial after dial, for all who take it: recording, detector, viewers.
///
/// One thread at a time tells what comes (`began`, `frame`); it is never held up. Any thread may subscribe, hide, or tell that
/// the connection is over. No lock is held while a frame is handed on.
public final class CameraStream: Sendable {
    /// The most viewers that a stream has at a time.
    public static let viewersMax = 200
    /// The most bytes of memory that a stream holds besides what its input and the ring do: the group of pictures under way, and
    /// what waits for viewers, who share the same frames.
    public static let bytesMax = GroupOfPictures.bytesMax + FrameQueue.bytesMax

    /// The most memory that one viewer takes besides, in bytes: the places of the frames that wait for it, and what of them is
    /// being sent, of which listeners take so much at a time.
    public static let viewerBytes = FrameQueue.framesMax * Frame.entryBytes + 256 << 10

    fileprivate struct State {
        /// The dial that is open.
        var dial: StreamDial?
        var dials: UInt64 = 0
        var group = GroupOfPictures()
        /// Since when viewers may see it; nil while it is hidden.
        var shownSince: Instant?
        /// Why it is hidden.
        var hidden = StreamEnd.draining
        var queues: [FrameQueue] = []
        var consumers: [any StreamConsumer] = []
        /// The configuration of each track as a frame last told it.
        var configurations: [Int: TrackConfiguration] = [:]
        /// How many viewers want Opus.
        var opusViewers = 0
        /// Changes where sound of before must not come out later: with each dial, and each time that Opus is not wanted any more, as
        /// when the stream is hidden, which ends all viewers.
        var opusEpoch: UInt64 = 0
        /// The dial of which it was told that no Opus can be made.
        var opusToldDial: UInt64 = 0
    }

    private let state = Mutex(State())
    /// How many viewers want sound that has to be made.
    private let makers = Atomic<Int>(0)
    /// Makes Opus of its sound for viewers.
    private let opus = OpusMaker()
    /// Told by how many the number of viewers has changed.
    private let audience = Mutex<[@Sendable (Int) -> Void]>([])
    /// Told why no Opus can be made.
    private let onUnmade = Mutex<[@Sendable (String) -> Void]>([])

    /// A stream that is hidden and has no consumer yet.
    public init() {}

    // MARK: Consumers

    /// Hands everything to `consumer` from the next dial on, for the life of the stream.
    public func attach(_ consumer: any StreamConsumer) { state.withLock { $0.consumers.append(consumer) } }

    /// A viewer from now on: it gets the group of pictures under way and all that follows. Where it is held it gets nothing
    /// until it is released, and `observer` is told of pictures.
    public func subscribe(
        sound: SoundForm, isHeld: Bool = false, observer: StreamObserver = StreamObserver()
    ) throws(StreamRefusal) -> StreamViewer {
        let queue = FrameQueue(sound: sound, isHeld: isHeld, observer: observer)
        try take(queue)
        return StreamViewer(queue: queue, stream: self)
    }

    /// Takes a queue as a viewer's, also one that it has, and lets it begin with the group of pictures under way.
    func take(_ queue: FrameQueue, sound: SoundForm? = nil, isHeld: Bool? = nil) throws(StreamRefusal) {
        let isNew = try state.withLock { state throws(StreamRefusal) in
            guard state.shownSince != nil else { throw .hidden(state.hidden) }
            let isNew = !state.queues.contains { $0 === queue }
            guard !isNew || state.queues.count < Self.viewersMax else { throw .full }
            if isNew { state.queues.append(queue) }
            queue.follow(ObjectIdentifier(self), sound: sound, isHeld: isHeld)
            if let dial = state.dial { queue.begin(dial.withOpus, state.group.frames, of: ObjectIdentifier(self)) }
            count(&state)
            return isNew
        }
        if isNew { tell(1) }
    }

    /// The dial that is open; nil without one.
    public var dial: StreamDial? { state.withLock { $0.dial } }

    /// The key frame with which the group of pictures under way begins; nil where none has come, and while the stream is hidden.
    public var newestStart: Frame? { state.withLock { $0.shownSince == nil ? nil : $0.group.frames.first } }

    /// How many viewers there are.
    public var viewers: Int { state.withLock { $0.queues.count } }

    /// Whether a viewer wants sound as clips hold it.
    public var wantsStoredSound: Bool { makers.load(ordering: .relaxed) > 0 }

    /// Whether Opus is being made of its sound, for tests.
    var makesOpus: Bool { opus.isMaking }

    /// Calls `body` with the reason where a viewer wants Opus and none can be made: at most once a dial, on its thread.
    public func onUnmade(_ body: @escaping @Sendable (String) -> Void) { onUnmade.withLock { $0.append(body) } }

    /// Calls `body` with each change of the number of viewers, on whatever thread it happens.
    public func onAudience(_ body: @escaping @Sendable (Int) -> Void) { audience.withLock { $0.append(body) } }

    /// Ends a viewer, if it is one still.
    func remove(_ queue: FrameQueue, _ end: StreamEnd) {
        let wasThere = drop(queue)
        queue.end(end)
        if wasThere { tell(-1) }
    }

    /// Lets go of a queue that another stream has taken.
    func release(_ queue: FrameQueue) { if drop(queue) { tell(-1) } }

    private func drop(_ queue: FrameQueue) -> Bool {
        state.withLock { state in
            guard let index = state.queues.firstIndex(where: { $0 === queue }) else { return false }
            state.queues.remove(at: index)
            count(&state)
            return true
        }
    }

    private func count(_ state: inout State) {
        let sounds = state.queues.map(\.sound)
        makers.store(sounds.count { $0 == .stored }, ordering: .relaxed)
        let opusViewers = sounds.count { $0 == .opus }
        if opusViewers == 0, state.opusViewers > 0 { state.opusEpoch += 1 }
        state.opusViewers = opusViewers
    }

    private func tell(_ change: Int) { for follower in audience.withLock({ $0 }) { follower(change) } }

    // MARK: Who may see it

    /// After which instant what arrives may be seen; nil while it is hidden.
    public var shownSince: Instant? { state.withLock { $0.shownSince } }

    /// Viewers may see what arrives after `now`.
    public func show(from now: Instant) { state.withLock { if $0.shownSince == nil { $0.shownSince = now } } }

    /// Nobody may see it: viewers are ended, what waits for them and the group of pictures are dropped, and nobody is taken.
    public func hide(_ why: StreamEnd) {
        end(why) { state in
            state.shownSince = nil
            state.hidden = why
            return state.group.clear()
        }
    }

    /// Ends the viewers; others may come.
    public func endViewers(_ why: StreamEnd) { end(why) { _ in [] } }

    private func end(_ why: StreamEnd, _ body: (inout State) -> [Frame]) {
        let (queues, released) = state.withLock { state in
            let queues = state.queues
            state.queues = []
            count(&state)
            return (queues, body(&state))
        }
        withExtendedLifetime(released) {}
        for queue in queues { queue.end(why) }
        if !queues.isEmpty { tell(-queues.count) }
    }

    // MARK: What the camera sends

    /// A dial answered and offers these tracks.
    public func began(_ streams: [StreamDescription]) {
        let (dial, consumers, queues, released) = state.withLock { state in
            state.dials += 1
            let dial = StreamDial(number: state.dials, of: ObjectIdentifier(self), streams: streams)
            state.dial = dial
            state.configurations = [:]
            state.opusEpoch += 1
            return (dial, state.consumers, state.queues, state.group.clear())
        }
        withExtendedLifetime(released) {}
        for consumer in consumers { consumer.began(dial) }
        for queue in queues { queue.begin(dial.withOpus, [], of: ObjectIdentifier(self)) }
    }

    /// A frame of the dial that is open.
    public func frame(_ frame: Frame) {
        let (consumers, queues, released, order) = state.withLock { $0.take(frame) }
        withExtendedLifetime(released) {}
        for consumer in consumers { consumer.frame(frame) }
        give(frame, queues)
        let (made, problem) = opus.take(frame, order)
        for frame in made { give(frame, queues) }
        if let problem { tellUnmade(problem) }
    }

    private func give(_ frame: Frame, _ queues: [FrameQueue]) {
        for queue in queues where !queue.take(frame, of: ObjectIdentifier(self)) { remove(queue, .slow) }
    }

    private func tellUnmade(_ problem: String) {
        let isNew = state.withLock { state in
            defer { state.opusToldDial = state.dials }
            return state.opusToldDial != state.dials
        }
        if isNew { for follower in onUnmade.withLock({ $0 }) { follower(problem) } }
    }

    /// The connection is over. Any thread; a second call does nothing.
    public func lost() {
        let over = state.withLock { state -> ([any StreamConsumer], [FrameQueue], [Frame])? in
            guard state.dial != nil else { return nil }
            state.dial = nil
            return (state.consumers, state.queues, state.group.clear())
        }
        guard let (consumers, queues, released) = over else { return }
        withExtendedLifetime(released) {}
        opus.rest()
        for consumer in consumers { consumer.lost() }
        for queue in queues { queue.lost(ObjectIdentifier(self)) }
    }
}

extension CameraStream.State {
    /// Who gets `frame`, what it displaced, and what Opus is to be made of.
    fileprivate mutating func take(
        _ frame: Frame
    ) -> ([any StreamConsumer], [FrameQueue], [Frame], OpusMaker.Order?) {
        if dial != nil, configurations[frame.track] !== frame.configuration {
            configurations[frame.track] = frame.configuration
            dial?.learn(frame)
        }
        // What arrived while it was hidden stays hidden, however late it is handed over. In the same millisecond nobody
        // can tell.
        guard dial != nil, let since = shownSince, frame.arrival > since else { return (consumers, [], [], nil) }
        return (consumers, queues, group.take(frame), opusOrder)
    }

    /// What Opus is to be made of; nil where nobody wants it, or the camera sends it.
    private var opusOrder: OpusMaker.Order? {
        guard opusViewers > 0, let dial, let source = dial.opusSource else { return nil }
        return OpusMaker.Order(source: source.ordinal, track: dial.opusOrdinal, epoch: opusEpoch)
    }
}
