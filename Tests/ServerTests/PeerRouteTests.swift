internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import MemorySite
internal import NIOCore
internal import Testing

@testable import Server

@Suite("Live view by WebRTC")
struct PeerRouteTests {
    private func ask(
        _ uri: String, _ method: HTTPRequest.Method, type: String? = nil, _ body: String = ""
    ) async throws -> TestResponse {
        let principal = Principal(caller: Caller(uid: 0, gid: 0, pid: 7), right: .view, cameras: .all)
        let headers: HTTPFields = type.map { [.contentType: $0] } ?? [:]
        return try await Application(router: API.router(site: MemorySite()) { _, _ in Admission(principal) }).test(
            .router
        ) { try await $0.execute(uri: uri, method: method, headers: headers, body: ByteBuffer(string: body)) }
    }

    @Test("an offer is answered with 201, the answer, and where the view is ended (RFC 9725, 4.2)")
    func offer() async throws {
        let answer = try await ask("/v1/cameras/front/whep?stream=sub", .post, type: "application/sdp", "v=0")
        #expect(answer.status == .created && answer.headers[.contentType] == "application/sdp")
        #expect(answer.headers[.location] == "/v1/sessions/peer/whep" && answer.headers[.cacheControl] == "no-store")
        #expect(String(buffer: answer.body) == "v=0")
        let named = try await ask(
            "/v1/cameras/front/whep?session=other", .post, type: "Application/SDP; charset=utf-8", "v=0")
        #expect(named.headers[.location] == "/v1/sessions/other/whep")
        #expect(try await ask("/v1/sessions/peer/whep", .delete).status == .ok)
        #expect(try await ask("/v1/sessions/none/whep", .delete).status == .notFound)
    }

    @Test("an offer of another type, and one that cannot be followed, are refused")
    func refusals() async throws {
        for type in ["application/json", "application/sdpx", nil] {
            let answer = try await ask("/v1/cameras/front/whep", .post, type: type, "v=0")
            #expect(answer.status.code == 415 && answer.headers[.contentType] == "application/problem+json")
        }
        #expect(try await ask("/v1/cameras/front/whep", .post, type: "application/sdp").status.code == 422)
        #expect(try await ask("/v1/cameras/none/whep", .post, type: "application/sdp", "v=0").status == .notFound)
        let trickled = try await ask(
            "/v1/sessions/peer/whep", .patch, type: "application/trickle-ice-sdpfrag", "a=candidate:1")
        #expect(trickled.status.code == 405 && trickled.headers[.allow] == "DELETE")
    }

    @Test("the same in JSON says which session, and for how long")
    func inJSON() async throws {
        let answer = try await ask("/v1/cameras/front/webrtc", .post, #"{"offer": "v=0", "stream": "main"}"#)
        #expect(answer.status == .created)
        #expect(
            String(buffer: answer.body) == #"{"answer":"v=0","durationMs":300000,"session":"peer","sound":"PCMU"}"#)
        for body in [#"{}"#, #"{"offer": 7}"#, #"{"offer": "v=0", "stream": "third"}"#, #"{"offer": "", "x": 1}"#] {
            #expect(try await ask("/v1/cameras/front/webrtc", .post, body).status == .badRequest)
        }
    }

    @Test("who looks is told, and who stops looking is not")
    func audit() {
        let told = API.peers(MemorySite()).filter { $0.audit == .view }.map(\.title)
        #expect(told == ["POST /v1/cameras/{camera}/whep", "POST /v1/cameras/{camera}/webrtc"])
    }
}

extension PeerRouteTests {
    private func ask(_ uri: String, _ method: HTTPRequest.Method, _ body: String) async throws -> TestResponse {
        try await ask(uri, method, type: "application/json", body)
    }
}
