/// One key of a file: everything that loader, JSON Schema and reference say about it.
struct Key: Sendable {
    /// What may follow the key.
    indirect enum Value: Sendable {
        /// A value of this form.
        case value(ValueForm)
        /// A section with these keys.
        case section([Key])
        /// A value, or a section with these keys.
        case valueOrSection(ValueForm, [Key])
        /// A list of values, at most `limit`.
        case values(ValueForm, limit: Int)
        /// A list of sections, at most `limit`.
        case sections([Key], limit: Int)
        /// Names chosen by the owner (shown as `placeholder`), each with a section; at most `limit`.
        case named(placeholder: String, [Key], limit: Int)
        /// Names chosen by the owner, each with the corners of an area of the picture; at most `limit`.
        case areas(limit: Int)
    }

    let name: String
    let value: Value
    let required: Bool
    /// The default as it would be written; nil when there is none.
    let standard: String?
    /// What holds when the key is left out and `standard` is nil, in words.
    let absence: String
    /// What the key is for, one sentence or two.
    let purpose: String

    init(
        _ name: String, _ value: Value, required: Bool = false, standard: String? = nil, absence: String = "",
        _ purpose: String
    ) {
        self.name = name
        self.value = value
        self.required = required
        self.standard = standard
        self.absence = absence
        self.purpose = purpose
    }

    /// The keys inside, where there are any.
    var children: [Key] {
        switch value {
        case .value, .values, .areas: []
        case .section(let keys), .valueOrSection(_, let keys), .sections(let keys, _), .named(_, let keys, _): keys
        }
    }
}

extension Key {
    /// A key with the path that leads to it, for tables: `cameras.<name>.main`.
    struct Located {
        let path: String
        let key: Key
    }

    /// All keys below `keys`, sections before what is in them.
    static func flattened(_ keys: [Key], under prefix: String = "") -> [Located] {
        keys.flatMap { key -> [Located] in
            let path = prefix.isEmpty ? key.name : "\(prefix).\(key.name)"
            let inner =
                switch key.value {
                case .sections: path + "[]"
                case .named(let placeholder, _, _): "\(path).<\(placeholder)>"
                default: path
                }
            return [Located(path: path, key: key)] + flattened(key.children, under: inner)
        }
    }
}
