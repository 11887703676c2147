internal import ArgumentParser
internal import Client
internal import Foundation

/// `vigil policy edit NAME`
struct PolicyEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit a policy in $EDITOR, check it, see the difference, apply it.",
        discussion: """
            $VISUAL or $EDITOR is started with a copy (vi where neither is set). Nothing is applied that the daemon \
            refuses, or that was changed by somebody else meanwhile; the copy is then kept and named.
            """)

    @Argument(help: "The policy.")
    var name: String

    @Flag(name: [.short, .long], help: "Apply without asking.")
    var yes = false

    @OptionGroup var socket: SocketOption

    func run() async throws {
        try await socket.ask { client in
            let policy = try await client.policy(name: name)
            let copy = try EditedCopy(of: policy.text, named: name)
            var text = try copy.edit()
            while text != policy.text {
                let check = try await client.checkPolicy(text: text)
                if check.valid { break }
                let refusal = PolicyVerdict.refusal(check, file: copy.path)
                guard !yes, try Question.ask("\(refusal)\nEdit again?") else { throw Failure(refusal) }
                text = try copy.edit()
            }
            do {
                try await PolicyChange(policy: policy, text: text).apply(over: client, asking: !yes)
            } catch {
                Output.note("the edited text is kept in \(copy.path)")
                throw error
            }
            copy.remove()
        }
    }
}
