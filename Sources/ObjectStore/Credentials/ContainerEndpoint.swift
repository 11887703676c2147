internal import FoundationEssentials
internal import XML

/// The endpoint that gives a container its credentials.
struct ContainerEndpoint: Hashable {
    /// What an answer may have, in bytes.
    static let bytesMax = 64 << 10

    /// Whom to ask.
    let url: String
    /// A file that holds what to show; read anew each time, since agents change it.
    let tokenFile: String?
    /// What to show.
    let token: String?

    /// What the environment names. Without TLS only this machine and the agents' own addresses are asked, as the AWS SDKs have it:
    /// anybody else on the way could read the secret.
    init(_ variable: (String) -> String?) throws(CredentialDefect) {
        func given(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let path = given("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") {
            guard path.hasPrefix("/"), Self.isPlain(path) else {
                throw CredentialDefect("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is no path")
            }
            url = "http://169.254.170.2\(path)"
        } else if let full = given("AWS_CONTAINER_CREDENTIALS_FULL_URI") {
            guard Self.isPlain(full), Self.mayBeAsked(full) else {
                throw CredentialDefect(
                    "AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https nor an address of this machine or of its agent"
                )
            }
            url = full
        } else {
            throw CredentialDefect("the environment names no endpoint (AWS_CONTAINER_CREDENTIALS_FULL_URI)")
        }
        tokenFile = given("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
        token = given("AWS_CONTAINER_AUTHORIZATION_TOKEN")
    }

    /// What to show, as it stands in a file or a variable; throws where it cannot stand in a header.
    static func checkedToken(_ text: String) throws(CredentialDefect) -> String {
        let token = text.trimmed
        guard (1...16_384).contains(token.utf8.count), token.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw CredentialDefect("the authorization token is empty, or has characters that none has")
        }
        return token
    }

    /// Reads an answer.
    static func credentials(_ bytes: [UInt8]) throws(CredentialDefect) -> Credentials {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)) else {
            throw CredentialDefect("the container's endpoint answered what is not understood")
        }
        return try CredentialText.made(
            answer.AccessKeyId, answer.SecretAccessKey, answer.Token,
            expirySeconds: answer.Expiration.flatMap(ServerTime.init(iso:))?.seconds)
    }

    /// The fields as the endpoint spells them.
    private struct Answer: Decodable {
        let AccessKeyId: String?  // swift-format-ignore: AlwaysUseLowerCamelCase
        let SecretAccessKey: String?  // swift-format-ignore: AlwaysUseLowerCamelCase
        let Token: String?  // swift-format-ignore: AlwaysUseLowerCamelCase
        let Expiration: String?  // swift-format-ignore: AlwaysUseLowerCamelCase
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 2048 && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    private static func mayBeAsked(_ url: String) -> Bool {
        if url.hasPrefix("https://") { return true }
        guard url.hasPrefix("http://") else { return false }
        let place = url.dropFirst(7).prefix { !"/?#".contains($0) }
        guard !place.contains("@") else { return false }
        if place.hasPrefix("[") {
            return ["[::1]", "[fd00:ec2::23]"].contains { place == $0 || place.hasPrefix($0 + ":") }
        }
        let host = place.prefix { $0 != ":" }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0, radix: 10) != nil }
        return isLoopback || ["localhost", "169.254.170.2", "169.254.170.23"].contains { host == $0 }
    }
}
