internal import Foundation
package import HTTPTypes

/// A Vigil daemon. What it answers are the types of its HTTP interface; refusals are thrown as ``VigilError/refused(_:)`` with
/// what was not done, why, and what to do about it.
///
/// Every method is one request. What is thrown is a ``VigilError``, or what a transport of your own throws.
public struct Vigil: Sendable {
    /// How requests reach the daemon.
    public let transport: any Transport

    /// Largest answer that is no export and no stream: a page of a thousand clips is about one megabyte.
    static let answerBytesMax = 64 * 1_024 * 1_024

    /// The daemon that `transport` reaches.
    public init(_ transport: any Transport) { self.transport = transport }

    /// Asks for `path` and decodes the answer; `next` is what the next page of a listing is asked for with.
    package func ask<Answer: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, query: [(String, String?)] = [], body: (any Encodable)? = nil,
        as type: Answer.Type = Answer.self
    ) async throws -> (answer: Answer, next: String?) {
        let response = try await send(method, path, query: query, body: body)
        let bytes = try await collect(response)
        do {
            return (try JSONDecoder().decode(type, from: Data(bytes)), response.field("Vigil-Next"))
        } catch {
            throw VigilError.strangeAnswer(address: transport.address, reason: "\(method.rawValue) \(path)")
        }
    }

    /// Asks for `path`; throws what the daemon says where it refuses. `fields` are added to the request.
    package func send(
        _ method: HTTPRequest.Method, _ path: String, query: [(String, String?)] = [], body: (any Encodable)? = nil,
        fields: [(String, String)] = []
    ) async throws -> TransportResponse {
        var request = HTTPRequest(
            method: method, scheme: nil, authority: nil, path: path + Percent.query(query))
        for (name, value) in fields {
            guard let name = HTTPField.Name(name) else { continue }
            request.headerFields[name] = value
        }
        var bytes: [UInt8] = []
        if let body {
            request.headerFields[.contentType] = "application/json"
            bytes = Array(try JSONEncoder().encode(body))
        }
        let response = try await transport.send(request, body: bytes)
        guard response.head.status.kind == .successful else { throw try await refusal(response) }
        return response
    }

    private func refusal(_ response: TransportResponse) async throws -> VigilError {
        let bytes = try await collect(response)
        let status = response.head.status.code
        guard let body = try? JSONDecoder().decode(ErrorBody.self, from: Data(bytes)),
            let error = SiteError(body, status: status)
        else { return .strangeAnswer(address: transport.address, reason: "status \(status)") }
        return .refused(error)
    }

    /// The whole body, which is at most ``answerBytesMax`` long.
    func collect(_ response: TransportResponse, upTo most: Int = answerBytesMax) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in response.body {
            guard chunk.count <= most - bytes.count else {
                throw VigilError.strangeAnswer(address: transport.address, reason: "an answer without end")
            }
            bytes += chunk
        }
        return bytes
    }
}
