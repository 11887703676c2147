internal import NIOCore
internal import Synchronization

/// The connections of one listener, bounded by peer and in all. Where places are short, the connection that waits longest for
/// its client is closed, of the peer that has most: half-open requests keep nobody out. Where every connection is being
/// answered, a new one gets a place for health, in which nothing else is answered. Live viewers, cameras that push, and who follows the
/// journal have places of their own, so that however many look, there is room to ask.
final class Connections: Sendable {
    /// Who is at the other end.
    struct Peer: Hashable, Sendable {
        /// What bounds count by: a user, or an address.
        let key: String
        /// What is told of it.
        let name: String
    }

    private struct Entry {
        let peer: Peer
        let channel: any Channel
        let isForHealth: Bool
        /// Whether it follows the journal.
        var isFollower = false
        /// From when on the place may be given to another; nil while the client waits for us.
        var yieldsFrom: NIODeadline?
        /// Whether its client has spoken and nobody has read it yet: its place is given away behind all others.
        var isUnread: Bool
        /// Who asks over it, once that is known.
        var holder: Holder?
        /// Whether it is a live viewer's.
        var isViewer = false
        /// Whether a camera pushes over it.
        var isPusher = false
    }

    /// Who asks over a connection.
    struct Holder: Hashable, Sendable {
        /// The name of a token.
        let token: String
        /// The login of the page, where it is one.
        let login: Secret.Digest?
    }

    private struct State {
        var last = 0
        var entries: [Int: Entry] = [:]
        /// The numbers of the channels.
        var numbers: [ObjectIdentifier: Int] = [:]
    }

