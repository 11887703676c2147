internal import Machines

/// Which clips or events are asked for. A listing is always one page; `after` asks for the next.
public struct ListFilter: Hashable, Sendable {
    /// In which order a listing goes on, by start, then by id.
    public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
        /// The oldest first.
        case oldest
        /// The newest first.
        case newest
    }

    /// Most elements of one page.
    public static let pageMax = 1_000
    /// Elements of one page where the request does not say.
    public static let pageDefault = 200

    /// Only these cameras; all where nil.
    public var cameras: [String]?
    /// Only what ends after this moment (or has not ended); open where nil.
    public var from: WallTime?
    /// Only what starts before this moment; open where nil.
    public var to: WallTime?
    /// Most elements of this page, 1…`pageMax`.
    public var limit: Int
    /// Whether every element is asked for, page after page in one answer.
    public var isWhole = false
    /// The order of the listing.
    public var order: Order
    /// The `next` of the page before; nil for the first page.
    public var after: String?
    /// What else is asked of events.
    public var conditions = EventConditions()

    /// The one camera that is asked for; nil where it is several or all.
    public var onlyCamera: String? { cameras?.count == 1 ? cameras?.first : nil }

    /// A filter that lets everything pass unless told otherwise.
    public init(
        camera: String? = nil, from: WallTime? = nil, to: WallTime? = nil, limit: Int = ListFilter.pageDefault,
        order: Order = .oldest, after: String? = nil
    ) {
        cameras = camera.map { [$0] }
        self.from = from
        self.to = to
        self.limit = limit
        self.order = order
        self.after = after
    }
}

extension ListFilter {
    /// The parameters that ask for it, by name; nil where one is not needed.
    public var query: [(String, String?)] {
        func list(_ words: [String]?) -> String? { words.flatMap { $0.isEmpty ? nil : $0.joined(separator: ",") } }
        return [
            ("camera", list(cameras)), ("from", from?.rfc3339), ("to", to?.rfc3339), ("limit", String(limit)),
            ("order", order.rawValue), ("after", after),
            ("level", list(conditions.levels.map { String($0.rawValue) })),
            ("zone", list(conditions.zones.map { $0.isEmpty ? "outside" : $0 })),
            ("label", list(conditions.labels)), ("cause", list(conditions.causes.map(\.rawValue))),
            ("unseen", conditions.isUnseen ? "true" : nil),
            ("offset", conditions.offset > 0 ? String(conditions.offset) : nil),
        ]
    }
}
