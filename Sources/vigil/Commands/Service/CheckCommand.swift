internal import ArgumentParser
internal import Daemon
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
        let need: SiteNeed?
    }

    func run() async throws {
        let outcome = ConfigurationLoader().load(file)
        switch outcome.result {
        case .success(let loaded):
            let need = SiteNeed(loaded.configuration, policies: loaded.policies.values)
            let names = loaded.configuration.cameras.map(\.name)
            if format.json {
                return try Output.json(
                    Answer(
                        valid: true, revision: loaded.revision, cameras: names, findings: loaded.warnings,
                        need: need))
            }
            for warning in loaded.warnings { try Output.line(warning.story) }
            let exposed = await CloudCheck.credentialWarning(loaded.configuration)
            if let exposed { try Output.line("warning: \(exposed)") }
            let cameras = names.count == 1 ? "1 camera" : "\(names.count) cameras"
            let policies = loaded.policies.count == 1 ? "1 policy" : "\(loaded.policies.count) policies"
            try Output.line("\(file): good, \(cameras), \(policies), revision \(loaded.revision)")
            try Self.write(need)
        case .failure(let refusal):
            if format.json {
                try Output.json(
                    Answer(valid: false, revision: nil, cameras: [], findings: refusal.diagnostics, need: nil))
            }
            throw Failure("\(file) would be refused:\n\(refusal.story)")
        }
    }

    /// What each camera may need at most, and all together, with the limits that fit.
    private static func write(_ need: SiteNeed) throws {
        var table = Table([("AT MOST", .left), ("MEMORY", .right), ("THREADS", .right), ("FILES", .right)])
        for camera in need.cameras { table.add(camera.name, camera.need) }
        for part in need.parts { table.add("vigil: \(part.name)", part.need) }
        table.add("in all", need.total)
        try table.write(orSay: "")
        try Output.line("limits that fit, for \"systemctl edit vigil\": \(need.unitLines.joined(separator: " "))")
    }
}

extension Table {
    fileprivate mutating func add(_ name: String, _ need: SiteNeed.Amount) {
        add(name, Words.size(Int64(need.memoryBytes)), "\(need.threads)", "\(need.files)")
    }
}
