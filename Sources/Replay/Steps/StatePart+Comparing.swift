internal import Foundation
internal import Trace

extension StatePart {
    /// The most parts that are named.
    static let countMax = 12

    /// Where two texts of JSON part, in the order of their paths; at most ``countMax``.
    static func all(recorded: String, replayed: String) -> [StatePart] {
        guard let left = try? JSONDecoder().decode(JSONTree.self, from: Data(recorded.utf8)),
            let right = try? JSONDecoder().decode(JSONTree.self, from: Data(replayed.utf8))
        else { return [StatePart(path: "", recorded: recorded, replayed: replayed)] }
        var parts: [StatePart] = []
        compare(left, right, path: "", &parts)
        return Array(parts.prefix(countMax))
    }

    private static func compare(_ left: JSONTree?, _ right: JSONTree?, path: String, _ parts: inout [StatePart]) {
        guard left != right else { return }
        if case .object(let left)? = left, case .object(let right)? = right {
            for key in Set(left.keys).union(right.keys).sorted() {
                compare(left[key], right[key], path: path.isEmpty ? key : path + "." + key, &parts)
            }
            return
        }
        parts.append(StatePart(path: path, recorded: left?.text, replayed: right?.text))
    }
}

/// Any JSON.
private enum JSONTree: Codable, Hashable {
    case object([String: JSONTree])
    case array([JSONTree])
    case text(String)
    case truth(Bool)
    case number(Int64)
    case natural(UInt64)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .truth(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .natural(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .truth(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .natural(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }

    var text: String { (try? CanonicalJSON.text(of: self)) ?? "" }
}
