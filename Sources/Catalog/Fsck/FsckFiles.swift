import Foundation
import GRDB
import Machines

/// The part of a check that compares rows with files.
struct FsckFiles {
    let catalog: Catalog
    /// Given for a deep check.
    let scanner: ContentsScanner?
    /// Compares by the index, which says where a difference lies; without it the scans are compared.
    let verifier: TrackVerifier?

    func check(_ report: inout FsckReport) throws {
        var seenFolders: Set<String> = []
        let oldestMs = try catalog.oldestKnownWallMs()
        try ClipFolders(root: catalog.root).walk { folder, entries in
            let claims = try catalog.claims(in: folder)
            seenFolders.insert(folder)
            try compare(folder, entries, claims, oldestMs: oldestMs, &report)
        } unreadable: { folder, error in
            report.findings.append(
                Finding(
                    severity: .error, kind: .unreadable, subject: folder,
                    words: "cannot be looked through: \(error.reason)", remedy: error.hint))
        }
        try findLost(outside: seenFolders, &report)
    }

    private func compare(
        _ folder: String, _ entries: [StorageRoot.Entry], _ claims: [String: Claim], oldestMs: Int64?,
        _ report: inout FsckReport
    ) throws {
        var claims = claims
        for entry in entries {
            guard let name = entry.name, let status = entry.status, status.isFile else {
                report.findings.append(strange(entry.name.map { folder + "/" + $0 } ?? folder))
                continue
            }
            let path = folder + "/" + name
            guard let claim = claims.removeValue(forKey: path) else {
                report.findings.append(unclaimed(path, bytes: status.bytes, oldestMs: oldestMs))
                continue
            }
            // It is told with those that the walk does not meet.
            if ClipPaths(parsing: path) == nil { continue }
            report.files += 1
            report.bytes = report.bytes.addingClamped(status.bytes)
            guard claim.state == .closed else { continue }
            if claim.bytes != status.bytes {
                report.findings.append(wrongSize(path, claim, bytes: status.bytes))
            } else if let scanner {
                try compareIndex(path, claim, scanner, &report)
            }
        }
        for (path, claim) in claims.sorted(by: { $0.key < $1.key }) where ClipPaths(parsing: path) != nil {
            lost(path, claim.state, &report)
        }
    }

    private func compareIndex(
        _ path: String, _ claim: Claim, _ scanner: ContentsScanner, _ report: inout FsckReport
    ) throws {
        let stored = try catalog.fragmentIndex(of: claim.clip, ordinal: claim.ordinal)
        var difference = ""
        if let stored, let verifier {
            do { return try verifier(catalog.root.path, path, stored) } catch { difference = ": \(error)" }
        }
        do {
            let scanned = try scanner(catalog.root.absolute(path), false)
            guard scanned.bytes != claim.bytes || scanned.index != stored else { return }
            report.findings.append(
                Finding(
                    severity: .error, kind: .wrongIndex, subject: path,
                    words: "the fragment index of clip \(claim.clip) is not what the file holds\(difference)",
                    remedy: "run `vigil fsck --deep --repair`: the index is made anew from the file"))
        } catch {
            report.findings.append(
                Finding(
                    severity: .error, kind: .unreadable, subject: path, words: "cannot be read: \(error)",
                    remedy: "look at the kernel log for the device; the file is kept"))
        }
    }

    /// The rows that the walk has not met, for their folder does not exist, or no clip file can have their path.
    private func findLost(outside folders: Set<String>, _ report: inout FsckReport) throws {
        let lost = try catalog.read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT t.path, c.state FROM track t JOIN clip c ON c.id = t.clip ORDER BY t.path")
            var lost: [(String, Clip.State)] = []
            while let row = try rows.next() {
                let path = try row.value(0) as String
                if let paths = ClipPaths(parsing: path), folders.contains(paths.folder) { continue }
                lost.append((path, try ClipRows.word(row, 1)))
            }
            return lost
        }
        for (path, state) in lost { self.lost(path, state, &report) }
    }

    /// A row without its file. While it is being deleted that is as it should be.
    private func lost(_ path: String, _ state: Clip.State, _ report: inout FsckReport) {
        if state == .deleting { return }
        let isPossible = ClipPaths(parsing: path) != nil
        report.findings.append(
            Finding(
                severity: .error, kind: .missingFile, subject: path,
                words: isPossible ? "the file does not exist" : "no clip file can have this path",
                remedy: (isPossible ? "bring the file back, or " : "")
                    + "run `vigil fsck --repair`: the loss goes into the ledger"))
    }

    /// `oldestMs`: when the first clip began that the catalog knows of, UTC epoch milliseconds; nil where it knows of none.
    private func unclaimed(_ path: String, bytes: Int64, oldestMs: Int64?) -> Finding {
        let isOlder = ClipPaths(parsing: path).map { $0.startWallMs < oldestMs ?? .max } ?? (oldestMs == nil)
        return Finding(
            severity: .warning, kind: .unclaimedFile, subject: path, words: "\(bytes) bytes that no row claims",
            remedy: isOlder
                ? "run `vigil fsck --rebuild`: it is older than all that the catalog knows"
                : "run `vigil fsck --repair`: it moves to \(Recovery.lostAndFound)")
    }

    private func strange(_ path: String) -> Finding {
        Finding(
            severity: .warning, kind: .strangeFile, subject: path, words: "not a plain file, or its name is not UTF-8",
            remedy: "move it out of the storage root by hand")
    }

    private func wrongSize(_ path: String, _ claim: Claim, bytes: Int64) -> Finding {
        Finding(
            severity: .error, kind: .wrongSize, subject: path,
            words: "has \(bytes) bytes, clip \(claim.clip) says \(claim.bytes)",
            remedy: "run `vigil fsck --repair`: the row is made anew from the file")
    }
}
