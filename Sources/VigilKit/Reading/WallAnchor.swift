internal import Wire

/// Where a moment of some media lies on the wall clock.
struct WallAnchor {
    private let mediaUs: Int64
    private let wallMs: Int64

    /// The decode time of `first` is at `wall`.
    init(_ first: Frame, at wall: WallTime) {
        mediaUs = Frame.microseconds(first.decodeTime, first.format.timescale)
        wallMs = wall.ms
    }

    /// When a frame of the same media is shown.
    func time(of frame: Frame) -> WallTime {
        let us = Frame.microseconds(frame.presentationTime, frame.format.timescale) &- mediaUs
        return WallTime(ms: wallMs &+ us / 1_000)
    }
}
