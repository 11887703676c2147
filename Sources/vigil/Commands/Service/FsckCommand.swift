internal import ArgumentParser
internal import Daemon
internal import Policies

/// `vigil fsck`
struct FsckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fsck", abstract: "Check a storage root, and set it right where asked.",
        discussion: """
            Works on a root that no daemon uses, and changes nothing unless asked. Nothing is ever deleted: files that \
            belong to no clip are moved to lost+found. Exit status 0 when clean, 1 when something was found.
            """)

    @Option(help: ArgumentHelp("The storage root.", valueName: "dir"), completion: .directory)
    var root: String?

    @Option(help: ArgumentHelp("The configuration that names the root.", valueName: "file"))
    var config = "/etc/vigil/vigil.yaml"

    @Flag(help: "Read every track file too.")
    var deep = false

    @Flag(help: "Set right what can be set right without loss.")
    var repair = false

    @Flag(help: "Make a damaged catalog anew from the clip files; the old one is kept.")
    var rebuild = false

    @OptionGroup var format: JSONFlag

    func validate() throws {
        if rebuild, deep || repair { throw ValidationError("--rebuild stands alone") }
    }

    func run() async throws {
        let answer: StorageCheck.Answer
        do {
            answer =
                try await rebuild
                ? StorageCheck.rebuild(root: folder()) : StorageCheck.run(root: folder(), deep: deep, repair: repair)
        } catch let failure as DaemonFailure { throw Failure("\(failure)") }
        if format.json {
            try Output.json(answer)
        } else {
            // A row's path and a file's name may hold line ends.
            for line in answer.repairs { try Output.line(Visible.line("repaired: \(line)")) }
            for finding in answer.findings {
                let words = "\(finding.severity): \(finding.subject): \(finding.words); \(finding.remedy)"
                try Output.line(Visible.line(words))
            }
            let files = answer.files.map { ", \($0) files" } ?? ""
            let bytes = answer.bytes.map { ", \($0) bytes" } ?? ""
            let verdict = answer.isClean ? "clean" : "not clean"
            try Output.line("\(answer.root): \(verdict), \(answer.clips) clips\(files)\(bytes)")
        }
        if !answer.isClean { throw Failure("\(answer.root) is not clean") }
    }

    private func folder() throws -> String {
        if let root { return root }
        switch ConfigurationLoader().load(config).result {
        case .success(let loaded): return loaded.configuration.storage.root
        case .failure(let refusal): throw Failure("no --root is named, and \(config) cannot be used:\n\(refusal)")
        }
    }
}
