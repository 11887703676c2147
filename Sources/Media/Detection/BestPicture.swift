/// Chooses the picture for an event: of the key frames the one around which most moves, since a key frame can be decoded alone;
/// without any key frame the picture with most motion.
public struct BestPicture: Hashable, Sendable {
    /// The presentation time of the key frame with most motion; nil when there was no key frame.
    private(set) var keyPts: Int64?
    /// The presentation time of the picture with most motion; nil before the first observation.
    public private(set) var pts: Int64?
    private var keyAmount = -1.0
    private var amount = -1.0
    /// The key frame in progress, and whether its picture has been seen.
    private var openKey: Int64?

    /// Of nothing yet.
    public init() {}

    /// What to make a picture of: a time in ticks of 90 kHz; nil before the first observation.
    public var choice: Int64? { keyPts ?? pts }

    /// How much moves: the share of the picture, and a little for certainty, so that something small beats nothing.
    public static func amount(of observation: MotionObservation) -> Double {
        observation.level == nil ? 0 : observation.movingShare + observation.score / 1000
    }

    /// Takes an observation of the window, in order. The first one at or after a key frame stands for it.
    public mutating func take(_ observation: MotionObservation) {
        let moving = BestPicture.amount(of: observation)
        if moving > amount {
            amount = moving
            pts = observation.pts
        }
        guard let key = observation.keyPts, key != openKey else { return }
        openKey = key
        if moving > keyAmount {
            keyAmount = moving
            keyPts = key
        }
    }
}
