internal import Catalog

/// What `vigil fsck` does: checks a storage root that no daemon works on.
public enum StorageCheck {
    /// What was found.
    public struct Answer: Sendable, Codable {
        /// One finding.
        public struct Finding: Sendable, Codable {
            /// `note`, `warning` or `error`.
            public let severity: String
            /// What kind of thing.
            public let kind: String
            /// The clip or file.
            public let subject: String
            /// What is wrong.
            public let words: String
            /// What to do about it.
            public let remedy: String
        }

        /// The storage root.
        public let root: String
        /// Whether nothing worse than a note was found.
        public let isClean: Bool
        /// Clips looked at.
        public let clips: Int
        /// Track files looked at; nil after a rebuild.
        public let files: Int?
        /// Their bytes; nil after a rebuild.
        public let bytes: Int64?
        /// What is wrong, the worst first.
        public let findings: [Finding]
        /// What was set right.
        public let repairs: [String]
    }

    /// Checks, and repairs where asked; blocking work runs on a thread of its own.
    ///
    /// - Throws: `DaemonFailure` when the root is in use, or cannot be read.
    public static func run(root: String, deep: Bool, repair: Bool) async throws -> Answer {
        try await attempt {
            let report = try Fsck.run(
                root: root, scanner: TrackScanning.scanner, verifier: TrackVerifying.verifier,
                options: Fsck.Options(deep: deep, repair: repair))
            return Answer(
                root: root, isClean: report.isClean, clips: report.clips, files: report.files, bytes: report.bytes,
                findings: report.findings.map { finding in
                    Answer.Finding(
                        severity: finding.severity.rawValue, kind: finding.kind.rawValue, subject: finding.subject,
                        words: finding.words, remedy: finding.remedy)
                },
                repairs: report.repairs)
        }
    }

    /// Makes the catalog anew from the clip files.
    ///
    /// - Throws: `DaemonFailure` when the root is in use, or cannot be written.
    public static func rebuild(root: String) async throws -> Answer {
        try await attempt {
            let report = try Catalog.rebuild(root: root, scanner: TrackScanning.scanner)
            return Answer(
                root: root, isClean: report.leftOut.isEmpty, clips: report.clips, files: nil, bytes: nil,
                findings: report.leftOut.map { file in
                    Answer.Finding(
                        severity: "warning", kind: "leftOut", subject: file.path, words: file.words,
                        remedy: "look at it; nothing is deleted of what is left out")
                },
                repairs: ["the catalog was made anew from the clip files"]
                    + report.broughtBack.map { "\($0) brought back from lost+found" }
                    + (report.keptAs.map { ["the damaged one is kept as \($0)"] } ?? []))
        }
    }

    private static func attempt(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        do { return try await Blocking.always(work) } catch { throw DaemonFailure("\(error)") }
    }
}
