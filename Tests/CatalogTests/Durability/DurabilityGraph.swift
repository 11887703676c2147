import Foundation
import Testing

/// The transitions of `model/Durability.tla` for one clip, as TLC has printed them.
struct DurabilityGraph {
    /// A step of a procedure, or a crash, and what it leads to.
    struct Edge: Hashable {
        let from: String
        let action: String
        let to: String
    }

    private(set) var edges: [String: [Edge]] = [:]
    private(set) var count = 0
    /// The state in which nothing has happened.
    static let start = "new"

    /// - Parameter name: a file of `model/edges`.
    init(_ name: String) throws {
        let tree = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: tree.appending(path: "model/edges/\(name).edges"), encoding: .utf8)
        for line in text.split(separator: "\n") {
            // state | action -> state | -
            let sides = line.components(separatedBy: " -> ")
            let left = try #require(sides.first).components(separatedBy: " | ")
            let right = try #require(sides.last).components(separatedBy: " | ")
            try #require(sides.count == 2 && left.count == 2 && right.count == 2, "\(line)")
            edges[left[0], default: []].append(Edge(from: left[0], action: left[1], to: right[0]))
            count += 1
        }
    }

    /// The actions that are possible in a state.
    func actions(in state: String) -> Set<String> { Set(edges[state, default: []].map(\.action)) }

    /// The shortest way from a state to an edge that is in `open`, with that edge; nil if none can be reached.
    func way(from state: String, to open: Set<Edge>) -> [Edge]? {
        var cameBy: [String: Edge?] = [state: nil]
        var queue = [state]
        var next = 0
        while next < queue.count {
            let here = queue[next]
            next += 1
            for edge in edges[here, default: []] {
                if open.contains(edge) {
                    var way = [edge]
                    while let before = cameBy[way[0].from] ?? nil { way.insert(before, at: 0) }
                    return way
                }
                guard cameBy[edge.to] == nil else { continue }
                cameBy[edge.to] = edge
                queue.append(edge.to)
            }
        }
        return nil
    }
}

/// The fields of a state's text: `head name=value …`.
struct DurabilityState {
    let head: String
    private let fields: [String: String]

    init(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        head = words.first ?? ""
        fields = Dictionary(
            words.dropFirst().map { word in
                let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
                return (pair[0], pair.last ?? "")
            }, uniquingKeysWith: { $1 })
    }

    func isSet(_ name: String) -> Bool { fields[name] == "1" }

    /// Fragments in the file.
    var fragments: Int { fields["file"].flatMap { Int($0.split(separator: "/")[0]) } ?? 0 }
}

extension CatalogHarness {
    /// One whole fragment, and a part of one.
    static var fragment: [UInt8] { [0x46, 8] + [UInt8](repeating: 1, count: 8) }
    static var torn: [UInt8] { [0x46, 8, 1, 2] }

    /// How many whole fragments lie in so many bytes.
    static func fragments(in bytes: Int) -> Int { max(0, bytes - 4) / fragment.count }

    func exists(_ relative: String) -> Bool { FileManager.default.fileExists(atPath: url(relative).path) }

    func bytes(_ relative: String) -> Int { (try? Data(contentsOf: url(relative)).count) ?? 0 }

    func fragments(_ relative: String) -> Int { Self.fragments(in: bytes(relative)) }

    func isTorn(_ relative: String) -> Bool {
        let bytes = bytes(relative)
        return bytes > 4 && (bytes - 4) % Self.fragment.count != 0
    }
}
