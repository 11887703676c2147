internal import Machines

extension Uploads {
    /// How far a job in hand is.
    struct Progress: Sendable {
        /// The phase of its machine.
        let phase: Upload.Phase
        /// Bytes of media that the store has.
        let sentBytes: Int64
        /// What it waits for, or why the last try failed, in words.
        let failure: String?
        /// How much is encoded, 0 to 1000; nil where no encoder works for it.
        let encodedPerMille: Int?

        init(_ work: UploadWork) {
            (phase, sentBytes, failure) = (work.machine.state.phase, work.sentBytes, work.failure)
            encodedPerMille = work.encoding?.perMille ?? (work.isAtEncoder ? work.remotePerMille : nil)
        }
    }
}

/// How the store stands, for lists.
struct StoreView: Sendable {
    /// Its name; nil where none is configured or can be spoken to.
    let name: String?
    /// Why nothing is sent, in words; nil where nothing is in the way.
    let problem: String?
    /// Jobs at work.
    let transfers: Int
}
