internal import Hummingbird
internal import NIOCore

/// What travels with one request.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel
    /// Who asked; set by the gate.
    var principal: Principal?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Who the gate admitted.
    func admitted() throws -> Principal {
        guard let principal else {
            throw SiteError(
                .forbidden, what: "the request was refused", why: "it did not pass the gate",
                remedy: "report this: it cannot happen")
        }
        return principal
    }
}
