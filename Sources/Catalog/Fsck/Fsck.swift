import Foundation
import GRDB

/// What a check found.
public struct FsckReport: Sendable {
    /// Everything found, the worst first.
    public internal(set) var findings: [Finding] = []
    /// Clips looked at.
    public internal(set) var clips = 0
    /// Track files looked at.
    public internal(set) var files = 0
    /// Their bytes.
    public internal(set) var bytes: Int64 = 0
    /// What a repair did, in words; empty for a mere check.
    public internal(set) var repairs: [String] = []

    /// Whether nothing worse than a note was found.
    public var isClean: Bool { !findings.contains { $0.severity != .note } }
}

/// Checks a storage root that no daemon works on. Changes nothing unless asked to repair. Blocking.
public struct Fsck: Sendable {
    /// What to check, and whether to repair.
    public struct Options: Hashable, Sendable {
        /// Read every track file and compare its fragment index.
        public var deep: Bool
        /// Set right what can be set right, then check again.
        public var repair: Bool

        /// A quick check that changes nothing, unless said otherwise.
        public init(deep: Bool = false, repair: Bool = false) {
            self.deep = deep
            self.repair = repair
        }
    }

    /// Checks a root.
    ///
    /// - Returns: what was found; after a repair, what is left.
    /// - Throws: `CatalogError` `locked` if a daemon works on the root, `unreachable` if there is no catalog, and
    ///   whatever keeps the check from being carried out. A damaged database is a finding, not an error.
    public static func run(
        root: String, scanner: @escaping ContentsScanner, verifier: TrackVerifier? = nil, options: Options = Options()
    ) throws -> FsckReport {
        let folder = try StorageRoot(path: root, create: false)
        guard try folder.status(Catalog.fileName) != nil else {
            throw CatalogError(.check, path: folder.absolute(Catalog.fileName), cause: .unreachable("no catalog"))
        }
        let lock = try RootLock(root: root)
        // A catalog that is only read may work with what would keep the daemon from opening it.
        let strange = CatalogError.strangeNames(beside: folder.absolute(Catalog.fileName))
        guard strange.isEmpty else {
            var report = FsckReport()
            report.findings = strange.map { inPlace(String($0.dropFirst(folder.absolute("").count))) }
            return report
        }
        do {
            guard options.repair else {
                let catalog = try Catalog(folder: folder, lock: lock, mode: .readOnly)
                return try check(catalog, scanner, verifier, deep: options.deep)
            }
            let catalog = try Catalog(folder: folder, lock: lock, mode: .exclusive)
            let before = try check(catalog, scanner, verifier, deep: options.deep)
            if before.findings.contains(where: { $0.kind == .corrupt || $0.kind == .schema }) { return before }
            let repairs = try FsckRepair(catalog: catalog, scanner: scanner).run(before.findings)
            var after = try check(catalog, scanner, verifier, deep: options.deep)
            after.repairs = repairs
            return after
        } catch let error as CatalogError where error.isCorruption {
            var report = FsckReport()
            report.findings = [damage(error.reason)]
            return report
        }
    }

    private static func inPlace(_ name: String) -> Finding {
        Finding(
            severity: .error, kind: .strangeFile, subject: name,
            words: "not a plain file, so the daemon does not start",
            remedy: "move it out of the storage root by hand, and check again")
    }

    static func damage(_ words: String) -> Finding {
        Finding(
            severity: .error, kind: .corrupt, subject: Catalog.fileName, words: words,
            remedy: "run `vigil fsck --rebuild`: the damaged database is kept beside the new one")
    }

    private static func check(
        _ catalog: Catalog, _ scanner: @escaping ContentsScanner, _ verifier: TrackVerifier?, deep: Bool
    ) throws -> FsckReport {
        var report = FsckReport()
        let words = try catalog.read { db in try String.fetchAll(db, sql: "PRAGMA quick_check(20)") }
        if words != ["ok"] {
            report.findings = words.map(damage)
            return report
        }
        for difference in try catalog.read(Schema.differences) {
            report.findings.append(
                Finding(
                    severity: .error, kind: .schema, subject: Catalog.fileName, words: difference,
                    remedy: "restore the catalog from a backup, or run `vigil fsck --rebuild`"))
        }
        guard report.findings.isEmpty else { return report }
        report.findings += try catalog.read(FsckRows.findings)
        report.clips = try catalog.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM clip") ?? 0 }
        try FsckFiles(catalog: catalog, scanner: deep ? scanner : nil, verifier: verifier).check(&report)
        return sorted(report)
    }

    private static func sorted(_ report: FsckReport) -> FsckReport {
        var report = report
        report.findings = report.findings.enumerated().sorted {
            (-rank($0.element.severity), $0.offset) < (-rank($1.element.severity), $1.offset)
        }.map(\.element)
        return report
    }

    private static func rank(_ severity: Finding.Severity) -> Int {
        switch severity {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}
