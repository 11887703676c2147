public import Server
internal import Synchronization

extension MemorySite {
    /// Nobody.
    public var asksForCertificates: Bool { false }

    /// One.
    public func isPublishingPoint(_ claim: IngestClaim) -> Bool { claim.camera == "front" && claim.stream == "main" }

    /// Tells nobody.
    public func triesRefused(_: IngestClaim) {}

    /// Takes what the user `front` pushes to the main stream of the camera `front` with the password `secret`.
    public func ingest(_ claim: IngestClaim) async throws -> any IngestBody {
        try admit(claim)
        return MemoryIngest()
    }

    /// The same, without taking anything.
    public func admit(_ claim: IngestClaim) throws(SiteError) {
        guard case .basic("front", "secret")? = claim.login, claim.camera == "front", claim.stream == "main" else {
            throw SiteError(.unauthenticated, what: "nothing was taken", why: "no login", remedy: "show one")
        }
    }
}

/// Takes any body that does not begin with an exclamation mark, which it refuses as a missing header.
private final class MemoryIngest: IngestBody {
    private let isFirst = Mutex(true)

    func take(_ bytes: [UInt8]) async throws {
        let isFirst = isFirst.withLock { first in
            defer { first = false }
            return first
        }
        guard isFirst, bytes.first == UInt8(ascii: "!") else { return }
        throw SiteError(.preconditionFailed, what: "nothing was taken", why: "no header", remedy: "push it")
    }

    func end() async throws {}
}
