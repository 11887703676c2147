internal import Glibc
internal import NIOCore

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
