/// Reads the fields `Cookie` of a request (RFC 6265, 4.2). Pure: any text gives a value or none.
enum CookieText {
    /// The value of the cookie `name` in `fields`; nil where there is none or more than one, since another page of this host may
    /// have set a second one.
    static func value(of name: String, in fields: [String]) -> String? {
        var found: Substring?
        for field in fields {
            for pair in field.split(separator: ";", omittingEmptySubsequences: true) {
                let pair = pair.drop { $0 == " " || $0 == "\t" }
                guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { continue }
                guard found == nil else { return nil }
                found = pair[pair.index(after: equals)...]
            }
        }
        guard var value = found else { return nil }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        return String(value)
    }
}
