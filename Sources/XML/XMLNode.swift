/// An element of an answer with what is in it. Made only of documents within bounds (`XMLBounds`).
package struct XMLNode: Hashable, Sendable {
    /// The name without its prefix.
    package let name: String
    /// The namespace that its prefix stands for; nil where none is declared, or an empty one.
    package let namespace: String?
    /// The values of its attributes by their names without prefixes.
    package let attributes: [String: String]
    /// The text that stands in the element itself, as it came.
    package private(set) var text = ""
    /// The elements in it, in order.
    package private(set) var children: [XMLNode] = []

    /// The root element of a document.
    package static func parse(_ bytes: [UInt8], within bounds: XMLBounds = XMLBounds()) throws(XMLDefect) -> XMLNode {
        var reader = try XMLReader(bytes, within: bounds)
        var (open, count, root) = ([XMLNode](), 0, XMLNode?.none)
        // What each prefix stands for, the innermost last, and which prefixes each open element declares.
        var (namespaces, declared) = ([String: [String]](), [[String]]())
        while true {
            switch try reader.next() {
            case .start(let tag):
                count += 1
                guard count <= bounds.elements else {
                    throw XMLDefect("more than \(bounds.elements) elements", at: bytes.count)
                }
                for (prefix, namespace) in tag.namespaces { namespaces[prefix, default: []].append(namespace) }
                declared.append(Array(tag.namespaces.keys))
                open.append(
                    XMLNode(
                        name: tag.name, namespace: namespaces[tag.prefix]?.last.flatMap { $0.isEmpty ? nil : $0 },
                        attributes: tag.attributes))
            case .text(let text):
                if let last = open.indices.last { open[last].text += text }
            case .end:
                guard let node = open.popLast() else { throw XMLDefect("an end without a begin", at: bytes.count) }
                for prefix in declared.removeLast() { namespaces[prefix]?.removeLast() }
                if let parent = open.indices.last { open[parent].children.append(node) } else { root = node }
            case .done:
                guard let root else { throw XMLDefect("there is no element", at: bytes.count) }
                return root
            }
        }
    }

    /// The first element of this name.
    package func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// The text of the first element of this name.
    package func text(_ name: String) -> String? { child(name)?.text }

    /// Every element of this name.
    package func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// The element as XML that stands for itself: it declares the namespaces that it needs. `more` is put among the attributes of
    /// the outermost element, as XML. Attributes of a namespace come without it. Nil where it would be longer than `max` bytes;
    /// that takes no more than they do.
    package func markup(with more: String = "", max: Int) -> String? {
        var out = ""
        return write(into: &out, more, max) ? out : nil
    }

    private func write(into out: inout String, _ more: String, _ max: Int) -> Bool {
        let values = attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        let least = 2 * name.utf8.count + more.utf8.count + (namespace?.utf8.count ?? 0) + values + text.utf8.count
        guard out.utf8.count + least <= max else { return false }
        let prefix = namespace == nil ? "" : "n:"
        out += "<\(prefix)\(name)" + (namespace.map { " xmlns:n=\"\(Self.escaped($0))\"" } ?? "") + more
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) { out += " \(key)=\"\(Self.escaped(value))\"" }
        out += ">" + Self.escaped(text)
        for child in children where !child.write(into: &out, "", max) { return false }
        out += "</\(prefix)\(name)>"
        return out.utf8.count <= max
    }

    /// Text with what XML needs escaped.
    package static func escaped(_ text: String) -> String {
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
