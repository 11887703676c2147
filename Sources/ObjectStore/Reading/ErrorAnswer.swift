internal import XML

/// What a store says went wrong: its `Error` document, or the little that can be made of anything else.
struct ErrorAnswer: Hashable {
    /// How many characters of a message are kept.
    static let messageMax = 300
    /// From how many bytes on a word of a message is long: keys have 40, tokens hundreds.
    private static let wordMax = 32

    /// The store's code, such as `NoSuchKey`; nil where there is none.
    var code: String?
    /// The store's words, shortened and without control characters; nil where there are none.
    var message: String?
    /// The region that the bucket is in, where the store tells.
    var region: String?

    /// Nothing known.
    init() {}

    /// Reads the body of an answer. An error may also come with status 200, in the answer to completing an upload.
    init(_ bytes: [UInt8]) {
        self.init()
        guard let root = try? XMLNode.parse(bytes), root.name == "Error" else { return }
        self = ErrorAnswer(root)
    }

    /// Reads an `Error` element.
    init(_ node: XMLNode) {
        code = node.text("Code").flatMap(Self.word)
        message = node.text("Message").flatMap { Self.line(Self.withoutLongWords($0)) }
        region = node.text("Region").flatMap(Self.word)
    }

    /// A code: letters, digits, `.`, `-` and `_`, at most 64; nil for anything else.
    static func word(_ text: String) -> String? {
        let text = text.trimmed
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isWord && (1...64).contains(text.utf8.count) ? text : nil
    }

    /// Of a long word its length alone: it says nothing to a person, and may be what the request was signed with.
    private static func withoutLongWords(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).map { word in
            word.utf8.count < Self.wordMax ? String(word) : "(\(word.utf8.count) characters)"
        }.joined(separator: " ")
    }

    /// Text in one line, shortened; nil where nothing is left.
    static func line(_ text: String) -> String? { text.line(max: messageMax) }
}

/// What deleting many objects came to: one outcome for each key.
struct DeletionAnswer: Hashable {
    /// Keys that could not be deleted, with what the store said.
    let failed: [String: ErrorAnswer]

    /// Reads an answer to a request in quiet mode, which names failures alone; nil where it is none.
    init?(_ root: XMLNode) {
        guard root.name.hasPrefix("Delete") else { return nil }
        var failed: [String: ErrorAnswer] = [:]
        for node in root.all("Error") {
            guard let key = node.text("Key") else { return nil }
            failed[key] = ErrorAnswer(node)
        }
        self.failed = failed
    }
}
