internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The two routes that nobody needs to be known for: logging the page in and out. They are asked by the page alone.
struct LoginRoutes: Sendable {
    /// Their titles, as the reference page has them.
    static let titles = ["POST /v1/login", "POST /v1/logout"]

    let gate: WebGate

    /// Adds them to `router`.
    func add(to router: Router<APIContext>) {
        router.post("/v1/login") { [gate] request, context in
            try PageRequest.check(request.head)
            let bytes = try await request.body.collect(upTo: Limits.loginBytesMax)
            let command = try JSONBody.decode(LoginCommand.self, Data(bytes.readableBytesView))
            let (value, principal) = try gate.accounts.login(command, from: WebGate.address(of: context.channel))
            var response = try Reply.json(CallerInfo(principal))
            response.headers[.setCookie] = gate.cookie.setting(value)
            return response
        }
        router.post("/v1/logout") { [gate] request, context in
            try PageRequest.check(request.head)
            if let value = gate.cookie.value(in: request.headers) {
                gate.accounts.logout(value, from: WebGate.address(of: context.channel))
            }
            return Response(
                status: .noContent, headers: [.setCookie: gate.cookie.clearing, .cacheControl: "no-store"])
        }
    }
}
