internal import CFaults
internal import Foundation
internal import RandomSource

/// Files that were removed, until the removal of their names is durable: a folder of links beside the root.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class RemovedFiles: @unchecked Sendable {
    private let root: String
    private let folder: String
    private var descriptor: Int32 = -1

    init(root: String) {
        self.root = root
        folder = root + ".removed"
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// From now on what this thread removes is kept.
    func keep() {
        if descriptor < 0 {
            mkdir(folder, 0o700)
            descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        vigil_keep_removed(descriptor)
    }

    /// What was removed so far is gone for good.
    func forget() { for name in names { unlink(folder + "/" + name) } }

    /// Puts some of the files back below `target`, a copy of the root; gives their paths below it.
    func comeBack(in target: String, _ random: inout SeededGenerator) throws -> [String] {
        var back: [String] = []
        for name in names where random.chance(70) {
            let path = name.replacingOccurrences(of: "%", with: "/")
            guard path.hasPrefix(root + "/") else { continue }
            let relative = String(path.dropFirst(root.count + 1))
            let place = target + "/" + relative
            guard !FileManager.default.fileExists(atPath: place) else { continue }
            try FileManager.default.createDirectory(
                atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: place)
            if relative.hasPrefix("clips/") { back.append(relative) }
        }
        return back
    }

    private var names: [String] {
        guard descriptor >= 0 else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}
