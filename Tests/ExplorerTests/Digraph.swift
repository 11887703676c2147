import Explorer

/// A graph written down edge by edge; `"a x b"` is the step x from a to b.
struct Digraph: Model {
    var initial: [String]
    private var out: [String: [(action: String, next: String)]] = [:]

    init(_ initial: String..., steps: [String]) {
        self.initial = initial
        for step in steps {
            let words = step.split(separator: " ").map(String.init)
            out[words[0], default: []].append((words[1], words[2]))
        }
    }

    func successors(of state: String) -> [(action: String, next: String)] { out[state] ?? [] }
}

func weak(_ names: String...) -> Fairness<String> {
    Fairness(.weak, "WF(\(names))", because: "the test says so") { names.contains($0) }
}

func strong(_ names: String...) -> Fairness<String> {
    Fairness(.strong, "SF(\(names))", because: "the test says so") { names.contains($0) }
}
