/// Where below its publishing point an object is pushed.
struct PushPath: Hashable, Sendable {
    /// Words in names of objects that say nothing of the track.
    private static let words: Set<String> = [
        "init", "header", "chunk", "segment", "seg", "fragment", "frag", "media", "streams",
    ]

    /// The whole path below the publishing point, without a slash at its begin.
    let text: String
    private let parts: [Substring]

    /// A path; throws where it is longer than one may be.
    init(_ text: String) throws(PushRefusal) {
        guard text.utf8.count <= PushLimits.pathBytesMax else {
            throw PushRefusal(
                .tooLarge, "the path below the publishing point has more than \(PushLimits.pathBytesMax) bytes",
                "push to a shorter one")
        }
        parts = text.split(separator: "/")
        self.text = parts.joined(separator: "/")
    }

    /// The session: the first folder, or none.
    var session: String { parts.count > 1 ? String(parts[0]) : "" }

    /// Everything before the name.
    var folder: String { parts.dropLast().joined(separator: "/") }

    /// The ending of the name in small letters.
    var ending: String {
        guard let name = parts.last, let dot = name.lastIndex(of: ".") else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// What the name says of the track: its words and numbers but for those that every name has. `isMedia`: without the last
    /// number, which is that of the segment or its time.
    func trackName(isMedia: Bool) -> String {
        let name = parts.last ?? ""
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        var found: [String] = []
        var isNumber = false
        for character in stem.lowercased() {
            let isDigit = character.isASCII && character.isNumber
            guard isDigit || character.isLetter else {
                found.append("")
                continue
            }
            if found.isEmpty || found[found.count - 1].isEmpty || isDigit != isNumber { found.append("") }
            found[found.count - 1].append(character)
            isNumber = isDigit
        }
        found.removeAll(where: \.isEmpty)
        if isMedia, let last = found.lastIndex(where: { $0.first?.isNumber ?? false }) { found.remove(at: last) }
        return found.filter { !Self.words.contains($0) }.joined(separator: " ")
    }
}
