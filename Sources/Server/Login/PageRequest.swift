internal import HTTPTypes

/// Tells a request of Vigil's own page from one that another site's page made a browser send. A browser adds the cookie by
/// itself, so a cookie alone proves nothing.
enum PageRequest {
    /// The field that only a script of the same origin can add: from elsewhere a browser asks first, and is not allowed to.
    static let mark = HTTPField.Name("Vigil-Page")

    /// Throws `forbidden` where the request changes something, or opens a connection for messages, and is not of the own page.
    static func check(_ request: HTTPRequest) throws(SiteError) {
        let opens = request.headerFields[.upgrade] != nil
        let changes = request.method != .get && request.method != .head
        guard opens || changes else { return }
        try checkOrigin(request, isNeeded: opens)
        guard changes else { return }
        guard let mark, request.headerFields[mark] == "1" else {
            throw refusal("it does not carry the field Vigil-Page: 1")
        }
    }

    /// Throws `forbidden` where a browser sends the request: it may know a password from an address, and adds it to what another
    /// site's page makes it send.
    static func checkNoBrowser(_ request: HTTPRequest) throws(SiteError) {
        let fetchSite = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headerFields[$0] }
        guard request.headerFields[.origin] == nil, fetchSite == nil else {
            throw refusal("a browser sends it with a password")
        }
    }

    /// Throws `forbidden` where the request names another origin than this one, or none although one `isNeeded`.
    private static func checkOrigin(_ request: HTTPRequest, isNeeded: Bool) throws(SiteError) {
        let origins = request.headerFields[values: .origin]
        guard !origins.isEmpty || isNeeded else { return }
        guard PageOrigin.isOwn(origins, host: request.authority) else {
            throw refusal("it comes from another site's page")
        }
    }

    private static func refusal(_ why: String) -> SiteError {
        SiteError(
            .forbidden, what: "the request of a page was refused", why: why,
            remedy: "use Vigil's own page; programs send their token as \"Authorization: Bearer …\" instead of a cookie"
        )
    }
}
