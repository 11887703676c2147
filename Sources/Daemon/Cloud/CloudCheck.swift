internal import ObjectStore
package import Policies

/// What can be said of a cloud section without a daemon.
package enum CloudCheck {
    /// Who may read the credentials of the store besides their owner, in words for the operator; nil where nobody may, or there are
    /// none here. Those that vigil.yaml names are checked when they are read. Asks the container's endpoint, where there is one.
    package static func credentialWarning(_ configuration: Configuration) async -> String? {
        guard let settings = configuration.cloud, settings.store.credential == nil,
            let store = try? CloudStore(settings, CredentialStore(references: configuration.credentials), SystemHost())
        else { return nil }
        let warning = await store.credentialWarning()
        await store.client.shutdown()
        return warning
    }
}
