/// Something that a structure check noticed in a track file.
struct CMAFFinding: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    enum Severity: String, Hashable, Sendable {
        /// The file breaks the rules of a track file.
        case error
        /// Allowed, but worth knowing.
        case note
    }

    /// What was noticed.
    enum Kind: Hashable, Sendable {
        /// `ftyp` does not name the brand `cmfc`.
        case brand
        /// Not exactly one track, or samples in the header.
        case header(String)
        /// The codec configuration cannot be read.
        case configuration(String)
        /// mfhd does not count up by one.
        case sequence(expected: UInt32, found: UInt32?)
        /// A fragment has no `tfdt`.
        case noDecodeTime
        /// A fragment begins after the end of the one before, by so many ticks: a hole.
        case gap(ticks: UInt64)
        /// A fragment begins before the end of the one before, by so many ticks.
        case overlap(ticks: UInt64)
        /// A video fragment does not begin with a sync sample: a note if it continues the fragment before.
        case noSync
        /// default-base-is-moof is not set, or there is not exactly one track fragment.
        case addressing
        /// The samples do not fill their `mdat`.
        case unusedMedia(bytes: UInt64)
        /// A sample of size 0, or one whose NAL units do not fill it.
        case sample(number: Int)
        /// What follows is no whole fragment.
        case torn(bytes: UInt64, String)
    }

    /// How bad it is.
    let severity: Severity
    /// What was noticed.
    let kind: Kind
    /// The fragment, from 0; nil when the whole file is meant.
    let fragment: Int?

    /// One line.
    var description: String {
        let place = fragment.map { "fragment \($0 + 1): " } ?? ""
        let what =
            switch kind {
            case .brand: "not marked as CMAF (cmfc)"
            case .header(let problem): problem
            case .configuration(let problem): problem
            case .sequence(let expected, let found):
                "sequence number \(found.map(String.init) ?? "missing"), expected \(expected)"
            case .noDecodeTime: "no decode time"
            case .gap(let ticks): "a hole of \(ticks) ticks before it"
            case .overlap(let ticks): "begins \(ticks) ticks before the end of the one before"
            case .noSync: "does not begin with a key frame"
            case .addressing: "samples are not addressed from their own moof"
            case .unusedMedia(let bytes): "\(bytes) bytes of media belong to no sample"
            case .sample(let number): "sample \(number + 1) is damaged"
            case .torn(let bytes, let why): "\(bytes) bytes at the end are no whole fragment: \(why)"
            }
        return "\(severity.rawValue): \(place)\(what)"
    }
}
