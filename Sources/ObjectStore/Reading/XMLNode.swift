/// An element of an answer with what is in it. Made only of bounded documents (`XMLReader`), with a bound on elements of its own.
struct XMLNode: Hashable {
    /// How many elements a document may have: a page of 1,000 keys has some 10,000.
    static let elementsMax = 50_000

    /// The name without its prefix.
    let name: String
    /// The text that stands in the element itself, as it came.
    private(set) var text = ""
    /// The elements in it, in order.
    private(set) var children: [XMLNode] = []

    /// The root element of a document.
    static func parse(_ bytes: [UInt8]) throws(XMLDefect) -> XMLNode {
        var reader = try XMLReader(bytes)
        var (open, count, root) = ([XMLNode](), 0, XMLNode?.none)
        while true {
            switch try reader.next() {
            case .start(let name):
                count += 1
                guard count <= elementsMax else {
                    throw XMLDefect("more than \(elementsMax) elements", at: bytes.count)
                }
                open.append(XMLNode(name: name))
            case .text(let text):
                if let last = open.indices.last { open[last].text += text }
            case .end:
                guard let node = open.popLast() else { throw XMLDefect("an end without a begin", at: bytes.count) }
                if let parent = open.indices.last { open[parent].children.append(node) } else { root = node }
            case .done:
                guard let root else { throw XMLDefect("there is no element", at: bytes.count) }
                return root
            }
        }
    }

    /// The first element of this name.
    func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// The text of the first element of this name.
    func text(_ name: String) -> String? { child(name)?.text }

    /// Every element of this name.
    func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// Text with what XML needs escaped.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            case "\"": out += "&quot;"
            case "'": out += "&apos;"
            case "\t", "\n", "\r", "\u{85}", "\u{2028}": out += "&#\(scalar.value);"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
