internal import ArgumentParser
internal import Policies

/// `vigil check`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a configuration and its policies; names file, line, reason and remedy.",
        discussion:
            "Works without the daemon and changes nothing. Exit status 1 where the configuration would be refused.")

    @Argument(help: "The configuration.", completion: .file(extensions: ["yaml", "yml"]))
    var file = "/etc/vigil/vigil.yaml"

    @OptionGroup var format: JSONFlag

    private struct Answer: Encodable {
        let valid: Bool
        let revision: String?
        let cameras: [String]
        let findings: [Diagnostic]
    }

    func run() async throws {
        let outcome = ConfigurationLoader().load(file)
        switch outcome.result {
        case .success(let snapshot):
            let names = snapshot.configuration.cameras.map(\.name)
            if format.json {
                return try Output.json(
                    Answer(valid: true, revision: snapshot.revision, cameras: names, findings: snapshot.warnings))
            }
            for warning in snapshot.warnings { try Output.line(warning.story) }
            let cameras = names.count == 1 ? "1 camera" : "\(names.count) cameras"
            try Output.line(
                "\(file): good, \(cameras), \(snapshot.policies.count) policies, revision \(snapshot.revision)")
        case .failure(let refusal):
            if format.json {
                try Output.json(Answer(valid: false, revision: nil, cameras: [], findings: refusal.diagnostics))
            }
            throw Failure("\(file) would be refused:\n\(refusal.story)")
        }
    }
}
