/// Which stream a transport takes.
public enum TransportStreamID: Hashable, Sendable, Codable {
    /// The daemon chooses; null in JSON.
    case automatic
    /// The stream of this number; 0 is the camera's main stream, and its sound.
    case number(Int)

    /// Null, or a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .automatic : .number(try container.decode(Int.self))
    }

    /// Null, or a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .automatic: try container.encodeNil()
        case .number(let number): try container.encode(number)
        }
    }
}

/// One stream of a transport, with the name of its track.
public struct TransportStream: Hashable, Sendable, Codable {
    /// The name of its track, 1…16 characters.
    public var name: String
    /// The number of the stream; 0 is the camera's main stream, and its sound.
    public var id: Int

    /// A stream.
    public init(name: String, id: Int) { (self.name, self.id) = (name, id) }
}
