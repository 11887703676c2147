internal import Media
internal import Server

extension SiteError {
    /// What cannot be read: damaged here, or not to be had from the cloud now.
    ///
    /// - Parameters:
    ///   - what: what was asked for.
    ///   - why: what cannot be read, a sentence that goes on with a colon.
    ///   - more: what else helps where it is damaged.
    static func unread(_ what: String, _ why: String, _ error: any Error, or more: String? = nil) -> SiteError {
        if case .elsewhere(let words)? = (error as? TrackFileError)?.cause {
            return SiteError(
                .unavailable, what: what, why: "\(why): \(words)",
                remedy: "ask again later; `vigil cloud status` says whether the store answers")
        }
        let fsck = "`vigil fsck --deep` says what is damaged"
        return SiteError(
            .failed, what: what, why: "\(why): \(error)", remedy: more.map { "\(fsck); \($0)" } ?? fsck)
    }
}
