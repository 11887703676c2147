internal import ArgumentParser
internal import Client

/// `vigil token link`
struct TokenLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Make a link to the web page that logs in, once and within ten minutes.",
        discussion: """
            Without a name it logs in as "owner", an admin's token that is made where there is none. With the name of a token it \
            logs in as that.
            """)

    @Argument(help: "The name of a token.")
    var name: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let name = name
        let (link, status) = try await socket.ask { (try await $0.makeLink(token: name), try await $0.status()) }
        if format.json { return try Output.json(link) }
        guard let url = link.url else {
            throw Failure("no web page is served: name an address with http.listen in the configuration")
        }
        try Output.line(url)
        status.certificate?.note()
    }
}
