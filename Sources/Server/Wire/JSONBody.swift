internal import Foundation

/// Reads the body of a request as JSON of a known shape.
enum JSONBody {
    /// The value that `data` says. A key that the shape does not have is refused, and so is what is no such JSON.
    static func decode<Value: Codable>(_ type: Value.Type, _ data: Data) throws -> Value {
        do {
            let value = try JSONDecoder().decode(type, from: data)
            let unknown = try keys(data).subtracting(keys(try JSONEncoder().encode(value)))
            if let key = unknown.sorted().first {
                throw SiteError.invalid("the body has the unknown key \(key.prefix(80))", "see docs/reference/http.md")
            }
            return value
        } catch let error as DecodingError {
            throw SiteError.invalid(
                "the body is not what this route takes: \(explain(error))", "see docs/reference/http.md")
        }
    }

    /// The keys of a JSON object that have a value.
    private static func keys(_ data: Data) throws -> Set<String> {
        Set(try JSONDecoder().decode([String: Presence].self, from: data).filter(\.value.isThere).keys)
    }

    /// Whether a JSON value is there, whatever it is.
    private struct Presence: Decodable {
        let isThere: Bool

        init(from decoder: any Decoder) throws { isThere = try !decoder.singleValueContainer().decodeNil() }
    }

    private static func explain(_ error: DecodingError) -> String {
        func at(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        switch error {
        case .keyNotFound(let key, _): return "\(key.stringValue) is missing"
        case .valueNotFound(_, let context): return "\(at(context.codingPath)) is null"
        case .typeMismatch(_, let context): return "\(at(context.codingPath)) has the wrong type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return "\(at(context.codingPath)): \(context.debugDescription)"
        case .dataCorrupted: return "no JSON"
        @unknown default: return "no JSON of that shape"
        }
    }
}
