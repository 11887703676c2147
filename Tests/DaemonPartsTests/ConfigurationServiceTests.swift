import Foundation
import Journal
import Policies
import Synchronization
import Testing

@testable import Daemon

@Suite("Configuration files that change")
struct ConfigurationServiceTests {
    /// A site of one camera whose policy has `clip` as the length of clips.
    private static func write(_ folder: String, clip: String) throws {
        try "name: all\nrecording: { mode: continuous, clipLength: \(clip) }\n"
            .write(toFile: folder + "/all.yaml", atomically: true, encoding: .utf8)
    }

    @Test("A file that is changed while it is read is read again")
    func changedWhileRead() throws {
        let folder = NSTemporaryDirectory() + "vigil-configuration-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "storage: { root: \(folder)/data }\npolicies: [ all.yaml ]\ncameras: { a: { main: demo, policy: all } }\n"
            .write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        try Self.write(folder, clip: "1m")
        // What is written behind each loading, before its outcome is taken.
        let edits = Mutex(["2m", "3m"])
        let loads = Mutex(0)
        let service = try ConfigurationService(path: folder + "/vigil.yaml", journal: Journal { _ in }) { files in
            let outcome = ConfigurationLoader(files: files, examiner: nil).load(folder + "/vigil.yaml")
            loads.withLock { $0 += 1 }
            if let clip = edits.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                try? Self.write(folder, clip: clip)
            }
            return outcome
        }
        func text() -> String { service.loaded.policies["all"].map { "\($0.recording.clipLengthMs)" } ?? "none" }
        #expect(text() == "60000")
        service.look()
        #expect(text() == "120000")
        service.look()
        #expect(text() == "180000")
        // Nothing has changed since.
        service.look()
        #expect(loads.withLock { $0 } == 3)
    }
}
