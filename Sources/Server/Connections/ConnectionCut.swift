/// Connections that the server closed because of their client.
public struct ConnectionCut: Hashable, Sendable {
    /// Why.
    public enum Reason: Hashable, Sendable {
        /// The head of a request was not whole in time.
        case head
        /// The body of a request was not whole in time.
        case body
        /// A body went on and on.
        case longBody
        /// Bytes came and came behind a request for another protocol.
        case behindLast
        /// An answer was not taken in time.
        case unread
        /// All places were taken, and this one waited longest for its client.
        case crowded
        /// All places were taken by connections that were being answered.
        case refused
    }

    /// Who: a user and process, or an address.
    public let peer: String
    /// The request that was under way or came last, if one did.
    public let request: String?
    /// Why.
    public let reason: Reason
    /// How many were closed since one was told, this one included.
    public let count: Int
}

extension ConnectionCut.Reason: CustomStringConvertible {
    /// In words.
    public var description: String {
        switch self {
        case .head: "the head of its request did not come in time"
        case .body: "the body of its request did not come in time"
        case .longBody: "the body of its request went on after \(Limits.bodyBytesEver) bytes"
        case .behindLast:
            "it said more than \(Limits.bytesBehindLastMax) bytes behind a request for another protocol, before the answer"
        case .unread: "it did not take its answer in time"
        case .crowded: "its place was needed, and it waited for its client"
        case .refused: "every place was taken"
        }
    }
}
