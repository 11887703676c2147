internal import Machines

extension ListFilter {
    /// The parameters that ask for it, by name; nil where one is not needed.
    public var query: [(String, String?)] {
        func list(_ words: [String]?) -> String? { words.flatMap { $0.isEmpty ? nil : $0.joined(separator: ",") } }
        return [
            ("camera", list(cameras)), ("from", from?.rfc3339), ("to", to?.rfc3339), ("limit", String(limit)),
            ("order", order.rawValue), ("after", after),
            ("level", list(conditions.levels.map { String($0.rawValue) })),
            ("zone", list(conditions.zones.map { $0.isEmpty ? "outside" : $0 })),
            ("cause", list(conditions.causes.map(\.rawValue))), ("unseen", conditions.isUnseen ? "true" : nil),
            ("offset", conditions.offset > 0 ? String(conditions.offset) : nil),
        ]
    }
}
