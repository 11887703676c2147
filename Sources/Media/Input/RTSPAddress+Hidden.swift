extension RTSPAddress {
    /// Parameters whose value is a password; an address that has one is shown without its path.
    private static let passwordKeys = ["password=", "passwd=", "pwd=", "pass="]
    /// How long a word of the path, and a value of the query, must be to be looked for in what a camera says, in bytes: a channel's
    /// number and the like would take half of each message with them. A password is looked for however short it is.
    private static let (wordBytesMin, valueBytesMin) = (6, 4)

    /// What nobody is shown of it, as it stands in it: the query, its values and, where there is a password, the path and its words
    /// (as `SourceAddress.redacted` has it).
    var hidden: [String] {
        let rest = text[(text.firstRange(of: "://")?.upperBound ?? text.startIndex)...]
        guard let start = rest.firstIndex(where: { "/?#".contains($0) }) else { return [] }
        let target: Substring = rest[start...]
        let path: Substring = target.prefix { $0 != "?" && $0 != "#" }
        let query: Substring = target[path.endIndex...].dropFirst()
        var parts: [Substring] = [query]
        for part in query.split(whereSeparator: { "&;#?".contains($0) }) {
            if let sign = part.firstIndex(of: "=") {
                parts.append(part[part.index(after: sign)...])
            } else {
                parts.append(part)
            }
        }
        parts.removeAll { $0.utf8.count < Self.valueBytesMin }
        let passwords = Self.passwords(in: target)
        if !passwords.isEmpty {
            let words = path.split(whereSeparator: { $0 == "/" }).filter { $0.utf8.count >= Self.wordBytesMin }
            parts.append(target)
            if !words.isEmpty { parts.append(path) }
            parts.append(contentsOf: words)
            parts.append(contentsOf: passwords)
        }
        return parts.map { String($0) }
    }

    /// The values of parameters that hold a password. Some cameras put an underscore between parameters, and a password may hold one.
    private static func passwords(in target: Substring) -> [Substring] {
        var found: [Substring] = []
        for start in target.indices {
            let rest = target[start...]
            guard let key = passwordKeys.first(where: { rest.prefix($0.count).lowercased() == $0 }) else { continue }
            let value: Substring = rest.dropFirst(key.count)
            for ends in ["&;#/?", "&;#/?_"] { found.append(value.prefix { !ends.contains($0) }) }
        }
        return found.filter { !$0.isEmpty }
    }
}
