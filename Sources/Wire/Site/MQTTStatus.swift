/// How the broker of MQTT stands.
public struct MQTTStatus: Hashable, Sendable, Codable {
    /// Its address.
    public var broker: String
    /// Whether it takes what is published.
    public var connected: Bool
    /// Since when it does, or does not.
    public var since: WallTime
    /// Why it does not; absent while it does, and before the first attempt has ended.
    public var why: String?
    /// Commands that came from it since the daemon began.
    public var commands: Int64
    /// Messages to topics of commands that counted for nothing since the daemon began.
    public var ignored: Int64

    /// How it stands.
    public init(
        broker: String, connected: Bool, since: WallTime, why: String? = nil, commands: Int64 = 0, ignored: Int64 = 0
    ) {
        self.broker = broker
        self.connected = connected
        self.since = since
        self.why = why
        self.commands = commands
        self.ignored = ignored
    }
}
