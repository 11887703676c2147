/// One thing that a check found.
public struct Finding: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
        /// Worth knowing; nothing is lost or wrong.
        case note
        /// Something is unfinished or untidy; a repair sets it right without loss.
        case warning
        /// The catalog promises what is not there.
        case error
    }

    /// What kind of thing.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The database is damaged.
        case corrupt
        /// The schema is not the expected one.
        case schema
        /// A clip was left open.
        case openClip
        /// A deletion was left unfinished.
        case unfinishedDeletion
        /// An event was left active.
        case activeEvent
        /// A row's file does not exist.
        case missingFile
        /// A file's size is not the one recorded.
        case wrongSize
        /// A file below `clips/` that no row claims.
        case unclaimedFile
        /// What lies below `clips/` and is no plain file.
        case strangeFile
        /// A closed clip without tracks.
        case noTracks
        /// A clip does not begin where the clip that it continues ends.
        case brokenChain
        /// Two clips of one camera hold the same moment.
        case overlap
        /// The totals are not those of the rows.
        case wrongTotals
        /// A job of the upload queue waits for the end of a clip that nobody writes.
        case strayUpload
        /// The fragment index is not what the file holds.
        case wrongIndex
        /// A track file cannot be read.
        case unreadable
    }

    /// How bad it is.
    public let severity: Severity
    /// What kind of thing.
    public let kind: Kind
    /// The clip, file or table that it is about.
    public let subject: String
    /// What is wrong, in words.
    public let words: String
    /// What the operator can do.
    public let remedy: String
}
