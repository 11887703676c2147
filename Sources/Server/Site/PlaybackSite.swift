public import Machines

/// What was recorded, to be played. `by` is who looks, `session` their viewer's session where they have one.
public protocol PlaybackSite: Sendable {
    /// A track file of a clip, closed or still written, as far as its index goes. `notFound` where the clip is gone or has no
    /// such track, `conflict` while nothing of it is written, `unavailable` where too much is played already. `shift`: by how
    /// many ticks its times are later than in the file.
    func track(
        clip: Int64, kind: TrackKind, shift: UInt64, session: String?, by caller: Caller
    ) async throws -> ServedMedia
    /// A playlist of what `request` asks for. `notFound` where nothing of it was recorded, `tooLarge` where it is too long.
    func playlist(_ request: PlayRequest, _ form: PlaylistForm, by caller: Caller) async throws -> [UInt8]
    /// The days of a month in which `camera` recorded or noticed anything, in order.
    func days(camera: String, month: CalendarMonth) async throws -> [DayInfo]
    /// A JPEG of the very frame that `camera` shows at a moment, with the time of that frame. `notFound` where nothing was
    /// recorded then, `conflict` where it is not written yet, `tooLarge` where decoding up to it would take too long.
    func picture(
        camera: String, at moment: WallTime, _ wish: PictureWish, session: String?, by caller: Caller
    ) async throws -> (jpeg: [UInt8], at: WallTime)
    /// Small pictures of the hour of a moment (of UTC). `notFound` where there are none.
    func thumbnails(
        camera: String, hour: WallTime, session: String?, by caller: Caller
    ) async throws -> ThumbnailStrip
    /// One movie of what `request` asks for, holes closed up. As `playlist`.
    func movie(_ request: PlayRequest, by caller: Caller) async throws -> ServedMedia
}
