/// Whoever publishes over a connection, and hears what comes.
public protocol BrokerClient: Sendable {
    /// The broker has taken the connection; what `next` gives is published from now on.
    func connected() async

    /// What is to be published next, in order; waits until there is something. nil: nothing more, the connection ends in order.
    func next() async -> ApplicationMessage?

    /// A message came. It returns soon: meanwhile nothing is read.
    func received(_ message: ApplicationMessage)

    /// A message came that cannot be used, and was dropped.
    func dropped()

    /// The broker does not take what it was asked for, in words of which there are few; it goes on with the rest.
    func refused(_ words: String)
}

/// Why a connection to a broker ended, or was none. Holds no secret.
public struct BrokerFailure: Error, Hashable, Sendable {
    /// In a few words without a capital and a stop: `the broker refuses user and password`.
    public let words: String

    init(_ words: String) { self.words = words }
}
