import Explorer
import Testing

@testable import Worlds

@Suite("Mutants of a table")
struct TableMutantTests {
    @Test("On a small machine, exactly what no property speaks of survives")
    func survivors() throws {
        let graph = try Graph(Gate())
        for property in Gate.properties { #expect(property.complaint(on: graph, of: Gate()) == nil) }
        let mutants = TableMutants(of: graph, Gate(), Gate.properties)
        // How often the motor is told; the light; how long the gate stays open; that only `lock` locks; what `unlock` orders, and
        // which way the motor turns.
        #expect(
            mutants.survivors.map(\.description) == [
                "double down | lock | open", "double down | tick | open", "double light | push | shut",
                "double up | push | shut", "drop light | push | shut", "redirect sibling | push | locked",
                "redirect sibling | push | open", "redirect sibling | tick | locked", "redirect sibling | tick | open",
                "redirect sibling | tick | shut", "redirect sibling | unlock | open", "swap | lock | locked",
                "swap | tick | locked", "swap | unlock | locked", "swap | unlock | open",
            ])
        #expect(mutants.tally(of: .drop) == .init(total: 8, killed: 7, independently: 7, untried: 0))
        #expect(mutants.tally(of: .ignore) == .init(total: 7, killed: 7, independently: 7, untried: 0))
        #expect(Set(mutants.kills.keys).isSuperset(of: ["the gate shuts", "it can be opened"]))
    }

    @Test("What only a restating property notices is counted as such")
    func restating() throws {
        let graph = try Graph(Gate())
        let restating = Gate.properties.map { Property<Gate>(restating: $0.name, $0.question) }
        let mutants = TableMutants(of: graph, Gate(), restating)
        #expect(mutants.tally(of: .drop) == .init(total: 8, killed: 7, independently: 0, untried: 0))
        let both = TableMutants(of: graph, Gate(), restating + Gate.properties)
        for kind in TableMutants<Gate>.Kind.allCases {
            #expect(both.tally(of: kind).independently == both.tally(of: kind).killed)
        }
    }

    @Test("The quick answers are those of asking every property about the whole changed graph")
    func exact() throws {
        let graph = try Graph(Gate())
        let quick = TableMutants(of: graph, Gate(), Gate.properties)
        let left = Set(quick.left.map(\.id))
        var id = 0
        for source in graph.states.indices {
            for number in graph.edges[source].indices {
                for mutant in quick.mutants(of: number, source, &id) {
                    let changed = graph.changing(number, of: source, action: mutant.action, target: mutant.target)
                    let survives = Gate.properties.allSatisfy { property in
                        if case .fails = property.verdict(on: changed, of: Gate()) { false } else { true }
                    }
                    #expect(survives == left.contains(mutant.id), "\(mutant.group)")
                }
            }
        }
    }

    @Test("What was not asked is counted")
    func untried() throws {
        let mutants = TableMutants(of: try Graph(Gate()), Gate(), Gate.properties, asking: 1)
        #expect(TableMutants<Gate>.Kind.allCases.contains { mutants.tally(of: $0).untried > 0 })
        #expect(mutants.tally(of: .ignore).killed < 7)
    }
}
