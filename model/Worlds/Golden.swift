/// Writes states as the golden graphs do: a head, then fields that are left out at their resting value.
struct LineText {
    private(set) var text: String

    init(head: String) { text = head }

    /// Appends ` name=value` unless the value is the resting one.
    mutating func field(_ name: String, _ value: String, resting: String = "-") {
        if value != resting { text += " \(name)=\(value)" }
    }

    /// The same for a flag, `1` or `0`.
    mutating func flag(_ name: String, _ value: Bool, resting: Bool = false) {
        if value != resting { text += " \(name)=\(value ? 1 : 0)" }
    }
}

extension String {
    /// `name(a,b)`, or the name alone.
    static func call(_ name: String, _ arguments: String...) -> String {
        arguments.isEmpty ? name : "\(name)(\(arguments.joined(separator: ",")))"
    }
}
