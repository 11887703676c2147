internal import ArgumentParser
internal import Client
internal import Policies

/// `vigil policy set`
struct PolicySetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change one key of a policy; comments and order stay.",
        discussion:
            "Shows the difference and applies it at once, such as: vigil policy set shop recording.sensitivity 10")

    @Argument(help: "The policy.")
    var policy: String

    @Argument(help: "The key, such as recording.maxEventLength.")
    var key: String

    @Argument(help: "Its value as in the file; left out, the key is removed and has its default again.")
    var value: String?

    @OptionGroup var socket: SocketOption

    func run() async throws {
        try await socket.ask { client in
            let current = try await client.policy(name: policy)
            let text: String
            do {
                text =
                    if let value {
                        try PolicyEditor.set(current.text, keyPath: key, value: value, file: current.path)
                    } else {
                        try PolicyEditor.unset(current.text, keyPath: key, file: current.path)
                    }
            } catch { throw Failure("\(policy): \(error)") }
            try await PolicyChange(policy: current, text: text).apply(over: client, asking: false)
        }
    }
}
