extension ConfigurationReader {
    /// The TLS endpoints by number; what is none is told.
    mutating func tlsEndpoints() -> [Int: Configuration.TLSEndpoint] {
        var found: [Int: Configuration.TLSEndpoint] = [:]
        for entry in item["tlsEndpoints"]?.entries ?? [] {
            let keyPath = "tlsEndpoints.\(entry.key)"
            guard let number = Int(entry.key), (1...65_534).contains(number), "\(number)" == entry.key else {
                checker.error(
                    entry.place, keyPath, "\(entry.key.prefix(80)) is no number of a TLS endpoint",
                    "take a whole number from 1 to 65534: transports name it with tlsEndpointID")
                continue
            }
            for key in ["ca", "certificate", "key"] {
                guard let named = entry.value[key], let path = path(named), files.kind(of: path) != .file else {
                    continue
                }
                checker.error(
                    named.place, "\(keyPath).\(key)", "there is no file \(path)",
                    "correct the path, or put the file there")
            }
            if (entry.value["certificate"] == nil) != (entry.value["key"] == nil) {
                checker.error(
                    entry.place, keyPath, "certificate and key belong together, and one of them is missing",
                    "name both, or neither")
            }
            found[number] = Configuration.TLSEndpoint(
                authorityFile: path(entry.value["ca"]), certificateFile: path(entry.value["certificate"]),
                keyFile: path(entry.value["key"]))
        }
        return found
    }
}
