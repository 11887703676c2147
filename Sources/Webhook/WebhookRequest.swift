internal import Hashing

/// One POST to a receiver: its headers and its body. Headers may hold a secret: it shows itself to nobody.
public struct WebhookRequest: Sendable {
    /// A login or a token.
    public enum Login: Sendable {
        /// A token alone.
        case token(String)
        /// User and password.
        case user(String, password: String)
    }

    /// A header.
    public struct Header: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Its value: ASCII, one line.
        public let value: String
    }

    /// The headers.
    public let headers: [Header]
    /// The body.
    public let body: [UInt8]

    /// A message as Standard Webhooks has it: JSON with the headers `webhook-id`, `webhook-timestamp` and, with a secret,
    /// `webhook-signature`.
    public init(_ message: WebhookMessage, secret: WebhookSecret?) {
        var headers = [
            Header(name: "Content-Type", value: "application/json"), Header(name: "webhook-id", value: message.id),
            Header(name: "webhook-timestamp", value: "\(message.sentSeconds)"),
        ]
        if let secret { headers.append(Header(name: "webhook-signature", value: secret.signature(of: message))) }
        (self.headers, body) = (headers, message.body)
    }

    /// A message for a topic of an ntfy server (https://docs.ntfy.sh/publish/), with a picture as its attachment or without.
    ///
    /// - Parameters:
    ///   - text: one line, at most 4,096 bytes: beyond that ntfy would make an attachment of it.
    ///   - isUrgent: priority 4 of 5 in place of 3.
    ///   - picture: a JPEG, and the name of its file.
    public init(
        ntfy title: String, text: String, isUrgent: Bool, picture: (name: String, jpeg: [UInt8])?, login: Login?
    ) {
        var headers = [Header(name: "Title", value: Self.word(title))]
        if isUrgent { headers.append(Header(name: "Priority", value: "4")) }
        if let login { headers.append(Header(name: "Authorization", value: Self.authorization(login))) }
        if let picture {
            headers += [
                Header(name: "Content-Type", value: "image/jpeg"), Header(name: "Filename", value: picture.name),
                Header(name: "Message", value: Self.word(text)),
            ]
        } else {
            headers.append(Header(name: "Content-Type", value: "text/plain; charset=utf-8"))
        }
        self.headers = headers
        body = picture?.jpeg ?? Array(text.utf8)
    }

    /// A message for a Gotify server (https://gotify.net/docs/pushmsg): JSON, with the token of an application.
    ///
    /// - Parameter json: title, message and priority.
    public init(gotify json: [UInt8], token: String?) {
        headers =
            [Header(name: "Content-Type", value: "application/json")]
            + (token.map { [Header(name: "X-Gotify-Key", value: Self.visible($0))] } ?? [])
        body = json
    }

    private static func authorization(_ login: Login) -> String {
        switch login {
        case .token(let token): "Bearer \(visible(token))"
        case .user(let user, let password): "Basic \(Base64.text(Array("\(user):\(password)".utf8)))"
        }
    }

    /// Without what would end the header.
    private static func visible(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }))
    }

    /// A header's value: as it is where it is printable ASCII, else in words of RFC 2047.
    static func word(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), !text.contains("=?") { return text }
        var (words, bytes) = ([String](), [UInt8]())
        for scalar in text.unicodeScalars {
            let more = Array(String(scalar).utf8)
            // With what is around it a word has at most 75 characters.
            if bytes.count + more.count > 45 {
                words.append(Base64.text(bytes))
                bytes = []
            }
            bytes += more
        }
        if !bytes.isEmpty { words.append(Base64.text(bytes)) }
        return words.map { "=?UTF-8?B?\($0)?=" }.joined(separator: " ")
    }
}

extension WebhookRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size of its body.
    public var description: String { "request of \(body.count) bytes" }
    /// The size of its body.
    public var debugDescription: String { description }
    /// Shows nothing, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
