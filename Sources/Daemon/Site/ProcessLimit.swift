internal import Glibc

/// Something of which the process may have so much, by the kernel's word.
enum ProcessLimit: String, Hashable, Sendable, CaseIterable {
    /// Memory that cannot be given back without a loss, against the control group's limit.
    case memory
    /// Threads, against the control group's limit.
    case tasks
    /// Open descriptors, against the process's own limit.
    case files

    /// How much is used, and how much may be; nil where there is no limit, or nobody tells.
    struct Use: Hashable, Sendable {
        let used: Int
        let limit: Int
    }

    /// What holds for this process now. Reads some lines of /proc and /sys; does not wait for any disk.
    ///
    /// - Parameter root: where the kernel's file systems are mounted.
    static func present(root: String = "/") -> [ProcessLimit: Use] {
        var uses: [ProcessLimit: Use] = [:]
        let groups = ControlGroups(root: root)
        uses[.memory] = groups.memory
        uses[.tasks] = groups.tasks
        var files = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0, files.rlim_cur < rlim_t(Int.max),
            let open = KernelFile.count(in: "/proc/self/fd")
        {
            uses[.files] = Use(used: open, limit: Int(files.rlim_cur))
        }
        return uses
    }
}

/// The control groups that a process is in, of version 2 and of version 1 (cgroups(7)).
///
/// A group's limit holds for all processes in it and in the groups below it, so its use is read where the limit stands. In a container
/// the process's own group is often the root of what it sees.
struct ControlGroups {
    private let root: String
    /// The path of the group by its controller; the empty name is version 2.
    private let paths: [Substring: Substring]

    init(root: String) {
        self.root = root.hasSuffix("/") ? root : root + "/"
        let text = KernelFile.text(self.root + "proc/self/cgroup") ?? ""
        var paths: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            // Hierarchy, controllers, path; the path may have colons.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            for controller in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
                paths[controller] = parts[2]
            }
        }
        self.paths = paths
    }

    /// Of the groups with a limit of memory the one that is nearest to it: what nobody can take back from its processes.
    var memory: ProcessLimit.Use? {
        let unified = uses("", "memory.max") { group in
            // What files have in the kernel's cache is taken back before anything is refused.
            let stat = numbers(of: group + "memory.stat")
            return stat["anon"].map {
                $0 + (stat["shmem"] ?? 0) + max(0, (stat["kernel"] ?? 0) - (stat["slab_reclaimable"] ?? 0))
            }
        }
        let version1 = uses("memory", "memory.limit_in_bytes") { group in
            let stat = numbers(of: group + "memory.stat")
            // The kernel's own memory counts against the same limit; what of it can be taken back is not told.
            let kernel = number(at: group + "memory.kmem.usage_in_bytes") ?? 0
            return stat["total_rss"].map { $0 + (stat["total_shmem"] ?? 0) + kernel }
        }
        return nearest(unified + version1)
    }

    /// Of the groups with a limit of tasks the one that is nearest to it.
    var tasks: ProcessLimit.Use? {
        let current: (String) -> Int? = { number(at: $0 + "pids.current") }
        return nearest(uses("", "pids.max", current) + uses("pids", "pids.max", current))
    }

    /// What is used of each limit of that name, in the group of the process and in those around it.
    private func uses(_ controller: Substring, _ name: String, _ used: (String) -> Int?) -> [ProcessLimit.Use] {
        guard let path = paths[controller] else { return [] }
        let mount = root + (controller.isEmpty ? "sys/fs/cgroup/" : "sys/fs/cgroup/\(controller)/")
        var parts = path.split(separator: "/")
        var uses: [ProcessLimit.Use] = []
        while true {
            let group = mount + parts.map { $0 + "/" }.joined()
            // Version 1 says "no limit" with a number that no machine has.
            if let limit = number(at: group + name), limit < 1 << 60, let used = used(group) {
                uses.append(ProcessLimit.Use(used: used, limit: limit))
            }
            guard parts.popLast() != nil else { return uses }
        }
    }

    private func nearest(_ uses: [ProcessLimit.Use]) -> ProcessLimit.Use? {
        uses.max { ($0.percent, $1.limit) < ($1.percent, $0.limit) }
    }

    private func number(at path: String) -> Int? {
        KernelFile.text(path).flatMap { Int($0.utf8.last == UInt8(ascii: "\n") ? $0.dropLast() : $0[...]) }
    }

    /// The numbers of a file with a name and a number a line.
    private func numbers(of path: String) -> [Substring: Int] {
        var numbers: [Substring: Int] = [:]
        for line in (KernelFile.text(path) ?? "").split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 2 { numbers[parts[0]] = Int(parts[1]) }
        }
        return numbers
    }
}

extension ProcessLimit.Use {
    /// How much of the limit is used, in percent; 100 where it is passed.
    var percent: Int {
        limit <= 0 || used >= limit ? 100 : Int(Double(max(0, used)) / Double(limit) * 100)
    }
}

/// Files of /proc and /sys, which are short and come from memory. Read each two seconds, so without Foundation, of which much would stay
/// in memory for that.
enum KernelFile {
    /// The most that is read of a file, in bytes.
    private static let bytesMax = 64 << 10

    /// What is in the file at `path`; nil where it cannot be read.
    static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < bytesMax {
            let count = read(file, &piece, piece.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How many names there are in the folder at `path`, that of the folder opened for it among them; nil where it cannot be read.
    static func count(in path: String) -> Int? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) { if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 } }
        return count
    }
}
