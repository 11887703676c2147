internal import AsyncHTTPClient
internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// Holds what signs, and gets it anew before it ends. Many requests that need it at the same time ask its source once.
actor CredentialCache {
    /// How long before their end credentials are asked for again, in seconds.
    static let early: Int64 = 300
    /// How long a file is not read again, in seconds.
    static let fileAge: Int64 = 60
    /// How long the container's endpoint may take, in seconds.
    static let patience: Int64 = 5

    private struct Kept {
        let credentials: Credentials
        let at: Int64
    }

    private let source: CredentialSource
    private let variable: @Sendable (String) -> String?
    private let clock: StoreClock
    private let transport: any StoreTransport
    private var kept: Kept?
    private var asking: Task<(Credentials, String?), any Error>?
    /// What is wrong with who may read the source.
    private(set) var warning: String?

    init(
        _ source: CredentialSource, clock: StoreClock, transport: any StoreTransport,
        variable: @escaping @Sendable (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) {
        self.source = source
        self.variable = variable
        self.clock = clock
        self.transport = transport
    }

    /// What to sign with now. Throws `CredentialDefect` where there is nothing.
    func credentials() async throws -> Credentials {
        if case .values(let credentials) = source { return credentials }
        let now = clock.wallSeconds()
        if let kept, isFresh(kept, now) { return kept.credentials }
        do {
            let asked = asking ?? Task { try await self.ask() }
            asking = asked
            let (new, warning) = try await asked.value
            asking = nil
            self.warning = warning
            kept = Kept(credentials: new, at: now)
            return new
        } catch {
            asking = nil
            // What still holds is better than nothing.
            if let kept, kept.credentials.expirySeconds.map({ $0 > now }) ?? true { return kept.credentials }
            throw error
        }
    }

    private func isFresh(_ kept: Kept, _ now: Int64) -> Bool {
        if let end = kept.credentials.expirySeconds { return end - Self.early > now }
        switch source {
        case .values, .environment: return true
        // A clock that went back makes the file read again, too.
        case .file, .systemd, .container: return (0..<Self.fileAge).contains(now - kept.at)
        }
    }

    private func ask() async throws -> (Credentials, String?) {
        switch source {
        case .values(let credentials): return (credentials, nil)
        case .environment: return (try CredentialText.environment(variable), nil)
        case .file(let path, let profile): return try await read(path, profile)
        case .systemd(let name):
            guard let folder = variable("CREDENTIALS_DIRECTORY"), !folder.isEmpty else {
                throw CredentialDefect("systemd handed no credentials over (CREDENTIALS_DIRECTORY is not set)")
            }
            guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
                throw CredentialDefect("the name of the systemd credential is none")
            }
            return try await read("\(folder)/\(name)", "default")
        case .container: return try await container()
        }
    }

    private func read(_ path: String, _ profile: String) async throws -> (Credentials, String?) {
        let file = try await transport.read { try CredentialFile(path) }
        do {
            return (try CredentialText.shared(file.text, profile: profile), file.warning)
        } catch {
            throw CredentialDefect("\(path): \(error.reason)")
        }
    }

    private func container() async throws -> (Credentials, String?) {
        let endpoint = try ContainerEndpoint(variable)
        var request = HTTPClientRequest(url: endpoint.url)
        var warning: String?
        if let path = endpoint.tokenFile {
            let file = try await transport.read { try CredentialFile(path) }
            warning = file.warning
            request.headers.add(name: "Authorization", value: try ContainerEndpoint.checkedToken(file.text))
        } else if let token = endpoint.token {
            request.headers.add(name: "Authorization", value: try ContainerEndpoint.checkedToken(token))
        }
        do {
            let response = try await transport.execute(request, deadline: .now() + .seconds(Self.patience))
            guard response.status == .ok else {
                throw CredentialDefect("the container's endpoint answered with status \(response.status.code)")
            }
            let body = try await response.body.collect(upTo: ContainerEndpoint.bytesMax)
            return (try ContainerEndpoint.credentials(Array(body.readableBytesView)), warning)
        } catch let error as CredentialDefect {
            throw error
        } catch {
            throw CredentialDefect("the container's endpoint cannot be asked: \(TransportErrors.text(error))")
        }
    }
}
