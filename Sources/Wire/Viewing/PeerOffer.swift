/// The body of `POST /v1/cameras/{camera}/webrtc`: a viewer of WebRTC offers to take the live picture.
public struct PeerOffer: Hashable, Sendable, Codable {
    /// The session description (RFC 8866) of the viewer, at most 64 KiB.
    public var offer: String
    /// Which stream; absent: the main stream while the network of the viewer carries it, else the sub-stream.
    public var stream: LiveStream?

    /// An offer.
    public init(offer: String, stream: LiveStream? = nil) { (self.offer, self.stream) = (offer, stream) }
}

/// The answer to it.
public struct PeerAnswer: Hashable, Sendable, Codable {
    /// The session description that answers the offer. It holds a secret: whoever has it can take the viewer's place.
    public var answer: String
    /// The session, which is extended and ended by its id.
    public var session: String
    /// How the sound is coded: `PCMU`, `PCMA` or `opus`; absent where none is sent.
    public var sound: String?
    /// How long the picture is shown unless the session is extended, in milliseconds; absent while nothing limits it.
    public var durationMs: Int64?
    /// Whether who looks on can speak through the camera's loudspeaker, once talk-back is on in the session; absent from daemons
    /// that know none.
    public var talk: Bool?

    /// An answer.
    public init(answer: String, session: String, sound: String? = nil, durationMs: Int64? = nil, talk: Bool? = nil) {
        (self.answer, self.session, self.sound, self.durationMs) = (answer, session, sound, durationMs)
        self.talk = talk
    }
}
