import Foundation
import Testing

/// These need systemd's own tools, and are left out where they are not installed.
@Suite("The systemd files")
struct UnitFileTests {
    static let analyze = "/usr/bin/systemd-analyze"
    static var hasAnalyze: Bool { FileManager.default.isExecutableFile(atPath: analyze) }

    /// The unit as installed, with a program that exists here.
    private func unit() throws -> String {
        let source = Scratch.tree.appendingPathComponent("systemd/vigil.service")
        let text = try String(contentsOf: source, encoding: .utf8)
        #expect(text.contains("ExecStart=@PREFIX@/bin/vigil run --config /etc/vigil/vigil.yaml\n"))
        let path = try Scratch.folder() + "/vigil.service"
        try text.replacingOccurrences(of: "@PREFIX@/bin/vigil", with: "/bin/true")
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("systemd takes the unit without a complaint", .enabled(if: hasAnalyze, "needs systemd-analyze"))
    func verify() throws {
        let result = try Scratch.run(Self.analyze, ["verify", "--man=no", try unit()])
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }

    @Test("The unit limits memory, tasks and files")
    func limits() throws {
        let text = try String(contentsOfFile: try unit(), encoding: .utf8)
        for name in ["MemoryMax", "TasksMax", "LimitNOFILE"] {
            #expect(text.contains("\n\(name)="), "\(name)")
            #expect(!text.contains("\n\(name)=infinity"))
        }
    }

    @Test("The unit's exposure is at most 1.4", .enabled(if: hasAnalyze, "needs systemd-analyze"))
    func exposure() throws {
        let arguments = ["security", "--offline=true", "--threshold=14", "--no-pager", try unit()]
        let result = try Scratch.run(Self.analyze, arguments)
        #expect(result.status == 0, "\(result.output.suffix(200))")
    }

    @Test(
        "The catalog compiles for journalctl -x",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/journalctl"), "needs journalctl"))
    func catalog() throws {
        let root = try Scratch.folder()
        for folder in ["/usr/lib/systemd/catalog", "/var/lib/systemd/catalog"] {
            try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            atPath: Scratch.tree.appendingPathComponent("systemd/vigil.catalog").path,
            toPath: root + "/usr/lib/systemd/catalog/vigil.catalog")
        let update = try Scratch.run("/usr/bin/journalctl", ["--root=\(root)", "--update-catalog"])
        #expect(update.status == 0, "\(update.output)")
        let list = try Scratch.run("/usr/bin/journalctl", ["--root=\(root)", "--list-catalog", "--no-pager"])
        #expect(list.output.contains("Vigil: The link to camera @VIGIL_CAMERA@ was lost"), "\(list.output)")
    }
}
