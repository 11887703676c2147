internal import Policies
internal import Provider

/// Who says for how long clips may be sent.
enum PlanProvider: Hashable, Sendable {
    /// How long the plan of `always` is from each load on, in milliseconds: 100 years.
    static let alwaysMs: Int64 = 36_525 * 86_400_000

    /// Nobody: a plan that does not end.
    case always
    /// A service over HTTP.
    case service(CloudSettings.Service, credentials: [String: CredentialReference])

    /// The provider of a configuration.
    init(_ cloud: CloudSettings, _ configuration: Configuration) {
        switch cloud.provider {
        case .always: self = .always
        case .service(let service): self = .service(service, credentials: configuration.credentials)
        }
    }

    /// What a service is asked with. Blocking: the token may be in a file.
    static func request(
        _ service: CloudSettings.Service, _ references: [String: CredentialReference]
    ) throws(CredentialProblem) -> PlanRequest {
        let token = try service.credential.map { name throws(CredentialProblem) in
            try CredentialStore(references: references).credential(name).password
        }
        return PlanRequest(service: service.url, token: token)
    }
}
