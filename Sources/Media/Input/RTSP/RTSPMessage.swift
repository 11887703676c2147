/// An RTSP answer, or a request that the camera makes (RFC 2326, 4 and 6).
struct RTSPMessage {
    /// The status of an answer; nil for a request.
    let status: Int?
    /// The reason phrase of an answer, the method of a request. Foreign text.
    let phrase: String
    /// Header fields in their order, names in lower case; a scalar for each byte (`Latin1`).
    let fields: [(name: String, value: String)]
    var body: [UInt8] = []

    /// The first field of that name, given in lower case.
    func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All fields of that name.
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Length of the body as announced; nil when it is no number.
    var contentLength: Int? {
        guard let text = first("content-length") else { return 0 }
        guard let length = Int(text), length >= 0 else { return nil }
        return length
    }

    /// Reads the head of a message, everything before the empty line; nil when it is none.
    init?(head: some Sequence<UInt8>) {
        let lines = Array(head).split { $0 == 10 || $0 == 13 }.map { Latin1.text($0).trimmingBlanks }
        guard let start = lines.first else { return nil }
        let words = start.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        if start.hasPrefix("RTSP/"), words.count >= 2, let status = Int(words[1]), (100...999).contains(status) {
            self.status = status
            phrase = words.count > 2 ? String(words[2]) : ""
        } else if words.count == 3, words[2].hasPrefix("RTSP/") {
            status = nil
            phrase = String(words[0])
        } else {
            return nil
        }
        var fields: [(name: String, value: String)] = []
        for line in lines.dropFirst().prefix(128) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].trimmingBlanks.lowercased()
            fields.append((name, String(line[line.index(after: colon)...].trimmingBlanks)))
        }
        self.fields = fields
    }
}

extension Character {
    /// A blank or a tab.
    var isBlank: Bool { self == " " || self == "\t" }
}

extension StringProtocol {
    /// Without blanks, tabs and line ends at both ends.
    var trimmingBlanks: String {
        let isBlank = { (character: Character) in character.isBlank || ["\n", "\r", "\r\n"].contains(character) }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(rest[...last])
    }

    /// The number that the text begins with; nil where it begins with no digit, or the number is too large.
    func leadingNumber<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        Number(prefix { $0.isASCII && $0.isNumber })
    }
}
