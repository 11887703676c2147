/// What following the chain of a whole trace has found. Made by reading every file once; blocking.
public struct TraceVerification: Sendable {
    /// One thing that is not as it was written.
    public struct Finding: Sendable, Hashable {
        /// What it is.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// A record is not the one that was written.
            case altered
            /// Records were taken out.
            case missing
            /// A record stands in another place than it was written.
            case outOfOrder
            /// A file ends within a record, or a power cut took its begin.
            case torn
            /// Whole files are gone.
            case fileMissing
            /// A file cannot be read.
            case unreadable
        }

        /// What it is.
        public let kind: Kind
        /// The name of the file.
        public let file: String
        /// The number of the record, the first of several; nil where no record is meant.
        public let record: UInt64?
        /// The camera of the record, or of the one behind what is missing, as it stands there.
        public let camera: String?
        /// The time of that record, milliseconds since 1970, as it stands there; else of the last one before it; where none is
        /// before it, of the first one behind.
        public internal(set) var wallMs: Int64?
        /// It in words, without file, camera and time.
        public let words: String
    }

    /// A torn end that a start of Vigil has cut off.
    public struct Cut: Sendable, Hashable {
        /// The name of the file in which that is told.
        public let file: String
        /// The record that tells it.
        public let record: UInt64
        /// How much was cut off, in bytes.
        public let bytes: Int64
        /// When, milliseconds since 1970.
        public let wallMs: Int64?
    }

    /// Most findings and cuts that are kept; more are counted.
    static let keptMax = 1_000

    /// What was found, in the order of the files.
    public internal(set) var findings: [Finding] = []
    /// How much was found beyond what is kept.
    public internal(set) var more = 0
    /// Torn ends that were cut off: no fault of the trace, which tells them itself.
    public internal(set) var cuts: [Cut] = []
    /// Steps that could not be kept when they were made, as the trace tells.
    public internal(set) var lost: UInt64 = 0
    /// Files that were read.
    public internal(set) var files = 0
    /// Records that fit.
    public internal(set) var records = 0
    /// Steps among them.
    public internal(set) var steps = 0
    /// What was read, in bytes.
    public internal(set) var bytes: Int64 = 0
    /// The numbers of the first and of the last record that fits; nil where none does.
    public internal(set) var numbers: ClosedRange<UInt64>?
    /// The digest of the last record that fits, 64 hexadecimal digits.
    public internal(set) var end: String?
    /// A daemon writes the newest file at present.
    public internal(set) var isBeingWritten = false

    /// Whether nothing was found.
    public var isWhole: Bool { findings.isEmpty }

    /// Verifies the trace in a folder.
    ///
    /// - Throws: ``TraceError/unreadable(path:errno:)``.
    public init(_ folder: TraceFolder) throws(TraceError) {
        let files = try folder.files()
        var verifier = Verifier()
        for file in files { verifier.take(file, in: folder, isNewest: file == files.last) }
        self = verifier.result
    }

    /// Nothing read.
    init() {}
}
