/// A token as its holder has it: `vigil_ID_SECRET`. The ID says which token it claims to be, so that wrong tries can be counted
/// for it; it is no name, and nobody else knows it.
struct TokenText: Hashable, Sendable {
    /// Letters of an ID.
    static let idLength = 10
    private static let prefix = "vigil_"

    /// Which token.
    let id: String
    /// What proves it.
    let secret: Secret

    /// A token under an ID.
    init(id: String, secret: Secret) {
        self.id = id
        self.secret = secret
    }

    /// Reads a token; nil for anything else.
    init?(_ text: some StringProtocol) {
        // Bytes, since a text of other letters has no token in it at any place.
        let bytes = Array(text.utf8.prefix(Self.length + 1))
        guard bytes.count == Self.length, bytes.starts(with: Self.prefix.utf8) else { return nil }
        let rest = bytes.dropFirst(Self.prefix.utf8.count)
        let (id, tail) = (rest.prefix(Self.idLength), rest.dropFirst(Self.idLength))
        guard tail.first == UInt8(ascii: "_"),
            let id = Secret(String(decoding: id, as: UTF8.self), length: Self.idLength),
            let secret = Secret(String(decoding: tail.dropFirst(), as: UTF8.self))
        else { return nil }
        self.init(id: id.text, secret: secret)
    }

    /// Letters in all.
    static let length = prefix.utf8.count + idLength + 1 + Secret.length

    /// As its holder has it.
    var text: String { "\(Self.prefix)\(id)_\(secret.text)" }
}
