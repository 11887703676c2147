/// How one camera is watched.
public struct MotionConfiguration: Hashable, Sendable {
    /// How much is decoded.
    public enum Depth: Hashable, Sendable {
        /// Whatever is needed to look `rate` times a second, without a pause.
        case full
        /// The same, but once the lowest sensitivity notices motion in every zone, the rest of the group of pictures is left out: no
        /// observation comes until the next key frame. Only where these are at most 2.2 s apart.
        case steady
        /// Only key frames: 3 to 25 times cheaper, and sees only what lasts for several of them. For main streams on a weak machine.
        case keyFrames
    }

    /// How much is decoded.
    public var depth: Depth
    /// Zones and masks.
    public var zones: MotionZones
    /// The numbers of the model; `rate` among them.
    public var parameters: MotionParameters
    /// The most frames that may wait for a thread; with one more, everything up to the next key frame is dropped.
    public var waitingMax: Int
    /// The most bytes of memory (`Frame.cost`) that may wait: the frames stay in the ring's memory meanwhile.
    public var waitingBytesMax: Int
    /// How long a frame may wait for a thread, in milliseconds: what is noticed later than that is of little use to an event.
    var waitingMsMax: Int64

    /// The usual: five looks a second at the whole picture, two seconds of frames may wait.
    public init(
        depth: Depth = .steady, zones: MotionZones = MotionZones(), parameters: MotionParameters = MotionParameters(),
        waitingMax: Int = 100, waitingBytesMax: Int = 4 << 20, waitingMsMax: Int64 = 2_000
    ) {
        self.depth = depth
        self.zones = zones
        self.parameters = parameters
        self.waitingMax = max(1, waitingMax)
        self.waitingBytesMax = max(1, waitingBytesMax)
        self.waitingMsMax = max(1, waitingMsMax)
    }
}
