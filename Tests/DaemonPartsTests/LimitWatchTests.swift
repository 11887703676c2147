import Foundation
import Journal
import Machines
import Media
import Policies
import Synchronization
import Testing

@testable import Daemon

@Suite("The daemon at its limits (H1)")
struct LimitWatchTests {
    @Test("Says so before the kernel does, once, and once when it is over")
    func near() {
        let told = Mutex<[(MessageKind, String)]>([])
        let journal = Journal { observed in
            guard case .record(let kind, _, let fields) = observed else { return }
            told.withLock { $0.append((kind, fields.map(\.1).joined(separator: " "))) }
        }
        let used = Mutex(50)
        let watch = LimitWatch(pool: CameraPool(), host: SystemHost(), journal: journal) {
            [.files: ProcessLimit.Use(used: used.withLock { $0 }, limit: 100)]
        }
        for amount in [50, 84, 85, 90, 80, 76, 74, 75, 84] {
            used.withLock { $0 = amount }
            watch.look()
            #expect((watch.complaint != nil) == [85, 90, 80, 76].contains(amount), "\(amount)")
        }
        #expect(told.withLock { $0.map(\.0) } == [.limitNear, .limitClear])
        #expect(told.withLock { $0.map(\.1) } == ["files 85 of 100", "files 74 of 100"])
        used.withLock { $0 = 200 }
        watch.look()
        #expect(watch.complaint == "near the limit: files 200 of 100")
        #expect(watch.states.count == 1)
    }

    @Test("This process has some descriptors open, and a limit of them")
    func present() throws {
        let files = try #require(ProcessLimit.present()[.files])
        #expect(files.used >= 3 && files.used < files.limit)
    }

    @Test("A site needs what its cameras need, and what Vigil needs itself")
    func need() throws {
        func site(_ names: [String], extra: String = "") throws -> SiteNeed {
            let cameras = names.map { "  \($0):\n    main: rtsp://10.0.0.1/a\n    policy: p\n" + extra }.joined()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "vigil-need-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let policies = folder.appendingPathComponent("policies")
            try FileManager.default.createDirectory(at: policies, withIntermediateDirectories: true)
            try Data("name: p\n".utf8).write(to: policies.appendingPathComponent("p.yaml"))
            let file = folder.appendingPathComponent("vigil.yaml")
            try Data(("cameras:\n" + cameras).utf8).write(to: file)
            return SiteNeed(try ConfigurationLoader(examiner: nil).load(file.path).result.get().configuration)
        }
        let one = try site(["a"])
        let two = try site(["a", "b"])
        #expect(two.cameras.map(\.name) == ["a", "b"])
        #expect(two.total.memoryBytes - one.total.memoryBytes == one.cameras[0].need.memoryBytes)
        #expect(one.cameras[0].need.memoryBytes > SiteBuilder.ringBytes)
        let unseen = try site(["a"], extra: "    detection: off\n")
        #expect(unseen.total.memoryBytes < one.total.memoryBytes)
        let both = try site(["a"], extra: "    sub: rtsp://10.0.0.1/b\n")
        // A second stream is a second dial, and there are no others.
        #expect(both.total.threads == one.total.threads + InputLimits.threadsMax)
        #expect(both.total.files == one.total.files + InputLimits.descriptorsMax)
        #expect(one.unitLines[1] == "TasksMax=\(one.total.threads)")
    }
}
