internal import Foundation
internal import Testing
internal import Yams

/// docs/reference/openapi.yaml, read.
struct OpenAPIDocument {
    /// One operation of it.
    struct Operation {
        let method: String
        let path: String
        let node: [String: Any]

        /// `GET /v1/health`, as a route's.
        var title: String { "\(method.uppercased()) \(path)" }
        /// What it answers with where it does not refuse, by status and media type; nothing by media type: no body.
        var answers: [Int: [String: Any]] {
            let responses = (node["responses"] as? [String: Any] ?? [:]).filter { $0.key != "default" }
            return Dictionary(
                responses.compactMap { status, response in
                    Int(status).map { ($0, (response as? [String: Any])?["content"] as? [String: Any] ?? [:]) }
                }, uniquingKeysWith: { first, _ in first })
        }
        /// What it takes, by media type.
        var requests: [String: Any]? { (node["requestBody"] as? [String: Any])?["content"] as? [String: Any] }
        /// The example of its body, as JSON or as the text that it is.
        var body: String? {
            if let text = (requests?["application/sdp"] as? [String: Any])?["example"] as? String { return text }
            guard let example = (requests?["application/json"] as? [String: Any])?["example"],
                let data = try? JSONSerialization.data(withJSONObject: example)
            else { return nil }
            return String(decoding: data, as: UTF8.self)
        }

        private var parameters: [[String: Any]] { node["parameters"] as? [[String: Any]] ?? [] }

        /// The names of its parameters there.
        func parameters(in place: String) -> Set<String> {
            Set(parameters.filter { $0["in"] as? String == place }.compactMap { $0["name"] as? String })
        }

        /// Its address by its examples, with something more in the query.
        func uri(adding more: String? = nil) -> String {
            var (uri, query) = (path, [String]())
            for parameter in parameters {
                guard let name = parameter["name"] as? String, let example = parameter["example"] else { continue }
                let text = (example as? [Any])?.map { "\($0)" }.joined(separator: ",") ?? "\(example)"
                switch parameter["in"] as? String {
                case "path": uri = uri.replacing("{\(name)}", with: text)
                case "query": query.append("\(name)=\(text)")
                default: break
                }
            }
            if let more { query.append(more) }
            return query.isEmpty ? uri : uri + "?" + query.joined(separator: "&")
        }
    }

    let operations: [Operation]
    private let root: [String: Any]

    init() throws {
        let file = Repository.root.appendingPathComponent("docs/reference/openapi.yaml")
        root = try #require(Yams.load(yaml: String(contentsOf: file, encoding: .utf8)) as? [String: Any])
        let paths = try #require(root["paths"] as? [String: [String: [String: Any]]])
        operations = paths.flatMap { path, methods in
            methods.map { Operation(method: $0.key, path: path, node: $0.value) }
        }.sorted { $0.title < $1.title }
    }

    /// The operation of that title.
    func operation(_ title: String) -> Operation? { operations.first { $0.title == title } }

    /// What of `value` is not as `schema` says; nil: nothing. Knows the words of JSON Schema that the document uses.
    func flaw(of value: Any?, by schema: Any, at place: String = "") -> String? {
        guard let schema = resolved(schema) else { return "\(place): no such schema" }
        if let choices = schema["oneOf"] as? [Any] {
            let fitting = choices.count { flaw(of: value, by: $0, at: place) == nil }
            if fitting != 1 { return "\(place): \(fitting) of \(choices.count) schemas fit" }
        }
        if let words = schema["enum"] as? [Any?], !words.contains(where: { same($0, value) }) {
            return "\(place): \(String(describing: value)) is none of the words"
        }
        let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
        if !types.isEmpty, !types.contains(where: { isOf($0, value) }) {
            return "\(place): \(String(describing: value)) is no \(types)"
        }
        if let minimum = schema["minimum"] as? Int, let number = value as? Int, number < minimum {
            return "\(place): \(number) is less than \(minimum)"
        }
        if let items = schema["items"], let values = value as? [Any?] {
            return values.enumerated().lazy.compactMap { flaw(of: $1, by: items, at: "\(place)[\($0)]") }.first
        }
        return (value as? [String: Any]).flatMap { flaw(of: $0, of: schema, at: place) }
    }

    private func flaw(of object: [String: Any], of schema: [String: Any], at place: String) -> String? {
        for name in schema["required"] as? [String] ?? [] where object[name] == nil { return "\(place): no \(name)" }
        let properties = schema["properties"] as? [String: Any] ?? [:]
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            if let property = properties[name] {
                if let flaw = flaw(of: value, by: property, at: "\(place).\(name)") { return flaw }
            } else if schema["additionalProperties"] as? Bool == false {
                return "\(place): \(name) is not described"
            } else if let other = schema["additionalProperties"] as? [String: Any] {
                if let flaw = flaw(of: value, by: other, at: "\(place).\(name)") { return flaw }
            }
        }
        return nil
    }

    private func resolved(_ schema: Any) -> [String: Any]? {
        guard let schema = schema as? [String: Any] else { return nil }
        guard let reference = schema["$ref"] as? String else { return schema }
        var node: Any? = root
        for name in reference.split(separator: "/").dropFirst() { node = (node as? [String: Any])?[String(name)] }
        return node.flatMap(resolved)
    }

    private func isNull(_ value: Any?) -> Bool { value == nil || value is NSNull }

    private func same(_ one: Any?, _ other: Any?) -> Bool {
        if isNull(one) || isNull(other) { return isNull(one) && isNull(other) }
        return (one as? String).map { $0 == other as? String } ?? (one as? Int).map { $0 == other as? Int } ?? false
    }

    private func isOf(_ type: String, _ value: Any?) -> Bool {
        switch type {
        case "null": isNull(value)
        case "string": value is String
        case "boolean": value is Bool
        case "integer": value is Int
        case "number": value is Int || value is Double
        case "array": value is [Any]
        case "object": value is [String: Any]
        default: false
        }
    }
}
