import Explorer
import Testing

@Suite("The explorer on graphs whose verdicts are known")
struct ExplorerTests {
    func graph(_ steps: String...) throws -> Graph<Digraph> {
        try Graph(Digraph("a", steps: steps))
    }

    @Test("It finds all reachable states, nearest first, and counts the edges")
    func explores() throws {
        let graph = try graph("a x b", "b y c", "a z c", "c w a", "d x a")
        #expect(graph.states == ["a", "b", "c"])
        #expect(graph.depth == [0, 1, 1])
        #expect(graph.edgeCount == 4)
    }

    @Test("It refuses a graph beyond its bound")
    func bound() {
        struct Counter: Model {
            var initial: [Int] { [0] }
            func successors(of state: Int) -> [(action: String, next: Int)] { [("up", state + 1)] }
        }
        #expect(throws: Graph<Counter>.TooLarge.self) { try Graph(Counter(), limit: 100) }
    }

    @Test("always gives a shortest way to a violation")
    func always() throws {
        let graph = try graph("a x b", "b x c", "c x d", "a y d")
        let path = try #require(graph.always { $0 != "d" })
        #expect(path.steps.map(\.action) == ["y"])
        #expect(graph.always { $0 != "z" } == nil)
    }

    @Test("Without fairness a behaviour may stutter for ever")
    func stutters() throws {
        let graph = try graph("a go b")
        #expect(graph.leadsTo({ $0 == "a" }, { $0 == "b" }) != nil)
        #expect(graph.leadsTo({ $0 == "a" }, { $0 == "b" }, fairness: [weak("go")]) == nil)
    }

    @Test("A self-loop is not a step that satisfies fairness")
    func selfLoop() throws {
        // `go` loops at a; only the step that leaves counts, and weak fairness forces it.
        let both = try graph("a go a", "a go b")
        #expect(both.leadsTo({ $0 == "a" }, { $0 == "b" }, fairness: [weak("go")]) == nil)
        // Here `go` is nothing but a loop: it is never enabled in the sense of fairness, so nothing forces `leave`.
        let loop = try graph("a go a", "a leave b")
        #expect(loop.leadsTo({ $0 == "a" }, { $0 == "b" }, fairness: [weak("go")]) != nil)
    }

    @Test("An unfair cycle is no violation")
    func unfairCycle() throws {
        let graph = try graph("a x b", "b x a", "a go c", "b go c")
        #expect(graph.leadsTo({ $0 == "a" }, { $0 == "c" }) != nil)
        #expect(graph.leadsTo({ $0 == "a" }, { $0 == "c" }, fairness: [weak("go")]) == nil)
    }

    @Test("Weak fairness does not force an action that is disabled again and again; strong fairness does")
    func weakAgainstStrong() throws {
        let graph = try graph("a x b", "b x a", "a go c")
        #expect(graph.leadsTo({ $0 == "a" }, { $0 == "c" }, fairness: [weak("go"), weak("x")]) != nil)
        #expect(graph.leadsTo({ $0 == "a" }, { $0 == "c" }, fairness: [strong("go"), weak("x")]) == nil)
    }

    @Test("Fairness is tested on the violating part of a component, not on the whole of it")
    func subcycle() throws {
        // The whole component {a, b, d} takes `go` (to d and back), but the cycle a-b avoids it where it is enabled only
        // at d: a strongly fair behaviour can stay in a-b for ever.
        let avoidable = try graph("a x b", "b x a", "b y d", "d go a", "d go c")
        #expect(avoidable.leadsTo({ $0 == "a" }, { $0 == "c" }, fairness: [strong("go")]) != nil)
        // Where `leave` is enabled at b, the smaller cycles through b are unfair too, and a alone cannot stay because of x.
        let forced = try graph("a x b", "b x a", "b leave c")
        #expect(forced.leadsTo({ $0 == "a" }, { $0 == "c" }, fairness: [strong("leave"), weak("x")]) == nil)
    }

    @Test("Several assumptions hold together on one behaviour, not each on its own")
    func conjunction() throws {
        // Round 1-2 starves p, round 3-4 starves q; only a behaviour that mixes both is fair to both, and it passes c.
        let graph = try graph("a l b", "b l a", "b p c", "a r d", "d r a", "d q c")
        #expect(
            graph.leadsTo({ $0 == "a" }, { $0 == "c" }, fairness: [strong("p"), strong("q"), weak("l", "r")]) == nil)
        #expect(graph.leadsTo({ $0 == "a" }, { $0 == "c" }, fairness: [strong("p"), weak("l", "r")]) != nil)
    }

    @Test("The counter-example is a real cycle of the graph that avoids the goal")
    func realCycle() throws {
        let graph = try graph("a x b", "b x c", "c x d", "d x b", "d go e", "c wait c")
        let found = graph.leadsTo({ (state: String) in state == "a" }, { $0 == "e" }, fairness: [weak("x")])
        let path = try #require(found)
        var at = path.end
        for step in path.cycle {
            let edges = Digraph("a", steps: ["a x b", "b x c", "c x d", "d x b", "d go e", "c wait c"]).successors(
                of: at)
            #expect(edges.contains { $0.action == step.action && $0.next == step.state })
            #expect(step.state != "e")
            at = step.state
        }
        #expect(at == path.end && !path.cycle.isEmpty)
    }

    @Test("A goal that holds at once satisfies leads-to; a goal in the past does not")
    func goalAtOnce() throws {
        let graph = try graph("a x b", "b y b")
        #expect(graph.leadsTo({ $0 == "a" }, { $0 == "a" }) == nil)
        #expect(graph.leadsTo({ $0 == "b" }, { $0 == "a" }) != nil)
    }

    @Test("reachableFromEverywhere finds the trap, and forgives an allowed end")
    func traps() throws {
        let graph = try graph("a x b", "b x a", "a y t", "t z t")
        #expect(graph.reachableFromEverywhere { $0 == "b" }?.end == "t")
        #expect(graph.reachableFromEverywhere({ $0 == "b" }, except: { $0 == "t" }) == nil)
        #expect(graph.deadlock { _ in false }?.end == "t")
    }
}
