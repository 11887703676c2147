/// A finite transition system: what can be explored.
///
/// `successors` must be a function of the state alone and give its edges in a fixed order (never in the order of a `Set` or
/// `Dictionary`), so that every run explores the same graph in the same order.
public protocol Model {
    /// A whole state; equal states are one node.
    associatedtype State: Hashable
    /// What labels an edge: the action, with its parameters and what it answered.
    associatedtype Action: Hashable

    /// Where behaviours begin.
    var initial: [State] { get }

    /// All steps out of `state`.
    func successors(of state: State) -> [(action: Action, next: State)]
}
