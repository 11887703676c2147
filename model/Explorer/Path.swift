/// A behaviour: from an initial state by steps, then for ever around a cycle (empty: it ends, or stutters for ever).
public struct Path<M: Model> {
    /// One step and where it led.
    public struct Step {
        /// What happened.
        public let action: M.Action
        /// The state after it.
        public let state: M.State

        /// A step.
        public init(action: M.Action, state: M.State) {
            self.action = action
            self.state = state
        }
    }

    /// The initial state.
    public let start: M.State
    /// What leads to the violation, or to the cycle.
    public let steps: [Step]
    /// What repeats for ever.
    public let cycle: [Step]

    /// The last state before the cycle.
    public var end: M.State { steps.last?.state ?? start }

    /// The behaviour as a story, one line a step; `tell` renders an action and the state after it.
    public func story(_ tell: (M.Action?, M.State) -> String) -> String {
        var lines = [tell(nil, start)]
        lines += steps.map { tell($0.action, $0.state) }
        if !cycle.isEmpty {
            lines.append("and then for ever:")
            lines += cycle.map { "  " + tell($0.action, $0.state) }
        }
        return lines.joined(separator: "\n")
    }
}
