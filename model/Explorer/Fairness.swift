/// An assumption that the world does not put off an action for ever, with the reason why the daemon may assume it.
///
/// As in TLA+ (`WF_vars`, `SF_vars`), only steps that change the state count: an action is enabled where it has an edge to
/// another state, and taken where such an edge is followed. A self-loop satisfies nothing.
public struct Fairness<Action> {
    /// How strong the assumption is.
    public enum Strength: Sendable {
        /// Enabled from some point on without a break: taken again and again.
        case weak
        /// Enabled again and again, even with breaks: taken again and again.
        case strong
    }

    /// Its name in verdicts.
    public let name: String
    /// How strong it is.
    public let strength: Strength
    /// The mechanism of the daemon that justifies it.
    public let because: String
    /// Which actions it speaks of.
    public let includes: (Action) -> Bool

    /// An assumption.
    public init(
        _ strength: Strength, _ name: String, because: String, includes: @escaping (Action) -> Bool
    ) {
        self.strength = strength
        self.name = name
        self.because = because
        self.includes = includes
    }
}
