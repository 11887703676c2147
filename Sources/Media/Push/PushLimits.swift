/// The bounds of what a camera pushes, and of what of it waits.
enum PushLimits {
    /// Bytes of `ftyp` and of `moov`, each.
    static let headerBytesMax = 64 << 10
    /// Bytes of a `moof`.
    static let fragmentHeaderBytesMax = 512 << 10
    /// Bytes of an `mdat`.
    static let fragmentBytesMax = 16 << 20
    /// Bytes of a box that is passed over.
    static let skippedBytesMax = 1 << 20
    /// Bytes of a manifest or a playlist, which is read and dropped.
    static let manifestBytesMax = 1 << 20
    /// Samples of one track in a fragment.
    static let samplesMax = 4_096
    /// The latest time that a fragment may have, in ticks of its track: far from where times wrap.
    static let decodeTimeMax: UInt64 = 1 << 62
    /// How long a fragment may last, in milliseconds.
    static let fragmentMsMax: Int64 = 60_000
    /// Tracks of a header.
    static let tracksMax = 8
    /// Headers of a session, tracks of all of them, and the bytes of a path below the publishing point.
    static let headersMax = 16
    static let sessionTracksMax = 16
    static let pathBytesMax = 256
    /// Bytes that wait for the camera's input, as many that it has taken and waits with for the other track, and as many of boxes
    /// that are not whole yet, in all requests together.
    static let waitingBytesMax = 32 << 20
    /// Fragments that wait for it.
    static let waitingMax = 512
    /// A fragment is known when it comes again for so many milliseconds, and for so many later ones of its track.
    static let repeatsMs: Int64 = 300_000
    static let repeatsKept = 10_000
    /// Requests under way at one publishing point.
    static let requestsMax = 8
    /// For how long a fragment waits for the camera to be dialled, or for room, in milliseconds; then it is dropped.
    static let holdMs: Int64 = 5_000
    /// A pusher from whom nothing has come for so many milliseconds gives its place to any other.
    static let silenceMs: Int64 = 10_000
    /// How long the headers of further tracks are waited for when the first fragment is there, in milliseconds.
    static let settleMs: Int64 = 1_000
    /// The longest that a track is waited for which lags behind the other, in milliseconds.
    static let lagMsMax: Int64 = 8_000
    /// By how much the least delay of a track grows at most from one fragment to the next, in microseconds.
    static let delayGrowthUsMax: Int64 = 1_000_000
    /// How much earlier than its fragment says a sample may count as having come, in milliseconds.
    static let earlyMsMax: Int64 = 2_000
    /// How long before the camera's machine gives up for silence a track that lags is waited for at the latest, in milliseconds.
    static let lagReserveMs: Int64 = 1_000
    /// What is handed over counts as having come so many milliseconds before that at the earliest: the camera's machine gives up a
    /// camera of whom nothing has come for `InputLimits.silenceMs`.
    static let waitedMsMax: Int64 = 7_000
    /// For how long fragments of a session are taken when the next one has begun, in milliseconds, where the next one has none of the
    /// kind yet.
    static let overlapMs: Int64 = 10_000
    /// How often a camera that waits for its next dial is woken at most, in milliseconds.
    static let wakeMs: Int64 = 1_000
    /// What is pushed late is handed over at this share of the rates that an input may have (`InputLimits`), in percent.
    static let pacePercent: Int64 = 50
    /// Sessions that follow each other within so many milliseconds follow without a gap.
    static let jitterMs: Int64 = 500
    /// The longest gap between two sessions that a producer's clock (`prft`) is believed, in milliseconds.
    static let gapMsMax: Int64 = 600_000

    /// What one publishing point may hold of memory, in bytes.
    /// Requests, what waits, what the input holds, and what it gives back at its end to what waits; one fragment may be beyond.
    static let bytesMax =
        4 * waitingBytesMax + 2 * fragmentBytesMax + sessionTracksMax * repeatsKept * PushSession.knownBytes
}
