/// What detection has cost and what it has left out.
public struct MotionCost: Hashable, Sendable {
    /// Frames handed in.
    public var fed: UInt64 = 0
    /// Frames that were not decoded because it was certain already that something moves.
    public var rested: UInt64 = 0
    /// Frames given to the decoder.
    public var sent: UInt64 = 0
    /// Pictures that came out of it.
    public var decoded: UInt64 = 0
    /// Pictures that were looked at.
    public var observed: UInt64 = 0
    /// Frames that were never decoded because the detector could not keep up. The recording has them.
    public var dropped: UInt64 = 0
    /// How often it fell behind: each time everything up to the next key frame is dropped.
    public var overloads: UInt64 = 0
    /// Frames that the decoder refused, and pictures in a form that is not understood.
    public var undecodable: UInt64 = 0
    /// CPU time of decoding and of making pictures small, in nanoseconds.
    public var decodingNs: UInt64 = 0
    /// CPU time of the motion model and of the picture's conditions, in nanoseconds.
    public var detectionNs: UInt64 = 0
    /// The most frames that have waited.
    public var waitingMax = 0

    /// Nothing yet.
    public init() {}
}
