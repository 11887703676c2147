import Foundation
import Machines
import Testing

@testable import Media

@Suite(
    "A browser plays encrypted track files",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium"), "needs chromium"))
struct ClearKeyTests {
    private static let program = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../cloud/clearkey").standardizedFileURL.path

    @Test("Chromium shows with Clear Key what it shows of the plain file, and nothing without the key")
    func plays() throws {
        let folder = try Scratch()
        var arguments = ["--kid", EncryptedFile.identifierHex, "--key", EncryptedFile.keyHex]
        for name in ["h264B", "manySlices", "aac"] {
            let stream = try EncryptedMedia.stream(name)
            let (plain, encrypted) = (folder.path(name + ".plain"), folder.path(name + ".encrypted"))
            try stream.write(plain)
            try Data(try EncryptedFile(plain).bytes).write(to: URL(fileURLWithPath: encrypted))
            let kind = stream.configuration.kind == .video ? "video" : "audio"
            arguments += [plain, encrypted, "\(kind)/mp4; codecs=\"\(stream.configuration.codec)\""]
        }
        let said = try Tool.run(Self.program, arguments, mayFail: true)
        #expect(!said.out.contains("FAILED"), "\(said.out) \(said.err)")
        #expect(said.out.split(separator: "\n").count { $0.hasPrefix("ok: ") } == 13, "\(said.out) \(said.err)")
    }
}
