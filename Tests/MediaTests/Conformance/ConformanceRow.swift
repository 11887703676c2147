import Testing

/// What a scripted camera does otherwise than a good one, how it is dialled, and what must come of it.
struct ConformanceRow: Decodable, Sendable, CustomTestStringConvertible {
    /// Row of the list of quirks; 0 for one beyond it.
    let number: Int
    let name: String
    let quirk: String
    let address: String
    let transport: String
    let credential: Bool
    /// The failure with which the dial must end, where that is right.
    let end: String?
    /// What the reason of the failure, or of a track that is left out, must contain.
    let says: [String]
    /// How many pictures at the begin may be left out.
    let mayMiss: Int
    let silenceMs: Int64?
    /// Whether it takes seconds, because the camera's clock or patience is what is tried.
    let isSlow: Bool
    /// How many frames must be flagged as damaged.
    let damaged: UInt64
    /// How many packets must be missed; nil where that is not told.
    let lost: UInt64?
    /// How often it is dialled; the last dial is judged.
    let dials: Int
    /// How many frames must come.
    let pictures: Int
    let sounds: Int
    /// Whether its sound is recorded as AAC that is made of it.
    let makesSound: Bool

    var testDescription: String { "\(number) \(name)" }
}

/// What a scripted camera was asked, complains of, and expects to have been recorded.
struct ConformanceTold: Decodable, Sendable {
    let connections: Int
    let asked: [String]
    let complaints: [String]
    /// SHA-256 of each frame.
    let video: [String]
    let audio: [String]
}
