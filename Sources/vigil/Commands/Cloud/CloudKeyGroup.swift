internal import ArgumentParser

/// `vigil cloud key …`
struct CloudKeyGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Keep the key that encrypts clips before they are sent: make it, back it up, make it anew.",
        discussion: """
            The key stays on this machine (cloud.encryption.keyFile in vigil.yaml), so nobody who can read the bucket sees the \
            clips, and nobody can help whoever loses it. That is why nothing is sent until you have confirmed that there is a \
            backup: a copy of the file that lies elsewhere, or the recovery code on paper.
            """,
        subcommands: [
            CloudKeyCreateCommand.self, CloudKeyConfirmCommand.self, CloudKeyRestoreCommand.self,
            CloudKeyShowCommand.self, CloudKeyClipCommand.self,
        ])
}
