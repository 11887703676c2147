internal import Media
internal import Synchronization
internal import WebRTC

/// What a viewer of WebRTC says, on its way to a camera's loudspeaker; it leads nowhere while the viewer does not talk.
final class PeerVoice: Sendable {
    /// Whether the viewer of a session can be heard.
    enum Way: Sendable {
        /// It can.
        case open(PeerVoice)
        /// It cannot: why, and what to do.
        case closed(why: String, remedy: String)
    }

    private let channel = Mutex<BackChannel?>(nil)

    /// Leads to a loudspeaker, or nowhere.
    func lead(to channel: BackChannel?) { self.channel.withLock { $0 = channel } }

    /// Takes a packet; on the thread of WebRTC, which is not held up.
    func take(_ packet: HeardPacket) {
        guard let channel = channel.withLock({ $0 }) else { return }
        let coding: SpokenPacket.Coding =
            switch packet.coding {
            case .opus: .opus
            case .pcmu: .pcmu
            case .pcma: .pcma
            }
        channel.take(
            SpokenPacket(
                coding, sequence: packet.sequence, stamp: packet.stamp, source: packet.source,
                payload: Array(packet.payload)))
    }
}
