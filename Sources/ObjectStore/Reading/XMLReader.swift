/// Reads XML as S3-compatible stores answer it, event by event, and strictly: elements, text, CDATA, comments and processing
/// instructions. A document type is refused, and with it every entity but the five of XML and characters by number, so nothing can
/// grow beyond the bytes that came. Attributes are skipped; prefixes of names are left out. All bounds are constants with a name.
struct XMLReader {
    /// What comes next in the document.
    enum Event: Hashable {
        /// An element begins; its name without the prefix.
        case start(String)
        /// Text of the element that is open, as it stands, in as many pieces as it comes.
        case text(String)
        /// The element that is open ends.
        case end
        /// The document is over, and was whole.
        case done
    }

    /// What no reader needs to take, in bytes.
    static let bytesMax = 8 << 20
    /// How many elements may be open at a time.
    static let depthMax = 16
    /// How long a name may be, in bytes.
    static let nameMax = 256
    /// How many attributes an element may have.
    static let attributesMax = 16

    private let bytes: [UInt8]
    private var place = 0
    /// The names of the open elements as they were written.
    private var open: [ArraySlice<UInt8>] = []
    private var sawRoot = false
    /// Whether the element that began last ended in the same tag.
    private var endsAtOnce = false

    /// A reader at the begin of `bytes`. A byte order mark is skipped.
    init(_ bytes: [UInt8]) throws(XMLDefect) {
        guard bytes.count <= Self.bytesMax else { throw XMLDefect("more than \(Self.bytesMax) bytes", at: 0) }
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { place = 3 }
    }

    /// The next event. After `.done` or an error nothing more is to be asked for.
    mutating func next() throws(XMLDefect) -> Event {
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
        guard open.count < Self.depthMax else { throw defect("more than \(Self.depthMax) open elements") }
        let name = try name()
        var attributes = 0
        while true {
            let before = place
            skipBlanks()
            if skip("/>") {
                endsAtOnce = true
                break
            }
            if skip(">") { break }
            attributes += 1
            guard attributes <= Self.attributesMax, place > before else { throw defect("a tag that is not understood") }
            try skipAttribute()
        }
        open.append(name)
        sawRoot = true
        let colon = name.lastIndex(of: UInt8(ascii: ":"))
        let local = colon.map { name[($0 + 1)...] } ?? name
        guard !local.isEmpty else { throw defect("a name that is only a prefix") }
        return .start(try string(local))
    }

    private mutating func end() throws(XMLDefect) -> Event {
        let name = try name()
        skipBlanks()
        guard skip(">") else { throw defect("an end tag that does not end") }
        guard open.popLast() == name else { throw defect("an end tag of another element") }
        return .end
    }

    private mutating func skipAttribute() throws(XMLDefect) {
        _ = try name()
        skipBlanks()
        guard skip("=") else { throw defect("an attribute without a value") }
        skipBlanks()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") else {
            throw defect("a value without quotes")
        }
        let quote = bytes[place]
        guard let end = bytes[(place + 1)...].firstIndex(of: quote), !bytes[place..<end].contains(UInt8(ascii: "<"))
        else {
            throw defect("a value that does not end")
        }
        place = end + 1
    }

    private mutating func text() throws(XMLDefect) -> String {
        var text: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "<") {
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
        guard let text = String(validating: bytes, as: UTF8.self) else { throw defect("bytes that are no UTF-8") }
        return text
    }

    private func defect(_ what: String) -> XMLDefect { XMLDefect(what, at: place) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }
}

/// Why bytes are no XML that is taken.
struct XMLDefect: Error, Hashable {
    /// What is wrong, in words of our own: nothing of what came is repeated.
    let what: String
    /// Where, in bytes from the begin.
    let place: Int

    init(_ what: String, at place: Int) {
        self.what = what
        self.place = place
    }
}
