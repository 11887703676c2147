/// The body of `POST /v1/discover`: looks for cameras by ONVIF, or asks one.
public struct DiscoverCommand: Hashable, Sendable, Codable {
    /// How long answers may be waited for, in milliseconds.
    public static let waitMs: ClosedRange<Int64> = 1_000...10_000

    /// The one device to ask: `HOST`, `HOST:PORT` or `http://HOST/PATH`; absent: all interfaces are searched.
    public var address: String?
    /// The login to ask it with; only with `address`.
    public var login: DeviceAccount?
    /// The name of a login of vigil.yaml in its place; only with `address`.
    public var credential: String?
    /// How long answers to a search are waited for, in milliseconds, of `waitMs`; absent: 3,000.
    public var waitMs: Int64?

    /// A search on all interfaces.
    public init() {}

    /// What is wrong with it and what to do; nil where it can be done.
    public var flaw: (reason: String, remedy: String)? {
        if let waitMs, !Self.waitMs.contains(waitMs) { return ("waitMs is \(waitMs)", "give 1000 to 10000") }
        guard address == nil else {
            if login != nil, credential != nil { return ("there are two logins", "give login or credential") }
            return login?.flaw
        }
        return login == nil && credential == nil
            ? nil : ("a login would go to whoever answers", "name the one device with address")
    }
}
