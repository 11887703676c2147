internal import Foundation

/// A private copy of a text that the user's editor changes. Blocking while the editor runs.
struct EditedCopy {
    private let folder: URL
    private let file: URL

    /// The copy's path.
    var path: String { file.path }

    /// Writes `text` into a new folder that only this user can read; the name ends in `.yaml`, for the editor's sake.
    init(of text: String, named name: String) throws {
        let files = FileManager.default
        folder = files.temporaryDirectory.appendingPathComponent("vigil-\(UUID().uuidString)")
        file = folder.appendingPathComponent(name.replacing("/", with: "_") + ".yaml")
        do {
            try files.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try Data(text.utf8).write(to: file)
        } catch {
            throw Failure("cannot write a copy to \(file.path): \((error as NSError).localizedDescription)")
        }
    }

    /// Starts the editor and gives the text that it left.
    func edit() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The variable may hold options, so the shell takes it apart; the path is never read as shell text.
        process.arguments = ["-c", "\(editor) \"$1\"", "vigil", file.path]
        do { try process.run() } catch { throw Failure("cannot start \(editor); set $EDITOR") }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure("the editor \(editor) failed; nothing is applied, the copy is kept in \(file.path)")
        }
        guard let data = try? Data(contentsOf: file), let text = String(data: data, encoding: .utf8) else {
            throw Failure("cannot read \(file.path) as UTF-8 text after editing")
        }
        return text
    }

    /// Removes the copy.
    func remove() { try? FileManager.default.removeItem(at: folder) }
}
