/// The body of `POST /v1/simulate`: a policy by its name or by its text, and the time that counts.
public struct SimulateRequest: Hashable, Sendable, Codable {
    /// The name of a policy of the configuration in force; nil where a text is given.
    public var policy: String?
    /// The text of a policy file; nil where a name is given.
    public var text: String?
    /// Only this camera; nil for all.
    public var camera: String?
    /// The begin of the time that counts.
    public var from: WallTime
    /// Its end, after the begin; what has not come yet is left out.
    public var to: WallTime

    /// A question.
    public init(policy: String? = nil, text: String? = nil, camera: String? = nil, from: WallTime, to: WallTime) {
        self.policy = policy
        self.text = text
        self.camera = camera
        self.from = from
        self.to = to
    }

    /// What is wrong with it and what to do about it; nil where nothing is.
    package var flaw: (String, String)? {
        switch (policy, text) {
        case (nil, nil): ("neither policy nor text is given", "give the name of a policy, or the text of one")
        case (.some, .some): ("policy and text are given", "give one of the two")
        default: nil
        }
    }
}
