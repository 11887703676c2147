internal import HTTPTypes
internal import Hummingbird

/// What browsers are told with every answer over TCP: to run and show nothing but what Vigil itself serves.
struct SecurityHeaders: RouterMiddleware {
    /// Scripts, styles and connections from here only, none written into the page; pictures and movies that the page made too.
    static let policy = """
        default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; object-src 'none'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// Each field with its value.
    static let fields: [(name: String, value: String)] = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), payment=(), usb=()"),
    ]

    private static let named = fields.compactMap { field in HTTPField.Name(field.name).map { ($0, field.value) } }

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in Self.named { response.headers[name] = value }
        return response
    }
}
