internal import ArgumentParser
internal import Client
internal import Foundation
internal import Server

/// `vigil policy check FILE`
struct PolicyCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a policy file and say what it would do; changes nothing.",
        discussion: "Exit status 1 where the file would be refused.")

    @Argument(help: "The file; - for standard input.", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let text = try Self.read(file)
        let check = try await socket.ask { try await $0.checkPolicy(text: text) }
        if format.json {
            try Output.json(check)
        } else if check.valid {
            try Output.line("\(file): good, policy \(check.name ?? "")\n\n\(check.explanation ?? "")".trimmedAtEnd)
        }
        guard check.valid else { throw Failure(PolicyVerdict.refusal(check, file: file)) }
    }

    private static func read(_ file: String) throws -> String {
        do {
            let data =
                file == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: file))
            guard let text = String(data: data, encoding: .utf8) else { throw Failure("\(file) is not UTF-8 text") }
            return text
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("cannot read \(file): \((error as NSError).localizedDescription)")
        }
    }
}
