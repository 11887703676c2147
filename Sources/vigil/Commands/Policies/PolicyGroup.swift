internal import ArgumentParser

/// `vigil policy …`
struct PolicyGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "List, show, check, change and revert policies, and say who changed what.",
        subcommands: [
            PolicyListCommand.self, PolicyShowCommand.self, PolicyCheckCommand.self, PolicySetCommand.self,
            PolicyEditCommand.self, PolicyLogCommand.self, PolicyRevertCommand.self,
        ])
}
