internal import Foundation

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

    /// What holds for this process now. Reads a few lines of /proc and /sys; does not wait for any disk.
    static func present() -> [ProcessLimit: Use] {
        var uses: [ProcessLimit: Use] = [:]
        let status = fields(of: "/proc/self/status")
        let group = groups()
        if let anonymous = status["RssAnon"], let limit = least(group, "memory.max") {
            // In kB.
            uses[.memory] = Use(used: (anonymous + (status["RssShmem"] ?? 0)) << 10, limit: limit)
        }
        if let threads = status["Threads"], let limit = least(group, "pids.max") {
            uses[.tasks] = Use(used: threads, limit: limit)
        }
        var files = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0, files.rlim_cur < rlim_t(Int.max),
            let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        {
            uses[.files] = Use(used: open, limit: Int(files.rlim_cur))
        }
        return uses
    }

    /// The numbers of a file with a name and a number a line.
    private static func fields(of path: String) -> [String: Int] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [:] }
        var fields: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let word = parts[1].split(whereSeparator: \.isWhitespace).first else { continue }
            fields[String(parts[0])] = Int(word)
        }
        return fields
    }

    /// The control group of the process and those around it, innermost first (cgroup v2).
    private static func groups() -> [String] {
        guard let text = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })
        else { return [] }
        var parts = line.dropFirst("0::/".count).split(separator: "/")
        var groups: [String] = []
        while !parts.isEmpty {
            groups.append("/sys/fs/cgroup/" + parts.joined(separator: "/"))
            parts.removeLast()
        }
        return groups
    }

    /// The tightest limit of that name; nil where there is none.
    private static func least(_ groups: [String], _ name: String) -> Int? {
        groups.compactMap { group in
            (try? String(contentsOfFile: group + "/" + name, encoding: .utf8)).flatMap {
                Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }.min()
    }
}
