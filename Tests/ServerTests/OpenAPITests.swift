internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import MemorySite
internal import NIOCore
internal import Testing
internal import Yams

@testable import Server

/// docs/reference/openapi.yaml against the program.
@Suite("The OpenAPI document")
struct OpenAPITests {
    private let document: OpenAPIDocument

    init() throws { document = try OpenAPIDocument() }

    @Test("describes the routes of the program and no others, with the right that each needs and what it is about")
    func routes() throws {
        let routes = API.routes(MemorySite())
        #expect(
            Set(document.operations.map(\.title))
                == Set(routes.map(\.title) + LoginRoutes.titles + [EncoderRoute.title] + IngestRoute.titles))
        for title in LoginRoutes.titles + [EncoderRoute.title] + IngestRoute.titles {
            let node = document.operation(title)?.node
            #expect(node?["x-right"] as? String == "none" && node?["x-about"] as? String == "nothing", "\(title)")
        }
        for route in routes {
            let operation = try #require(document.operation(route.title))
            #expect(operation.node["x-right"] as? String == route.right.rawValue, "\(route.title)")
            #expect(operation.node["x-about"] as? String == route.subject.rawValue, "\(route.title)")
            let names = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
                String($0.dropFirst().dropLast())
            }
            #expect(operation.parameters(in: "path") == Set(names), "\(route.title)")
        }
        let ids = document.operations.compactMap { $0.node["operationId"] as? String }
        #expect(ids.count == document.operations.count && Set(ids).count == ids.count)
    }

    @Test("names the parameters that each route knows, as the route itself says when it gets another one")
    func parameters() async throws {
        for route in API.routes(MemorySite()) {
            let operation = try #require(document.operation(route.title))
            let known = try await ask(route, uri: operation.uri(adding: "no-such-parameter=1"), body: operation.body) {
                response in
                let problem = try? JSONDecoder().decode(ErrorBody.self, from: Data(response.body.readableBytesView))
                guard let problem, problem.why == "unknown parameter no-such-parameter" else { return Set<String>() }
                let names = problem.remedy.replacing("known are: ", with: "")
                return names == "none" ? [] : Set(names.components(separatedBy: ", "))
            }
            #expect(operation.parameters(in: "query") == known, "\(route.title)")
        }
    }

    @Test("has an example of each request, which is answered as the document says")
    func examples() async throws {
        for route in API.routes(MemorySite()) {
            let operation = try #require(document.operation(route.title))
            let answers = operation.answers
            // A WebSocket begins over a real connection only.
            guard answers[101] == nil else { continue }
            try await ask(route, uri: operation.uri(), body: operation.body) { response in
                let text = String(buffer: response.body)
                // Not every verb can be done by the session of the small site.
                if route.subject == .session, response.status == .conflict { return }
                let contents = try #require(
                    answers[response.status.code], "\(route.title) answers \(response.status): \(text)")
                let type = String((response.headers[.contentType] ?? "").prefix { $0 != ";" })
                guard !contents.isEmpty else { return #expect(text.isEmpty, "\(route.title)") }
                let content = try #require(contents[type], "\(route.title) answers \(type)")
                guard type == "application/json" else { return }
                let schema = try #require((content as? [String: Any])?["schema"])
                #expect(document.flaw(of: try Yams.load(yaml: text), by: schema) == nil, "\(route.title): \(text)")
            }
        }
    }

    @Test("has examples that are as it says itself, and refusals that are as it says")
    func ownExamples() async throws {
        for operation in document.operations {
            let bodies = Array(operation.answers.values) + [operation.requests ?? [:]]
            for content in bodies.compactMap({ $0["application/json"] as? [String: Any] }) {
                guard let example = content["example"], let schema = content["schema"] else { continue }
                #expect(document.flaw(of: example, by: schema) == nil, "\(operation.title)")
            }
        }
        let route = try #require(API.routes(MemorySite()).first { $0.path == "/v1/cameras/{camera}/state" })
        try await ask(route, uri: "/v1/cameras/nowhere/state", body: nil) { response in
            let answer = try Yams.load(yaml: String(buffer: response.body))
            #expect(document.flaw(of: answer, by: ["$ref": "#/components/schemas/Problem"]) == nil)
        }
    }

    private func ask<Answer: Sendable>(
        _ route: Route, uri: String, body: String?, _ read: (TestResponse) async throws -> Answer
    ) async throws -> Answer {
        let site = MemorySite()
        let revision = try await site.policy(name: "shop").revision
        let principal = Principal(caller: Caller(uid: 0, gid: 0, pid: 1), right: .administer, cameras: .all)
        _ = try site.accounts.create(CreateTokenCommand(name: "kitchen", role: .viewer), by: principal.caller)
        let router = API.router(site: site) { _, _ in Admission(principal) }
        let response = try await Application(router: router).test(.router) { client in
            try await client.execute(
                uri: uri, method: route.method,
                headers: route.path.hasSuffix("/whep") ? [.contentType: API.sessionDescription] : [:],
                body: body.map { ByteBuffer(string: $0.replacing("sha256:7b0c", with: revision)) })
        }
        return try await read(response)
    }
}
