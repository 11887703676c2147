internal import Machines
internal import Media

/// Finds the moment of an event whose picture shows most motion, as the recording has it.
struct EventPicture: Sendable {
    /// How old motion may be that belongs to an event which begins now, in milliseconds.
    private static let beforeMs: Int64 = 2_000

    private var best: BestPicture?
    private var chosen: Int64?
    private var at: Instant?
    /// The last observation with motion: usually the one that begins the event.
    private var last: MotionObservation?

    /// An event begins.
    mutating func begin(at now: Instant, keyed: Bool) {
        best = BestPicture()
        (chosen, at) = (nil, nil)
        if let last, now - last.arrival <= Self.beforeMs { take(last, keyed: keyed) }
    }

    /// Takes an observation. `keyed`: its key frames are those of the recording, so one of them is chosen.
    mutating func take(_ observation: MotionObservation, keyed: Bool) {
        if observation.level != nil { last = observation }
        best?.take(observation)
        guard let choice = keyed ? best?.choice : best?.pts, choice != chosen else { return }
        chosen = choice
        at = observation.arrival + -((observation.pts - choice) / 90)
    }

    /// The event ends; gives the arrival of its picture, nil where no detector saw it.
    mutating func end() -> Instant? {
        defer { (best, chosen, at) = (nil, nil, nil) }
        return at
    }
}
