import Foundation
import Journal
import Machines
import Media
import Policies
import Synchronization
import Testing

@testable import Daemon

@Suite("The daemon at its limits (H1)")
struct LimitMonitorTests {
    @Test("Says so before the kernel does, once, and once when it is over")
    func near() {
        let told = Mutex<[(MessageKind, String)]>([])
        let journal = Journal { observed in
            guard case .record(let kind, _, let fields) = observed else { return }
            told.withLock { $0.append((kind, fields.map(\.1).joined(separator: " "))) }
        }
        let used = Mutex(50)
        let monitor = LimitMonitor(pool: CameraPool(), host: SystemHost(), journal: journal) {
            [.files: ProcessLimit.Use(used: used.withLock { $0 }, limit: 100)]
        }
        for amount in [50, 84, 85, 90, 80, 76, 74, 75, 84] {
            used.withLock { $0 = amount }
            monitor.look()
            #expect((monitor.complaint != nil) == [85, 90, 80, 76].contains(amount), "\(amount)")
        }
        #expect(told.withLock { $0.map(\.0) } == [.limitNear, .limitClear])
        #expect(told.withLock { $0.map(\.1) } == ["files 85 of 100", "files 74 of 100"])
        used.withLock { $0 = 200 }
        monitor.look()
        #expect(monitor.complaint == "near the limit: files 200 of 100")
        #expect(monitor.states.count == 1)
    }

    /// What the kernel shows of the groups of a process: a path and its text a line.
    static let kernels: [(shown: [String: String], memory: ProcessLimit.Use?, tasks: ProcessLimit.Use?)] = [
        // Version 2, as systemd has it; the slice around the service has the tighter limit of tasks.
        (
            [
                "proc/self/cgroup": "0::/system.slice/vigil.service\n",
                "sys/fs/cgroup/system.slice/vigil.service/memory.max": "104857600\n",
                "sys/fs/cgroup/system.slice/vigil.service/memory.stat":
                    "anon 73400320\nfile 90000000\nkernel 9000000\nshmem 1000000\nslab_reclaimable 8000000\n",
                "sys/fs/cgroup/system.slice/vigil.service/pids.max": "2048\n",
                "sys/fs/cgroup/system.slice/vigil.service/pids.current": "20\n",
                "sys/fs/cgroup/system.slice/pids.max": "100\n", "sys/fs/cgroup/system.slice/pids.current": "60\n",
            ], .init(used: 75_400_320, limit: 104_857_600), .init(used: 60, limit: 100)
        ),
        // A container with a view of its own: its group is the root.
        (
            [
                "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "2000\n",
                "sys/fs/cgroup/memory.stat": "anon 1900\n", "sys/fs/cgroup/pids.max": "max\n",
                "sys/fs/cgroup/pids.current": "9\n",
            ], .init(used: 1900, limit: 2000), nil
        ),
        // Version 1, beside an empty version 2.
        (
            [
                "proc/self/cgroup": "9:pids:/a:b\n8:cpu,cpuacct:/\n4:memory:/a:b\n0::/\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                "sys/fs/cgroup/memory/memory.stat": "total_rss 70000\n",
                "sys/fs/cgroup/memory/a:b/memory.limit_in_bytes": "65536\n",
                "sys/fs/cgroup/memory/a:b/memory.stat": "rss 1\ntotal_rss 70000\ntotal_cache 5000\n",
                "sys/fs/cgroup/memory/a:b/memory.kmem.usage_in_bytes": "800\n",
                "sys/fs/cgroup/pids/a:b/pids.max": "64\n", "sys/fs/cgroup/pids/a:b/pids.current": "12\n",
            ], .init(used: 70800, limit: 65536), .init(used: 12, limit: 64)
        ),
        // Nothing is limited, or nobody tells.
        (["proc/self/cgroup": "0::/user.slice\n", "sys/fs/cgroup/user.slice/memory.max": "max\n"], nil, nil),
        (["proc/self/cgroup": "nonsense\n:\n"], nil, nil),
        ([:], nil, nil),
    ]

    @Test("Limits are read where they stand", arguments: kernels.indices)
    func groups(_ index: Int) throws {
        let kernel = Self.kernels[index]
        let root = FileManager.default.temporaryDirectory.appending(path: "vigil-groups-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in kernel.shown {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let present = ProcessLimit.present(root: root.path)
        #expect(present[.memory] == kernel.memory)
        #expect(present[.tasks] == kernel.tasks)
    }

    @Test("This process has some descriptors open, and a limit of them")
    func present() throws {
        let files = try #require(ProcessLimit.present()[.files])
        #expect(files.used >= 3 && files.used < files.limit)
    }
}
