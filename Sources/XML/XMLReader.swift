/// Reads XML as stores and cameras answer it, event by event, and strictly: elements, text, CDATA, comments and processing
/// instructions. A document type is refused, and with it every entity but the five of XML and characters by number, so nothing can
/// grow beyond the bytes that came.
package struct XMLReader {
    /// The tag with which an element begins.
    package struct Tag: Hashable, Sendable {
        /// The name without its prefix.
        package let name: String
        /// What stands before the colon of the name; empty where there is none.
        package let prefix: String
        /// The values of its attributes by their names without prefixes. Of two of one name the first counts.
        package fileprivate(set) var attributes: [String: String] = [:]
        /// The namespaces that it declares, by their prefixes; that of an empty prefix holds for names without one.
        package fileprivate(set) var namespaces: [String: String] = [:]
    }

    /// What comes next in the document.
    package enum Event: Hashable, Sendable {
        /// An element begins.
        case start(Tag)
        /// Text of the element that is open, as it stands, in as many pieces as it comes.
        case text(String)
        /// The element that is open ends.
        case end
        /// The document is over, and was whole.
        case done
    }

    /// How long a name may be, in bytes.
    package static let nameMax = 256

    private let bounds: XMLBounds
    private let bytes: [UInt8]
    private var place = 0
    /// The names of the open elements as they were written.
    private var open: [ArraySlice<UInt8>] = []
    private var sawRoot = false
    /// Whether the element that began last ended in the same tag.
    private var endsAtOnce = false

    /// A reader at the begin of `bytes`. A byte order mark is skipped.
    package init(_ bytes: [UInt8], within bounds: XMLBounds = XMLBounds()) throws(XMLDefect) {
        guard bytes.count <= bounds.bytes else { throw XMLDefect("more than \(bounds.bytes) bytes", at: 0) }
        self.bytes = bytes
        self.bounds = bounds
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { place = 3 }
    }

    /// The next event. After `.done` or an error nothing more is to be asked for.
    package mutating func next() throws(XMLDefect) -> Event {
        if endsAtOnce {
            endsAtOnce = false
            open.removeLast()
            return .end
        }
        while place < bytes.count {
            if bytes[place] != UInt8(ascii: "<") {
                let text = try text()
                if !open.isEmpty { return .text(text) }
                guard text.utf8.allSatisfy(Self.isBlank) else { throw defect("text outside of the root element") }
            } else if skip("<?") {
                try skipTo("?>", of: "a processing instruction")
            } else if skip("<!--") {
                try skipTo("-->", of: "a comment")
            } else if skip("<![CDATA[") {
                guard !open.isEmpty else { throw defect("CDATA outside of the root element") }
                return .text(try string(skipTo("]]>", of: "CDATA")))
            } else if skip("</") {
                return try end()
            } else if skip("<!") {
                throw defect("a document type, which is refused")
            } else {
                place += 1
                return try start()
            }
        }
        guard open.isEmpty, sawRoot else { throw defect(sawRoot ? "it ends too early" : "there is no element") }
        return .done
    }

    private mutating func start() throws(XMLDefect) -> Event {
        guard !sawRoot || !open.isEmpty else { throw defect("a second root element") }
        guard open.count < bounds.depth else { throw defect("more than \(bounds.depth) open elements") }
        let name = try name()
        let (prefix, local) = try parts(of: name)
        guard !local.isEmpty else { throw defect("a name that is only a prefix") }
        var (count, tag) = (0, Tag(name: local, prefix: prefix))
        while true {
            let before = place
            skipBlanks()
            if skip("/>") {
                endsAtOnce = true
                break
            }
            if skip(">") { break }
            count += 1
            guard count <= bounds.attributes, place > before else { throw defect("a tag that is not understood") }
            try attribute(into: &tag)
        }
        open.append(name)
        sawRoot = true
        return .start(tag)
    }

    private mutating func end() throws(XMLDefect) -> Event {
        let name = try name()
        skipBlanks()
        guard skip(">") else { throw defect("an end tag that does not end") }
        guard open.popLast() == name else { throw defect("an end tag of another element") }
        return .end
    }

    private mutating func attribute(into tag: inout Tag) throws(XMLDefect) {
        let (prefix, local) = try parts(of: name())
        skipBlanks()
        guard skip("=") else { throw defect("an attribute without a value") }
        skipBlanks()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") else {
            throw defect("a value without quotes")
        }
        let quote = bytes[place]
        place += 1
        let value = try text(upTo: quote)
        guard skip(quote == UInt8(ascii: "'") ? "'" : "\"") else { throw defect("a value that does not end") }
        switch (prefix, local) {
        case ("", "xmlns"): tag.namespaces[""] = tag.namespaces[""] ?? value
        case ("xmlns", let declared): tag.namespaces[declared] = tag.namespaces[declared] ?? value
        // A name that is only a prefix is none; and what some call the declaration of a prefix, too.
        case (_, ""), (_, "xmlns"): break
        default: tag.attributes[local] = tag.attributes[local] ?? value
        }
    }

    /// Text up to the next tag, or up to `quote`.
    private mutating func text(upTo quote: UInt8? = nil) throws(XMLDefect) -> String {
        var text: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "<"), bytes[place] != quote {
            if bytes[place] == UInt8(ascii: "&") {
                text += try reference()
            } else {
                text.append(bytes[place])
                place += 1
            }
        }
        return try string(text[...])
    }

    /// The bytes that `&…;` at the place stands for.
    private mutating func reference() throws(XMLDefect) -> [UInt8] {
        guard let end = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw defect("a reference that does not end")
        }
        let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
        var scalar: Unicode.Scalar?
        switch name {
        case "lt": scalar = "<"
        case "gt": scalar = ">"
        case "amp": scalar = "&"
        case "quot": scalar = "\""
        case "apos": scalar = "'"
        default:
            let isHex = name.hasPrefix("#x")
            let digits = name.dropFirst(isHex ? 2 : 1)
            if name.hasPrefix("#"), digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) {
                scalar = UInt32(digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
            }
        }
        guard let scalar, scalar.value != 0 else { throw defect("an entity that XML does not have itself") }
        place = end + 1
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func name() throws(XMLDefect) -> ArraySlice<UInt8> {
        let rest = bytes[place...]
        let name = rest.prefix(Self.nameMax + 1).prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: ":"), 0x80...:
                true
            default: false
            }
        }
        guard (1...Self.nameMax).contains(name.count) else { throw defect("a name that is none") }
        place += name.count
        return name
    }

    private mutating func skip(_ mark: StaticString) -> Bool {
        let count = mark.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        for index in 0..<count where bytes[place + index] != mark.utf8Start[index] { return false }
        place += count
        return true
    }

    /// Goes behind the next `mark` and returns what is before it.
    @discardableResult
    private mutating func skipTo(_ mark: StaticString, of what: String) throws(XMLDefect) -> ArraySlice<UInt8> {
        let begin = place
        while place < bytes.count {
            let end = place
            if skip(mark) { return bytes[begin..<end] }
            place += 1
        }
        throw defect("\(what) that does not end")
    }

    private mutating func skipBlanks() {
        while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
    }

    private func string(_ bytes: ArraySlice<UInt8>) throws(XMLDefect) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        guard bounds.repairsText else { throw defect("bytes that are no UTF-8") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What stands before the last colon of a name, and behind it.
    private func parts(of name: ArraySlice<UInt8>) throws(XMLDefect) -> (prefix: String, local: String) {
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return ("", try string(name)) }
        return (try string(name[..<colon]), try string(name[(colon + 1)...]))
    }

    private func defect(_ what: String) -> XMLDefect { XMLDefect(what, at: place) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }
}
