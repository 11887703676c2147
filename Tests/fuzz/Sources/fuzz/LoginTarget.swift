import Foundation

@testable import Wire

/// What strangers show to be let in: tokens, cookies, origins, and the bodies of logins.
enum LoginTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        switch feed.byte() % 6 {
        case 0: token(feed.text())
        case 1: cookie(feed.text())
        case 2: origin(feed.text())
        case 3: body(LoginCommand.self, feed.rest())
        case 4: body(LinkCommand.self, feed.rest())
        default:
            guard let command = body(CreateTokenCommand.self, feed.rest()), command.flaw == nil else { return }
            hold(command.name.utf8.count <= 64 && !command.name.contains("/"), "a name of a token")
            hold(command.cameras?.isEmpty != true, "a token for no camera")
        }
    }

    private static func token(_ text: String) {
        if let token = TokenText(text) {
            hold(token.text == text && text.utf8.count == TokenText.length, "a token is read back")
            hold(token.secret.digest.matches(Secret.Digest(of: token.secret.text)), "a digest matches itself")
        }
        for length in [Secret.length, Secret.codeLength] {
            if let secret = Secret(text, length: length) { hold(secret.text == text, "a secret is read back") }
        }
        let made = TokenText(id: Secret.random(TokenText.idLength).text, secret: .random())
        hold(TokenText(made.text) == made, "a token that was made is taken")
        hold(TokenText(made.text + text) == nil || text.isEmpty, "a token with something behind it is none")
    }

    private static func cookie(_ text: String) {
        let fields = text.split(separator: "\n").map(String.init)
        for name in ["vigil", "__Host-vigil"] {
            if let value = CookieText.value(of: name, in: fields) {
                hold(!value.contains(";"), "a cookie ends at its semicolon")
                hold(
                    CookieText.value(of: name, in: fields + ["\(name)=x"]) == nil, "a cookie that stands twice is none")
            }
        }
    }

    private static func origin(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let (host, origins) = (lines.first ?? "", Array(lines.dropFirst()))
        guard PageOrigin.isOwn(origins, host: host) else { return }
        hold(origins.count == 1 && !host.isEmpty, "one origin of one host")
        hold(origins[0].utf8.count > host.utf8.count / 4, "an origin that holds its host")
    }
}
