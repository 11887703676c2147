internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import Policies

/// What the commands of the key file share.
enum CloudKeyWords {
    /// The recovery code with what it is for.
    static func tell(code key: SiteKey) throws {
        for line in key.recoveryCode { try Output.line("    " + line) }
    }

    /// Reads a recovery code: from paper, where a person sits before it, or from standard input.
    static func readKey() throws -> SiteKey {
        if isatty(STDIN_FILENO) == 1 {
            Output.note(
                "Type the recovery code from the paper, all of it; spaces and line ends do not matter. An empty line ends it."
            )
        }
        var text = ""
        while text.utf8.count < 1_024, let line = readLine(), !line.isEmpty { text += " " + line }
        do { return try SiteKey(recoveryCode: text) } catch { throw Failure("\(error)") }
    }

    /// Today's date in UTC, as key files have it.
    static var today: String { Date.now.formatted(.iso8601.year().month().day()) }

    /// Does what may fail of a key file.
    static func attempt<Value>(_ body: () throws(KeyFileProblem) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw Failure(error.description) }
    }

    /// What root is told of a file that the service's user must be able to read.
    static func noteOwner(_ path: String) {
        guard geteuid() == 0 else { return }
        Output.note("Where Vigil runs as a service, its user must own the file: chown vigil \(path)")
    }
}

/// `vigil cloud key create`
struct CloudKeyCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a key file, and print the recovery code to be written down.",
        discussion: "What stands there stays: a key that has encrypted clips is never overwritten.")

    @Argument(help: "The file, as cloud.encryption.keyFile names it.", completion: .file())
    var file: String

    func run() async throws {
        let made = try CloudKeyWords.attempt { () throws(KeyFileProblem) in try KeyFile.create(file, key: SiteKey()) }
        try Output.line("\(file): key \(made.key.id). Its recovery code:")
        try CloudKeyWords.tell(code: made.key)
        CloudKeyWords.noteOwner(file)
        Output.note(
            """
            Whoever loses this key loses every clip that is encrypted with it; nobody can help then. So keep a backup where neither \
            a thief nor a fire finds it together with this machine:
              - write the recovery code down on paper, or
              - copy the file to another medium.
            Whoever has either can watch the clips. Then say so, since nothing is sent before: vigil cloud key confirm \(file)
            """)
    }
}

/// `vigil cloud key confirm`
struct CloudKeyConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Show that there is a backup of a key file, so that clips are sent.",
        discussion: """
            Asks for the recovery code, to be typed from the paper, or reads a copy with --from, and compares it with the key. The \
            day is written into the file. A running daemon notices it by itself.
            """)

    @Argument(help: "The file, as cloud.encryption.keyFile names it.", completion: .file())
    var file: String

    @Option(
        name: .long, help: ArgumentHelp("A copy of the file, on another medium.", valueName: "copy"),
        completion: .file())
    var from: String?

    func run() async throws {
        let known = try CloudKeyWords.attempt { () throws(KeyFileProblem) in try KeyFile(reading: file) }
        let shown: SiteKey
        if let from {
            guard !isSameFile(from) else {
                throw Failure("\(from) is the file itself, and no backup; copy it to another medium")
            }
            shown = try CloudKeyWords.attempt { () throws(KeyFileProblem) in try KeyFile(reading: from) }.key
        } else {
            shown = try CloudKeyWords.readKey()
        }
        guard shown == known.key else {
            throw Failure("the backup is of key \(shown.id), and \(file) has key \(known.key.id): it opens other clips")
        }
        _ = try CloudKeyWords.attempt { () throws(KeyFileProblem) in try known.confirm(on: CloudKeyWords.today) }
        try Output.line("\(file): the backup of key \(known.key.id) is confirmed")
    }

    private func isSameFile(_ copy: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard stat(file, &one) == 0, stat(copy, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}

/// `vigil cloud key restore`
struct CloudKeyRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a key file anew from its recovery code.",
        discussion: "What stands there stays. The code is typed, or comes on standard input.")

    @Argument(help: "The file that is to be made.", completion: .file())
    var file: String

    func run() async throws {
        let key = try CloudKeyWords.readKey()
        let today = CloudKeyWords.today
        // Who types the code has it.
        let made = try CloudKeyWords.attempt { () throws(KeyFileProblem) in
            try KeyFile.create(file, key: key, backup: today)
        }
        try Output.line("\(file): key \(made.key.id)")
        CloudKeyWords.noteOwner(file)
    }
}

/// `vigil cloud key show`
struct CloudKeyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Say which key a file has, and whether its backup is confirmed.")

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Flag(help: "Print the recovery code, too.")
    var code = false

    @OptionGroup var format: JSONFlag

    private struct Answer: Encodable {
        let id: String
        let backup: String?
        let code: [String]?
    }

    func run() async throws {
        let found = try CloudKeyWords.attempt { () throws(KeyFileProblem) in try KeyFile(reading: file) }
        if format.json {
            return try Output.json(
                Answer(id: found.key.id, backup: found.backup, code: code ? found.key.recoveryCode : nil))
        }
        let backup = found.backup.map { "backup confirmed on \($0)" } ?? "no backup confirmed, so nothing is sent"
        try Output.line("key \(found.key.id), \(backup)")
        if code { try CloudKeyWords.tell(code: found.key) }
    }
}
