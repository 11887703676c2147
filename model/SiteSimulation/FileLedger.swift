internal import Daemon
internal import Foundation
internal import RandomSource

/// What of the clip files under the root would outlive a power cut, and how much room they take.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class FileLedger: @unchecked Sendable {
    private struct File {
        /// Bytes at the last look.
        var bytes: Int64 = 0
        /// Bytes that were made durable.
        var durable: Int64 = 0
        /// Whether its name is durable.
        var isNamed = false

        /// The same, all of it durable.
        var settled: File { File(bytes: bytes, durable: bytes, isNamed: isNamed) }
    }

    let root: String
    private var files: [String: File] = [:]
    /// Bytes of all clip files.
    private(set) var bytes: Int64 = 0
    /// Steps that failed, by their name.
    private(set) var failures = 0

    init(root: String) { self.root = root }

    func hasFailed(_ step: DiskStep) { failures += 1 }

    /// Notes the sizes that a step has left, whether it failed or not.
    func look(at path: String, after step: DiskStep) {
        switch step {
        case .createFile, .write, .syncFile, .finishFile: look(at: path)
        case .makeFolder, .syncFolder, .insertRow, .closeRow, .event, .delete, .recover, .heartbeat: break
        }
    }

    /// Notes what a step has made durable, or removed.
    func did(_ step: DiskStep, _ path: String) {
        switch step {
        case .syncFile, .finishFile:
            look(at: path)
            for name in names(path) {
                if let size = files[name]?.bytes { files[name]?.durable = size }
            }
        case .syncFolder:
            for name in (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + path)) ?? [] {
                let file = path + "/" + name
                files[file, default: File()].isNamed = true
            }
        case .delete: if path == "synced" { forgetDeleted() }
        case .recover:
            // What recovery closes it has made durable first.
            if path == "closed" { files = files.mapValues { $0.settled } }
            forgetDeleted()
        case .makeFolder, .createFile, .write, .insertRow, .closeRow, .event, .heartbeat: break
        }
    }

    private func names(_ stem: String) -> [String] { [stem + ".cmfv", stem + ".cmfa"] }

    private func look(at stem: String) {
        for name in names(stem) {
            guard let size = Self.size(root + "/" + name) else { continue }
            bytes += size - (files[name]?.bytes ?? 0)
            files[name, default: File()].bytes = size
        }
    }

    private func forgetDeleted() {
        for name in files.keys.sorted() where Self.size(root + "/" + name) == nil {
            bytes -= files.removeValue(forKey: name)?.bytes ?? 0
        }
    }

    private static func size(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int64(status.st_size)
    }

    /// Makes a copy of the root as it would be after a death of the process, or of the machine (`powerCut`): then what was
    /// not made durable is there in part, or not at all.
    func survive(powerCut: Bool, in target: String, random: inout SeededGenerator) throws -> FileLedger {
        try FileManager.default.copyItem(atPath: root, toPath: target)
        let next = FileLedger(root: target)
        for name in files.keys.sorted() {
            guard let file = files[name], let size = Self.size(target + "/" + name) else { continue }
            var kept = file
            kept.bytes = size
            if powerCut {
                if !file.isNamed, random.chance(50) {
                    unlink(target + "/" + name)
                    continue
                }
                if size > file.durable {
                    kept.bytes = random.chance(30) ? file.durable : random.number(file.durable...size)
                    truncate(target + "/" + name, Int(kept.bytes))
                }
                kept.durable = kept.bytes
                kept.isNamed = true
            }
            next.files[name] = kept
            next.bytes += kept.bytes
        }
        return next
    }
}
