internal import Catalog
internal import Cloud
internal import Foundation
internal import ObjectStore
internal import Policies

/// The store of the configuration in force, ready to be spoken to.
struct CloudStore: Sendable {
    /// What the configuration says of it.
    let settings: CloudSettings
    /// The credentials that the configuration names.
    let credentials: CredentialStore
    /// The client; to be ended by `shutdown`.
    let client: ObjectStore

    /// A client of the store of `settings`. Blocking: a credential may be read from a file.
    ///
    /// - Throws: why there is none, in words for the operator.
    init(_ settings: CloudSettings, _ credentials: CredentialStore, _ host: any Host) throws {
        let store = settings.store
        let address = try StoreAddress(
            endpoint: store.endpoint, region: store.region, bucket: store.bucket,
            style: store.addressing == .path ? .path : .virtualHost)
        var configuration = StoreConfiguration(address: address)
        configuration.caFile = store.authorityFile
        configuration.connectionsMax = Self.connections(settings.parallel)
        configuration.bandwidth = settings.bytesPerSecond.map { BandwidthLimit(bytesPerSecond: Int(clamping: $0)) }
        self.settings = settings
        self.credentials = credentials
        client = host.store(configuration, try Self.source(store, credentials))
    }

    /// The connections to the store, where so many clips are sent at once.
    static func connections(_ parallel: Int) -> Int { parallel * 2 + 4 }

    private static func source(_ store: CloudSettings.Store, _ credentials: CredentialStore) throws -> CredentialSource
    {
        guard let name = store.credential else {
            let environment = ProcessInfo.processInfo.environment
            return environment["AWS_ACCESS_KEY_ID"] == nil
                && environment.keys.contains { $0.hasPrefix("AWS_CONTAINER_CREDENTIALS_") } ? .container : .environment
        }
        let found = try credentials.credential(name)
        guard let keys = Credentials(accessKeyID: found.user, secretAccessKey: found.password) else {
            throw DaemonFailure(
                "credential \(name): it is no access key; write one line: the key's id, a colon, the secret key")
        }
        return .values(keys)
    }

    /// Who may read the credentials besides their owner, in words for the operator; nil where nobody may, or there are none.
    func credentialWarning() async -> String? { try? await client.credentialWarning() }

    /// The store's name in the catalog.
    var name: String { settings.store.name }

    /// What all objects of a clip begin with; `key` as the catalog has it (`ClipPaths.stem`).
    func folder(of key: String) -> String { settings.store.folder(of: key) }

    /// The key of an object that belongs to no clip; `key` below the store's prefix.
    func path(of key: String) -> String { settings.store.below + key }
}

extension CloudSettings.Store {
    /// What all objects of a clip begin with, a slash at its end.
    func folder(of key: String) -> String { below + CloudKeys.folder(of: key) }

    /// Where a clip is played from, known when its job is entered: below the public address, or at the endpoint, where only a
    /// signature opens a private bucket.
    func playURL(of key: String) -> String {
        (publicURL.map { "\($0)/" } ?? endpointURL) + CloudKeys.folder(of: key) + CloudKeys.index
    }

    fileprivate var below: String { prefix.isEmpty ? "" : prefix + "/" }

    private var endpointURL: String {
        guard addressing == .virtualHost, let scheme = endpoint.range(of: "://") else {
            return "\(endpoint)/\(bucket)/\(below)"
        }
        return "\(endpoint[..<scheme.upperBound])\(bucket).\(endpoint[scheme.upperBound...])/\(below)"
    }
}
