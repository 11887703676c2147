/// Which profiles of a device become the main stream and the sub-stream of a camera: by what their pictures are, not by their names
/// or their order.
package struct StreamChoice: Hashable, Sendable {
    /// The size near to which a sub-stream is looked for: what the detector and a wall of many cameras need.
    static let subPixels = 640 * 360

    /// The token of the sensor or channel that it is about; nil where none is told.
    package let videoSource: String?
    /// The stream that is recorded.
    package let main: MediaProfile
    /// The stream that is looked at; nil where the device has none that is smaller than the main stream.
    package let sub: MediaProfile?

    /// One choice for each sensor or channel, in the order of the profiles; none for what has no picture that Vigil records.
    ///
    /// The main stream is the one with most pixels, then most frames, then most bits; the sub-stream is the smaller one whose size is
    /// nearest to 640 by 360, then in H.264, which every browser plays. What still is alike is taken in the device's order.
    package static func of(_ profiles: [MediaProfile]) -> [StreamChoice] {
        var sources: [String?] = []
        for profile in profiles where profile.isRecorded && !sources.contains(profile.videoSource) {
            sources.append(profile.videoSource)
        }
        return sources.compactMap { source in
            of(source, profiles.filter { $0.isRecorded && $0.videoSource == source })
        }
    }

    private static func of(_ source: String?, _ profiles: [MediaProfile]) -> StreamChoice? {
        guard let main = best(profiles, by: { [Double($0.pixels ?? 0), $0.frameRate ?? 0, Double($0.bitRate ?? 0)] })
        else {
            return nil
        }
        let smaller = profiles.filter { profile in
            guard let pixels = profile.pixels, let most = main.pixels else { return false }
            return pixels < most
        }
        let sub = best(smaller) { profile in
            let ratio = Double(profile.pixels ?? 0) / Double(subPixels)
            return [-max(ratio, 1 / ratio), profile.encoding == "H264" ? 1 : 0]
        }
        return StreamChoice(videoSource: source, main: main, sub: sub)
    }

    /// The first of those whose figures are the greatest, the first figure counting most.
    private static func best(_ profiles: [MediaProfile], by figures: (MediaProfile) -> [Double]) -> MediaProfile? {
        var (best, most) = (MediaProfile?.none, [Double]())
        for profile in profiles {
            let these = figures(profile)
            if best == nil || most.lexicographicallyPrecedes(these) { (best, most) = (profile, these) }
        }
        return best
    }
}
