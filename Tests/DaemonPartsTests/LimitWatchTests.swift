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
}
