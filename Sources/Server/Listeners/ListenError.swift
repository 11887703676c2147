internal import Glibc
internal import NIOCore

/// Why the server does not listen.
public enum ListenError: Error, Hashable, Sendable {
    /// The socket's path is longer than the kernel takes.
    case pathTooLong(path: String, limit: Int)
    /// There is no folder for the socket.
    case noFolder(path: String)
    /// Something that is not a socket is in the socket's place.
    case notASocket(path: String)
    /// Another process answers at the socket or address.
    case inUse(place: String)
    /// The system refused; `reason` is its text.
    case system(place: String, operation: String, reason: String)
}

extension ListenError: CustomStringConvertible {
    /// What failed, why, and what to do about it.
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            "cannot listen at \(path): the path is longer than \(limit) bytes; name a shorter one with --socket"
        case .noFolder(let path):
            "cannot listen at \(path): its folder does not exist; create it, or name another path with --socket"
        case .notASocket(let path):
            "cannot listen at \(path): something that is not a socket is there; move it away, or name another path "
                + "with --socket"
        case .inUse(let place):
            "cannot listen at \(place): another process answers there; stop it, or name another place"
        case .system(let place, let operation, let reason):
            "cannot listen at \(place): \(operation) failed: \(reason); check the folder's owner and mode"
        }
    }
}

extension ListenError {
    /// What the network library's `error` means for listening at `place`; nil where it is about something else (a
    /// cancellation, a service that ended).
    init?(_ error: any Error, place: String) {
        guard let error = error as? IOError else { return nil }
        switch error.errnoCode {
        case EADDRINUSE: self = .inUse(place: place)
        default:
            self = .system(place: place, operation: "bind", reason: String(cString: strerror(error.errnoCode)))
        }
    }
}
