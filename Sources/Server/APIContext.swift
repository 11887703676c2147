internal import Hummingbird
internal import NIOCore

/// What travels with one request over the control socket.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel
    /// Who asked; set by the gate.
    var caller: Caller?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// The caller that the gate admitted.
    func admittedCaller() throws -> Caller {
        guard let caller else {
            throw SiteError(
                .forbidden, what: "the request was refused", why: "it did not pass the gate",
                remedy: "use the daemon's control socket")
        }
        return caller
    }
}
