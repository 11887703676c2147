import Testing

/// Waits until `holds`: what another thread does, or a file, tells nobody when it is there, so it is asked for every 10 ms. Records
/// what did not come within ten minutes, with what `seen` says then, and throws. It takes far less: many tests share two cores.
func waitUntil(
    _ what: String, isolation: isolated (any Actor)? = #isolation, seen: () -> String = { "" },
    _ holds: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(600)
    while ContinuousClock.now < deadline {
        if try await holds() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("did not come: \(what)\n\(seen())")
    throw CancellationError()
}
