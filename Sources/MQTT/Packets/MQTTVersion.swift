/// A version of the protocol.
public enum MQTTVersion: UInt8, Hashable, Sendable, CaseIterable {
    /// 3.1.1: the broker takes the retain flag off what it passes on as it comes, so only what was kept carries it.
    case v3 = 4
    /// 5: the broker is asked to leave the retain flag as it was published.
    case v5 = 5
}
