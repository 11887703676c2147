/// What is told between decoded frames, as JSON behind a head whose content is `FrameHead.Content.word`.
public struct FramesWord: Hashable, Sendable, Codable {
    /// True where the connection to the camera is over, told again every 20 s; frames of another dial follow when it is back. Nil in
    /// other words.
    public var lost: Bool?
    /// Why nothing follows: `privacy`, `draining`, `removed`, `slow`, `expired`, `left`, `budget`, `memory`,
    /// `undecodable`, `misused`. Nil in other words.
    public var ended: String?
    /// The same in a sentence, where the word does not say it all.
    public var why: String?

    /// A word.
    public init(lost: Bool? = nil, ended: String? = nil, why: String? = nil) {
        (self.lost, self.ended, self.why) = (lost, ended, why)
    }
}
