internal import Hashing
internal import Media
internal import Server
internal import Synchronization

/// The publishing points of all cameras, and who may push to each camera.
final class PublishingPoints: Sendable {
    /// What a pusher shows.
    enum Key: Hashable, Sendable {
        /// A user and a password; the password alone is taken as a token.
        case login(user: String, password: String)
        /// A certificate by its SHA-256, in hexadecimal digits.
        case certificate(String)
    }

    private struct Place: Hashable {
        let camera: String
        let stream: StreamName
    }

    private struct State {
        var points: [Place: PublishingPoint] = [:]
        var keys: [String: [Key]] = [:]
        /// Grows when it changes who may push.
        var changes: UInt64 = 0
    }

    private let state = Mutex(State())

    /// A number that is another one after it has changed who may push.
    var changes: UInt64 { state.withLock { $0.changes } }

    /// The point of a camera's stream; the same for as long as the daemon runs.
    func point(_ camera: String, _ stream: StreamName) -> PublishingPoint {
        state.withLock { state in
            let place = Place(camera: camera, stream: stream)
            if let point = state.points[place] { return point }
            let point = PublishingPoint(name: "/ingest/\(camera)/\(stream.rawValue)")
            state.points[place] = point
            return point
        }
    }

    /// From now on whoever shows one of `keys` may push to `camera`, and nobody else.
    func allow(_ keys: [Key], to camera: String) {
        let points = state.withLock { state -> [PublishingPoint] in
            guard state.keys[camera, default: []] != keys else { return [] }
            state.keys[camera] = keys.isEmpty ? nil : keys
            state.changes += 1
            return state.points.filter { $0.key.camera == camera }.map(\.value)
        }
        // Whoever pushes shows its login again with the next request, and keeps nobody else out until then.
        for point in points { point.dismiss() }
    }

    /// As whom the claim may push; nil where it may not.
    func pusher(_ claim: IngestClaim) -> PublishingPoint.Pusher? {
        let keys = state.withLock { $0.keys[claim.camera] ?? [] }
        for key in keys {
            switch (key, claim.login) {
            case (.certificate(let fingerprint), _):
                guard fingerprint == claim.fingerprint else { continue }
                return .init(login: "certificate \(fingerprint.prefix(16))", address: claim.address)
            case (.login(let user, let password), .basic(let said, let secret)?):
                // By their sums: how long the comparison takes says nothing of the password.
                guard Self.isSame(user, said), Self.isSame(password, secret) else { continue }
                return .init(login: user.isEmpty ? "the camera" : user, address: claim.address)
            case (.login(let user, let password), .bearer(let secret)?):
                guard Self.isSame(password, secret) else { continue }
                return .init(login: user.isEmpty ? "the camera" : user, address: claim.address)
            case (.login, nil): continue
            }
        }
        return nil
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        SHA256.value(of: one.utf8) == SHA256.value(of: other.utf8)
    }
}
