/// A promise about a plan: a value that follows from its input alone, so it has no states to walk through. It is asked of inputs at
/// random. A claim is written from the rules and the pages, without the plan's own steps.
struct Claim<Case: Sendable>: Sendable {
    /// The rule of docs/design/rules.md and a name.
    let name: String
    /// Whether a case is one of those that it speaks of: its antecedent, which some case must reach.
    let applies: @Sendable (Case) -> Bool
    /// Whether it holds there.
    let holds: @Sendable (Case) -> Bool

    /// A claim about the cases that `applies` picks; about all of them if it is left out.
    init(
        _ name: String, when applies: @escaping @Sendable (Case) -> Bool = { _ in true },
        _ holds: @escaping @Sendable (Case) -> Bool
    ) {
        self.name = name
        self.applies = applies
        self.holds = holds
    }
}
