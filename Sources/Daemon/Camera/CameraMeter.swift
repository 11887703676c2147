internal import Machines
internal import Synchronization

/// What one camera has made the daemon do within the last minute, against what one camera may (H1). What it sends on one dial is
/// measured by its input; here is what goes beyond a dial.
final class CameraMeter: Sendable {
    /// The most links in a minute that came as far as a key frame: each costs a clip and some ten records.
    static let linksMax = 10
    /// The most clips in a minute, each of which has two files and three rows at most. Events last a second at least, so no
    /// policy asks for more.
    static let clipsMax = 60
    /// The most records of the journal in a minute.
    static let recordsMax = 1_000

    private static let minuteMs: Int64 = 60_000

    private struct Times {
        let most: Int
        var within: [Instant] = []

        /// False when there were more within the last minute than there may be.
        mutating func note(at now: Instant) -> Bool {
            within.removeAll { now - $0 >= CameraMeter.minuteMs }
            if within.count > most { within.removeFirst() }
            within.append(now)
            return within.count <= most
        }
    }

    private let links = Mutex(Times(most: linksMax))
    private let clips = Mutex(Times(most: clipsMax))
    private let excess = Mutex<[@Sendable (String) -> Void]>([])

    /// Calls `body` with the bound, in words, each time that one is passed.
    func onExcess(_ body: @escaping @Sendable (String) -> Void) { excess.withLock { $0.append(body) } }

    /// A link has come as far as a key frame.
    func noteLink(at now: Instant) {
        if !links.withLock({ $0.note(at: now) }) { tell("more than \(Self.linksMax) links in a minute (links)") }
    }

    /// A clip was opened.
    func noteClip(at now: Instant) {
        if !clips.withLock({ $0.note(at: now) }) { tell("more than \(Self.clipsMax) clips in a minute (clips)") }
    }

    /// The journal has so many records of this minute.
    func note(records: Int) {
        if records > Self.recordsMax { tell("more than \(Self.recordsMax) journal records in a minute (records)") }
    }

    private func tell(_ bound: String) { for follower in excess.withLock({ $0 }) { follower(bound) } }
}
