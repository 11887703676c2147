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
        /// What a failed sync has given up: no later sync keeps it, unless it is written again.
        var dropped: Range<Int64>?
        /// The end of what a sync has claimed to keep.
        var claimed: Int64 = 0

        /// The same, all of it durable but for what was given up.
        var settled: File {
            File(bytes: bytes, durable: bytes, isNamed: isNamed, dropped: dropped, claimed: claimed)
        }
    }

    let root: String
    private var files: [String: File] = [:]
    /// Bytes of all clip files.
    private(set) var bytes: Int64 = 0
    /// Steps that failed.
    private(set) var failures = 0
    /// When those of the last minute did, by virtual time, and the most that a minute had.
    private var lately: [Int64] = []
    private(set) var failuresMax = 0
    /// How many may fail in a minute: what fails is tried again after a pause.
    static let failuresBound = 100
    /// Told when there were so many.
    var onHaste: () -> Void = {}

    /// Files of which a sync that lied has lost something, below the root; and their cameras.
    private(set) var lied: Set<String> = []
    /// Files that are being written, with their sizes before.
    private var inFlight: [String: Int64] = [:]
    /// Where files lie whose removal a power cut may undo.
    private let removed: RemovedFiles
    private let conditions: HostConditions

    init(root: String, conditions: HostConditions) {
        self.root = root
        self.conditions = conditions
        removed = RemovedFiles(root: root)
    }

    /// A step failed at a moment of virtual time.
    func hasFailed(at now: Int64) {
        failures += 1
        lately.removeAll { $0 < now - 60_000 }
        lately.append(now)
        failuresMax = max(failuresMax, lately.count)
        if lately.count == Self.failuresBound { onHaste() }
    }

    /// From now on what this thread removes is kept until its folder is synced.
    func keepRemoved() { removed.keep() }

    /// A step begins, in which the process may die.
    func begin(_ step: DiskStep, _ path: String) {
        guard step == .write else { return }
        for name in names(path) { if let file = files[name] { inFlight[name] = file.bytes } }
    }

    /// The step is over.
    func end(_ step: DiskStep, _ path: String) {
        guard step == .write else { return }
        for name in names(path) { inFlight[name] = nil }
    }

    /// Whether a failed sync has given up something of a clip's files.
    func hasDropped(_ stem: String) -> Bool { names(stem).contains { files[$0]?.dropped != nil } }

    /// A sync has claimed to keep the files of a clip, and keeps nothing.
    func lie(_ stem: String) {
        look(at: stem)
        for name in names(stem) { if let file = files[name] { files[name]?.claimed = file.bytes } }
    }

    /// A sync has failed: the kernel keeps the pages and forgets that they are not on the disk.
    func drop(_ stem: String) {
        look(at: stem)
        // The video is synced first, and the sound not after a failure.
        guard let name = names(stem).first(where: { files[$0].map { $0.bytes > $0.durable } ?? false }),
            let file = files[name]
        else { return }
        files[name]?.dropped = min(file.durable, file.dropped?.lowerBound ?? .max)..<file.bytes
        conditions.strikes(.dropped)
    }

    /// Notes the sizes that a step has left, whether it failed or not.
    func look(at path: String, after step: DiskStep) {
        switch step {
        case .createFile, .write, .syncFile, .finishFile: look(at: path)
        case .makeFolder, .syncFolder, .insertRow, .closeRow, .event, .delete, .recover, .heartbeat, .subscription,
            .upload:
            break
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
        case .write:
            // After a failed sync nothing is appended: it is what was given up, written again.
            for name in names(path) { isWrittenAgain(name) }
        case .syncFolder:
            for name in (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + path)) ?? [] {
                let file = path + "/" + name
                files[file, default: File()].isNamed = true
            }
        case .delete:
            if ["synced", "finished", "empty"].contains(path) {
                removed.forget()
                forgetDeleted()
            }
        case .recover:
            if ["synced", "finished"].contains(path) { removed.forget() }
            if path.hasPrefix("rewritten ") { isWrittenAgain(String(path.dropFirst("rewritten ".count))) }
            // What recovery closes it has made durable first.
            if path == "closed" { files = files.mapValues { $0.settled } }
            forgetDeleted()
        case .makeFolder, .createFile, .insertRow, .closeRow, .event, .heartbeat, .subscription, .upload: break
        }
    }

    /// What a failed sync had given up of a file is in the cache to be synced again.
    private func isWrittenAgain(_ name: String) {
        guard var file = files[name], let dropped = file.dropped else { return }
        file.durable = min(file.durable, dropped.lowerBound)
        file.dropped = nil
        files[name] = file
    }

    private func names(_ stem: String) -> [String] { [stem + ".cmfv", stem + ".cmfa"] }

    private func look(at stem: String) {
        for name in names(stem) {
            guard let size = Self.size(root + "/" + name) else { continue }
            bytes += size - (files[name]?.bytes ?? 0)
            files[name, default: File()].bytes = size
        }
    }

    /// Forgets the files that are not there any more.
    func forgetDeleted() {
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
    /// not made durable is there in part, or not at all, and what was removed may be there again.
    func survive(powerCut: Bool, in target: String, random: inout SeededGenerator) throws -> FileLedger {
        try FileManager.default.copyItem(atPath: root, toPath: target)
        let next = FileLedger(root: target, conditions: conditions)
        next.lied = lied
        for name in files.keys.sorted() {
            guard var file = files[name], let size = Self.size(target + "/" + name) else { continue }
            file.bytes = size
            let path = target + "/" + name
            if !powerCut, let before = inFlight[name], before < size {
                file.bytes = random.number(before...size)
                if file.bytes < size { conditions.strikes(.torn) }
                truncate(path, Int(file.bytes))
            }
            if powerCut {
                if !file.isNamed, random.chance(50) {
                    unlink(path)
                    continue
                }
                let lost = try cut(path, &file, &random)
                if lost.contains(where: { $0 < file.claimed }) {
                    next.lied.insert(name)
                    conditions.strikes(.lie)
                }
                file = File(bytes: file.bytes, durable: file.bytes, isNamed: true)
            }
            next.files[name] = file
            next.bytes += file.bytes
        }
        if powerCut {
            for name in try removed.comeBack(in: target, &random) {
                conditions.strikes(.undone)
                let size = Self.size(target + "/" + name) ?? 0
                next.files[name] = File(bytes: size, durable: size, isNamed: true)
                next.bytes += size
            }
        }
        return next
    }

    /// What a power cut does to a file; gives where it has lost bytes.
    private func cut(_ path: String, _ file: inout File, _ random: inout SeededGenerator) throws -> [Int64] {
        var lost: [Range<Int64>] = []
        let size = file.bytes
        if size > file.durable {
            switch random.number(0...99) {
            case 0..<30: file.bytes = file.durable
            case 30..<60: file.bytes = random.number(file.durable...size)
            default:
                lost = blocks(file.durable..<size).filter { _ in random.chance(50) }
                if let hole = lost.first, hole.upperBound < size, lost.count < blocks(file.durable..<size).count {
                    conditions.strikes(.reorder)
                }
            }
        }
        if let dropped = file.dropped { lost.append(dropped.clamped(to: 0..<file.bytes)) }
        let handle = FileHandle(forWritingAtPath: path)
        for range in lost where !range.isEmpty {
            try handle?.seek(toOffset: UInt64(range.lowerBound))
            try handle?.write(contentsOf: Data(count: range.count))
        }
        try handle?.close()
        truncate(path, Int(file.bytes))
        return lost.filter { !$0.isEmpty }.map(\.lowerBound) + (file.bytes < size ? [file.bytes] : [])
    }

    /// The blocks of 512 bytes in a part of a file; the first and the last may be shorter.
    private func blocks(_ range: Range<Int64>) -> [Range<Int64>] {
        stride(from: range.lowerBound / 512 * 512, to: range.upperBound, by: 512).map {
            ($0..<$0 + 512).clamped(to: range)
        }
    }
}
