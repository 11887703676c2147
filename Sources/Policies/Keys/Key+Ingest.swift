extension Key {
    /// Most TLS endpoints of one configuration.
    static let endpointLimit = 100

    /// One entry of the section `tlsEndpoints` of vigil.yaml.
    static let tlsEndpoint: [Key] = [
        Key(
            "ca", .value(.path), absence: "the system's authorities",
            "A file of certificates (PEM) that are trusted for the receiver, absolute or relative to this file."),
        Key(
            "certificate", .value(.path), absence: "no client certificate",
            "A file (PEM) with the certificate that is shown to the receiver, and those that lead from it to its authority."
        ),
        Key(
            "key", .value(.path), absence: "no client certificate",
            "A file (PEM) with the private key of that certificate."),
    ]
}
