public import Explorer

/// A promise of docs/design/rules.md about a machine, as something that can fail.
public struct Property<M: World>: Sendable {
    /// How it is asked.
    public enum Question: Sendable {
        /// Holds in every state.
        case always(@Sendable (M.State) -> Bool)
        /// Holds for every step (source, label, target).
        case steps(@Sendable (M.State, M.Action, M.State) -> Bool)
        /// Some state satisfies it: an antecedent, without which other properties would hold for lack of cases.
        case sometimes(@Sendable (M.State) -> Bool)
        /// Some step satisfies it.
        case sometimesStep(@Sendable (M.State, M.Action, M.State) -> Bool)
        /// The first leads to the second in every behaviour that is fair.
        case leadsTo(
            @Sendable (M.State) -> Bool, @Sendable (M.State) -> Bool, fairness: @Sendable (M) -> [Fairness<M.Action>])
        /// There is a way to it from every state but those excepted.
        case reachable(@Sendable (M.State) -> Bool, except: @Sendable (M.State) -> Bool)
    }

    /// What became of the question.
    public enum Verdict {
        /// It holds.
        case holds
        /// It fails: a shortest way to where it does.
        case fails(Path<M>)
        /// Nothing in the whole graph satisfies it.
        case neverHappens
    }

    /// The rule of docs/design/rules.md and a name: `S3 ends for a named cause`.
    public let name: String
    /// How it is asked.
    public let question: Question

    /// It writes the machine down once more, table by table, so it notices a slip, and shares a misreading of the rules. A mutant
    /// that only such properties notice counts as a survivor of the second kind (model/survivors.md).
    public let restates: Bool

    /// A property that says what a rule promises, without the machine's tables.
    public init(_ name: String, _ question: Question) {
        self.name = name
        self.question = question
        restates = false
    }

    /// One that restates the machine.
    public init(restating name: String, _ question: Question) {
        self.name = name
        self.question = question
        restates = true
    }

    /// Asks it of a graph.
    public func verdict(on graph: Graph<M>, of machine: M) -> Verdict {
        let path: Path<M>?
        switch question {
        case .always(let holds): path = graph.always(holds)
        case .steps(let holds): path = graph.alwaysSteps(holds)
        case .leadsTo(let p, let q, let fairness): path = graph.leadsTo(p, q, fairness: fairness(machine))
        case .reachable(let holds, let except): path = graph.reachableFromEverywhere(holds, except: except)
        case .sometimes(let holds): return graph.sometimes(holds) == nil ? .neverHappens : .holds
        case .sometimesStep(let holds):
            return graph.alwaysSteps { !holds($0, $1, $2) } == nil ? .neverHappens : .holds
        }
        return path.map(Verdict.fails) ?? .holds
    }

    /// In words, with the story of the failure; nil if it holds.
    public func complaint(on graph: Graph<M>, of machine: M) -> String? {
        switch verdict(on: graph, of: machine) {
        case .holds: return nil
        case .neverHappens: return "\(name): never happens, so what is claimed about it is empty"
        case .fails(let path):
            let story = path.story { label, state in
                guard let label else { return machine.text(of: state) }
                let effects = label.effects.compactMap(machine.text(of:)).joined(separator: "; ")
                let answer = effects.isEmpty ? "-" : effects
                return "\(machine.text(of: label.event)) -> \(machine.text(of: state)) | \(answer)"
            }
            return "\(name): fails after\n\(story)"
        }
    }
}