    let limits: ConnectionLimits
    let reports: CutReports
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits = ConnectionLimits(), tell: @escaping @Sendable (ConnectionCut) -> Void = { _ in })
    {
        self.limits = limits
        reports = CutReports(tell)
    }

    /// The place of one connection.
    struct Place: Sendable {
        let number: Int
        let peer: Peer
        let isForHealth: Bool
    }

    /// Takes a place, until the channel is closed; nil where there is none. `isWaiting`: its client has spoken and waits for us.
    func admit(_ channel: any Channel, of peer: Peer, isWaiting: Bool = false) -> Place? {
        let (place, victim) = state.withLock { state in
            guard let (isForHealth, victim) = self.choose(peer, state.entries) else {
                return (Place?.none, Entry?.none)
            }
            let yielding = victim.flatMap { state.entries.removeValue(forKey: $0) }
            state.last += 1
            state.entries[state.last] = Entry(
                peer: peer, channel: channel, isForHealth: isForHealth, yieldsFrom: .now(), isUnread: isWaiting)
            state.numbers[ObjectIdentifier(channel)] = state.last
            return (Place(number: state.last, peer: peer, isForHealth: isForHealth), yielding)
        }
        if let victim {
            reports.cut(victim.peer.name, nil, .crowded, on: victim.channel.eventLoop)
            victim.channel.close(promise: nil)
        }
        guard let place else {
            reports.cut(peer.name, nil, .refused, on: channel.eventLoop)
            return nil
        }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in
                state.entries[place.number] = nil
                if state.numbers[ObjectIdentifier(channel)] == place.number {
                    state.numbers[ObjectIdentifier(channel)] = nil
                }
            }
        }
        return place
    }

    /// Makes the place a live viewer's, until the channel is closed; false where there are as many as may be.
    func becomesViewer(_ place: Place) -> Bool {
        state.withLock { state in
            let viewers = state.entries.values.filter(\.isViewer)
            guard viewers.count < limits.viewersMost,
                viewers.count(where: { $0.peer.key == place.peer.key }) < limits.viewersOfPeerMost
            else { return false }
            state.entries[place.number]?.isViewer = true
            return true
        }
    }

    /// A camera pushes over it from now on, and leaves its place to others where there is one for it.
    func beginPushing(_ place: Place) {
        state.withLock { state in
            let pushers = state.entries.values.filter(\.isPusher)
            guard pushers.count < limits.pushersMost,
                pushers.count(where: { $0.peer.key == place.peer.key }) < limits.pushersOfPeerMost
            else { return }
            state.entries[place.number]?.isPusher = true
        }
    }

    /// It pushes no more; where it stays open it counts as any other.
    func endPushing(_ place: Place) { state.withLock { $0.entries[place.number]?.isPusher = false } }

    /// From `deadline` on the place may be given to another; nil while the client waits for us.
    func yields(_ place: Place, from deadline: NIODeadline?, isUnread: Bool = false) {
        state.withLock { state in
            state.entries[place.number]?.yieldsFrom = deadline
            state.entries[place.number]?.isUnread = isUnread
        }
    }

    /// The connection follows the journal from now on, and leaves its place to others; why not, where too many do.
    func beginFollowing(_ place: Place) -> FollowerPlace.Refusal? {
        state.withLock { state in
            let followers = state.entries.values.filter(\.isFollower)
            if followers.count >= limits.followersMost { return .most(limits.followersMost) }
            let own = followers.count { $0.peer.key == place.peer.key }
            if own >= limits.followersOfPeerMost { return .mostOfPeer(limits.followersOfPeerMost) }
            state.entries[place.number]?.isFollower = true
            return nil
        }
    }

    /// It follows no more; where it stays open it counts as any other.
    func endFollowing(_ place: Place) { state.withLock { $0.entries[place.number]?.isFollower = false } }

    /// Who asks over `channel`. Throws `unavailable` where the token has as many connections as one may have, from whatever
    /// addresses.
    func identify(_ channel: any Channel, as holder: Holder) throws(SiteError) {
        let isFree = state.withLock { state -> Bool in
            // In the tests there are channels that nobody admitted.
            guard let number = state.numbers[ObjectIdentifier(channel)], let entry = state.entries[number],
                entry.holder != holder
            else { return true }
            let others = state.entries.count { $0.key != number && $0.value.holder?.token == holder.token }
            guard others < limits.ofPeerMost else { return false }
            state.entries[number]?.holder = holder
            return true
        }
        guard isFree else {
            throw SiteError(
                .unavailable, what: "the request was not begun",
                why: "\(limits.ofPeerMost) connections of this token are open", remedy: "close those that are not used")
        }
    }

    /// Closes the connections of whoever has lost the right to them, a second later, so that the answer to the request that took
    /// it goes out. No request of theirs is answered meanwhile.
    func close(where hasEnded: @escaping @Sendable (Holder) -> Bool) {
        let ended = state.withLock { state in state.entries.filter { $0.value.holder.map(hasEnded) ?? false } }
        for (number, entry) in ended {
            entry.channel.eventLoop.scheduleTask(in: .seconds(1)) { [self] in
                // Somebody else may have logged in over it.
                let isStill = state.withLock { $0.entries[number]?.holder.map(hasEnded) ?? false }
                if isStill { entry.channel.close(promise: nil) }
            }
        }
    }

    /// Where a connection of `peer` gets its place, and whose place that is; nil where there is none at all.
    private func choose(_ peer: Peer, _ entries: [Int: Entry]) -> (isForHealth: Bool, victim: Int?)? {
        let ordinary = entries.filter { _, entry in
            !entry.isForHealth && !entry.isFollower && !entry.isViewer && !entry.isPusher
        }
        let counts = Dictionary(grouping: ordinary.values, by: \.peer.key).mapValues(\.count)
        if counts[peer.key, default: 0] >= limits.ofPeerMost {
            if let victim = Self.oldest(ordinary.filter { $0.value.peer.key == peer.key }) {
                return (false, victim)
            }
        } else if ordinary.count < limits.most {
            return (false, nil)
        } else {
            for key in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).map(\.key) {
                if let victim = Self.oldest(ordinary.filter { $0.value.peer.key == key }) {
                    return (false, victim)
                }
            }
        }
        let forHealth = entries.filter(\.value.isForHealth)
        if forHealth.count < limits.healthMost { return (true, nil) }
        return Self.oldest(forHealth).map { (true, $0) }
    }

    /// The one that has yielded longest; of those who have spoken and were not read yet only where there is no other.
    private static func oldest(_ entries: [Int: Entry]) -> Int? {
        let now = NIODeadline.now()
        return entries.filter { $0.value.yieldsFrom.map { $0 <= now } ?? false }.min { one, other in
            if one.value.isUnread != other.value.isUnread { return other.value.isUnread }
            let (first, second) = (one.value.yieldsFrom ?? now, other.value.yieldsFrom ?? now)
            return (first, one.key) < (second, other.key)
        }?.key
    }
}
