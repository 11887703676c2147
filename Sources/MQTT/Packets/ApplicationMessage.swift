/// What is published under a topic (MQTT 3.1.1, 1.2: "Application Message").
public struct ApplicationMessage: Hashable, Sendable {
    /// The topic, without wildcards.
    public var topic: String
    /// The bytes; none takes away what the broker keeps of the topic.
    public var payload: [UInt8]
    /// Of what is published: the broker is to keep it. Of what comes: the broker kept it, or it was published to be kept.
    public var isRetained: Bool
    /// It may have come before.
    public var isDuplicate: Bool

    /// A message.
    public init(topic: String, payload: [UInt8], isRetained: Bool, isDuplicate: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.isDuplicate = isDuplicate
    }
}
